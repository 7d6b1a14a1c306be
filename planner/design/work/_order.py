"""The order of tasks, independent of the crews, and the schedule of the crews."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.design.work._tasks import JUMPERS, TRUNK, Tasks
from planner.kernels.heap import Heap
from planner.kernels.work import order as kernel


def listed_tasks(tasks: Tasks, place_of_stage: np.ndarray) -> np.ndarray:
    """Return all tasks by stage, long before short in every tray segment, int64 (N,).

    Among the tasks that may come next, the one is chosen whose cabinets have been idle longest, so that consecutive tasks
    are at different cabinets; ties are broken by the longest route.

    Parameters
    ----------
    place_of_stage
        Stage of each task, counted in the order of work, int (N,).
    """
    count = len(tasks.stage)
    rank = np.empty(count, np.int64)
    rank[np.lexsort((tasks.bundle, *tasks.cabinet.T[::-1], -tasks.tray_mm))] = np.arange(count)
    by_stage = np.argsort(place_of_stage, kind="stable")
    stages = np.arange(int(place_of_stage.max(initial=-1)) + 2)
    begins = by_stage, np.searchsorted(place_of_stage[by_stage], stages)
    layers = _Layers.of(tasks, place_of_stage)
    last_use = np.full(int(tasks.places.max(initial=-1)) + 1, -1)
    heap = Heap(np.empty(count), np.empty(count), np.empty(count, np.int32))
    listed = np.empty(count, np.int64)
    places = tasks.places.astype(np.int64), tasks.place_start.astype(np.int64)
    found = kernel.order(
        begins, rank, *places, layers.of_task, tasks.tray_start.astype(np.int64), layers.content, layers.start, layers.missing,
        layers.covered, layers.waits, last_use, heap, listed,
    )  # fmt: skip
    return listed[:found]


@dataclass
class _Layers:
    """Layers of the tasks of one stage in one tray segment: tasks of equal route length, longest at the bottom.

    Attributes
    ----------
    of_task
        The layers of each task, a segment of its route each, int64.
    content, start
        The tasks of each layer, and the start of each, int64.
    missing
        Number of them not yet installed, int64.
    covered
        Whether there is a layer above this one, uint8.
    waits
        Number of layers that each task waits for, int64.
    """

    of_task: np.ndarray
    content: np.ndarray
    start: np.ndarray
    missing: np.ndarray
    covered: np.ndarray
    waits: np.ndarray

    @classmethod
    def of(cls, tasks: Tasks, place_of_stage: np.ndarray) -> _Layers:
        count = len(tasks.stage)
        # In large plans these columns have tens of millions of entries. Tasks ascend, and the sort keeps equal ones in order.
        task, segment = np.repeat(np.arange(count, dtype=np.int32), np.diff(tasks.tray_start)), tasks.trays
        stage, length_mm = place_of_stage.astype(np.int8)[task], tasks.tray_mm.astype(np.int32)[task]
        order = np.lexsort((-length_mm, segment, stage))
        bottom = _changes(stage[order]) | _changes(segment[order])
        new = bottom | _changes(length_mm[order])
        del stage, length_mm
        layer = np.empty(len(order), np.int64)
        layer[order] = np.cumsum(new) - 1
        bottom = bottom[new]
        sizes = np.bincount(layer, minlength=len(bottom))
        return cls(
            layer,
            task[order].astype(np.int64),
            np.append(0, np.cumsum(sizes)),
            sizes,
            np.append(~bottom[1:], False).astype(np.uint8),
            np.bincount(task, ~bottom[layer], count).astype(np.int64),
        )


def _changes(values: np.ndarray) -> np.ndarray:
    """Return which values differ from the one before; the first does. bool (n,)."""
    return np.concatenate([np.ones(min(len(values), 1), bool), values[1:] != values[:-1]])


def schedule(
    tasks: Tasks, listed: np.ndarray, crew_s: np.ndarray, pull_s: np.ndarray, crews: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return start and crew of every task if the earliest free crew takes the next task of the list, int64 (N,) each.

    Work inside a cabinet excludes all other work there. Jumpers wait for the trunks at their panel frame.
    """
    start, crew = np.zeros(len(listed), np.int64), np.zeros(len(listed), np.int64)
    tray_free = np.zeros(int(tasks.trays.max(initial=-1)) + 1, np.int64)
    done = np.zeros((3, int(tasks.places.max(initial=-1)) + 1), np.int64)
    known = (tasks.trays, tasks.tray_start, tasks.places, tasks.place_start)
    kinds = ((tasks.kind == kind).astype(np.uint8) for kind in (JUMPERS, TRUNK))
    kernel.schedule(
        listed, crew_s.astype(np.int64), pull_s.astype(np.int64), *(each.astype(np.int64) for each in known), *kinds,
        tray_free, done, np.zeros(crews, np.int64), start, crew,
    )  # fmt: skip
    return start, crew
