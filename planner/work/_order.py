"""The order of tasks, independent of the crews, and the schedule of the crews."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.work._tasks import JUMPERS, TRUNK, Tasks


def listed_tasks(tasks: Tasks, place_of_stage: np.ndarray) -> np.ndarray:
    """Return all tasks by stage, long before short in every tray segment, int64 (N,).

    Among the tasks that may come next, the one is chosen whose cabinets have been idle longest, so that consecutive tasks
    are at different cabinets; ties are broken by the longest route.

    Parameters
    ----------
    place_of_stage
        Stage of each task, counted in the order of work, int (N,).
    """
    last_use = [-1] * (int(tasks.places.max(initial=-1)) + 1)
    places = _parts(tasks.places, np.diff(tasks.place_start))
    rank = np.empty(len(tasks.stage), np.int64)
    rank[np.lexsort((tasks.bundle, *tasks.cabinet.T[::-1], -tasks.tray_mm))] = np.arange(len(rank))
    ranks, listed = rank.tolist(), []
    layers = _Layers.of(tasks, place_of_stage)

    def entry(task: int) -> tuple[int, int, int]:
        return max(last_use[place] for place in places[task]), ranks[task], task

    for stage in range(int(place_of_stage.max(initial=-1)) + 1):
        waiting = [entry(task) for task in np.flatnonzero(place_of_stage == stage).tolist() if not layers.waits[task]]
        heapq.heapify(waiting)
        while waiting:
            found = heapq.heappop(waiting)
            task = found[2]
            now = entry(task)
            if now != found:
                # Another task has been at one of its cabinets in between.
                heapq.heappush(waiting, now)
                continue
            for place in places[task]:
                last_use[place] = len(listed)
            listed.append(task)
            for ready in layers.install(task):
                heapq.heappush(waiting, entry(ready))
    return np.array(listed, np.int64)


@dataclass
class _Layers:
    """Layers of the tasks of one stage in one tray segment: tasks of equal route length, longest at the bottom.

    Attributes
    ----------
    of_task
        The layers of each task.
    content
        The tasks of each layer.
    missing
        Number of them not yet installed.
    covered
        Whether there is a layer above this one.
    waits
        Number of layers that each task waits for.
    """

    of_task: list[list[int]]
    content: list[list[int]]
    missing: list[int]
    covered: list[bool]
    waits: list[int]

    @classmethod
    def of(cls, tasks: Tasks, place_of_stage: np.ndarray) -> _Layers:
        count = len(tasks.stage)
        task, segment = np.repeat(np.arange(count), np.diff(tasks.tray_start)), tasks.trays
        stage, length_mm = place_of_stage[task], tasks.tray_mm[task]
        order = np.lexsort((task, -length_mm, segment, stage))
        bottom = _changes(stage[order]) | _changes(segment[order])
        new = bottom | _changes(length_mm[order])
        layer = np.empty(len(order), np.int64)
        layer[order] = np.cumsum(new) - 1
        bottom = bottom[new]
        sizes = np.bincount(layer, minlength=len(bottom))
        waits = np.bincount(task, ~bottom[layer], count).astype(np.int64)
        return cls(
            _parts(layer, np.diff(tasks.tray_start)),
            _parts(task[order], sizes),
            sizes.tolist(),
            [*(~bottom[1:]).tolist(), False],
            waits.tolist(),
        )

    def install(self, task: int) -> list[int]:
        """Mark a task as installed; return the tasks that no longer wait for any layer."""
        ready = []
        for layer in self.of_task[task]:
            self.missing[layer] -= 1
            if not self.missing[layer] and self.covered[layer]:
                for other in self.content[layer + 1]:
                    self.waits[other] -= 1
                    if not self.waits[other]:
                        ready.append(other)
        return ready


def _changes(values: np.ndarray) -> np.ndarray:
    """Return which values differ from the one before; the first does. bool (n,)."""
    return np.concatenate([np.ones(min(len(values), 1), bool), values[1:] != values[:-1]])


def _parts(values: np.ndarray, sizes: Sequence[int]) -> list[list[int]]:
    flat, ends = values.tolist(), np.cumsum(sizes).tolist()
    return [flat[start:end] for start, end in pairwise([0, *ends])]


def schedule(
    tasks: Tasks, listed: np.ndarray, crew_s: np.ndarray, pull_s: np.ndarray, crews: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return start and crew of every task if the earliest free crew takes the next task of the list, int64 (N,) each.

    Work inside a cabinet excludes all other work there. Jumpers wait for the trunks at their panel frame.
    """
    start, crew = np.zeros(len(listed), np.int64), np.zeros(len(listed), np.int64)
    tray_free = np.zeros(int(tasks.trays.max(initial=-1)) + 1, np.int64)
    # End of the work inside each cabinet, and of all work there.
    inside_done, all_done, trunks_done = np.zeros((3, int(tasks.places.max(initial=-1)) + 1), np.int64)
    free = [(0, number) for number in range(crews)]
    tray_start, place_start = tasks.tray_start.tolist(), tasks.place_start.tolist()
    alone, kinds = (np.diff(tasks.place_start) == 1).tolist(), tasks.kind.tolist()
    times = zip(listed.tolist(), crew_s[listed].tolist(), pull_s[listed].tolist(), strict=True)
    for task, needed, pulling in times:
        trays = tasks.trays[tray_start[task] : tray_start[task + 1]]
        places = tasks.places[place_start[task] : place_start[task + 1]]
        occupied = all_done if alone[task] else inside_done
        at, number = free[0]
        at = max(at, int(occupied[places].max()), int(tray_free[trays].max(initial=0)))
        if kinds[task] == JUMPERS:
            at = max(at, int(trunks_done[places].max()))
        start[task], crew[task] = at, number
        tray_free[trays] = at + pulling
        all_done[places] = np.maximum(all_done[places], at + needed)
        if alone[task]:
            inside_done[places] = at + needed
        if kinds[task] == TRUNK:
            trunks_done[places] = np.maximum(trunks_done[places], at + needed)
        heapq.heapreplace(free, (at + needed, number))
    return start, crew
