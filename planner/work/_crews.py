"""Schedule of the crews."""

from __future__ import annotations

import heapq

import numpy as np

from planner.work._tasks import Tasks


def schedule(
    tasks: Tasks, listed: np.ndarray, crew_s: np.ndarray, pull_s: np.ndarray, crews: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return start and crew of every task if the earliest free crew takes the next task of the list, int64 (N,) each.

    Work inside a cabinet excludes all other work there.
    """
    start, crew = np.zeros(len(listed), np.int64), np.zeros(len(listed), np.int64)
    tray_free = np.zeros(int(tasks.trays.max(initial=-1)) + 1, np.int64)
    # End of the work inside each cabinet, and of all work there.
    inside_done, all_done = np.zeros((2, int(tasks.places.max(initial=-1)) + 1), np.int64)
    free = [(0, number) for number in range(crews)]
    tray_start, place_start = tasks.tray_start.tolist(), tasks.place_start.tolist()
    alone = (np.diff(tasks.place_start) == 1).tolist()
    times = zip(listed.tolist(), crew_s[listed].tolist(), pull_s[listed].tolist(), strict=True)
    for task, needed, pulling in times:
        trays = tasks.trays[tray_start[task] : tray_start[task + 1]]
        places = tasks.places[place_start[task] : place_start[task + 1]]
        occupied = all_done if alone[task] else inside_done
        at, number = free[0]
        at = max(at, int(occupied[places].max()), int(tray_free[trays].max(initial=0)))
        start[task], crew[task] = at, number
        tray_free[trays] = at + pulling
        all_done[places] = np.maximum(all_done[places], at + needed)
        if alone[task]:
            inside_done[places] = at + needed
        heapq.heapreplace(free, (at + needed, number))
    return start, crew
