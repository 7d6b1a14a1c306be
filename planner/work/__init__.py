"""The work order: who lays which cables when, such that nothing is in the way of what comes later.

A task is what is laid as one: the cables of one bundle, or all cables inside one cabinet. Tasks stand in a list that does
not depend on the crews; the crew that is free first takes the next task, and begins when nobody pulls through its trays.
Work inside a cabinet waits until nobody else works there.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.model import CablePlan, Catalog, WorkOrder
from planner.work._crews import schedule
from planner.work._order import listed_tasks
from planner.work._tasks import Tasks

Order = Literal["outside in", "cabinets first", "inside out"]


def work(
    catalog: Catalog,
    cables: CablePlan,
    *,
    crews: Annotated[int, Ge(1), Le(1000)] = 2,
    workers: Annotated[int, Ge(1), Le(100)] = 2,
    shift_hours: Annotated[float, Gt(0), Le(24)] = 8.0,
    order: Order = "outside in",
) -> WorkOrder:
    """Return the work order of a cable plan.

    Parameters
    ----------
    catalog
        Its labor rates say how long things take.
    cables
        What is to be laid.
    crews
        Crews that work at the same time.
    workers
        People of one crew; they share all of its work.
    shift_hours
        Working time of a day.
    order
        ``outside in``: cables across the room first, those inside cabinets last, so that long cables lie at the
        bottom of trays and nothing hangs before the ports when cables from outside come in. ``cabinets first``: the same,
        but for cabinets that arrive with their own cables in place. ``inside out``: cabinet by cabinet and row by row
        first, so that parts of the machine run early; long cables then come to lie on short ones.

    Returns
    -------
    WorkOrder
        Within a stage, of two tasks that share a tray the one with the longer way along trays comes first.

    Notes
    -----
    More crews never begin a task later: the list does not depend on them, and nobody skips a task of it. Where crews may
    skip, more of them can take longer [1]_.

    References
    ----------
    .. [1] R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
    """
    tasks = Tasks.of(cables, catalog.labor)
    place_of_stage = np.argsort(_stages_in_order(order, len(cables.stage_names)))[tasks.stage]
    person_s = tasks.person_s.sum(axis=1)
    crew_s, pull_s = -(-person_s // workers), -(-tasks.person_s[:, 0] // workers)
    listed = listed_tasks(tasks, place_of_stage)
    start_s, crew = schedule(tasks, listed, crew_s, pull_s, crews)
    number = np.empty(len(listed), np.int64)
    number[listed] = np.arange(len(listed))
    return WorkOrder(
        order=order,
        crews=crews,
        workers=workers,
        shift_s=max(round(3600 * shift_hours), 1),
        task=number[tasks.of_cable],
        stage=tasks.stage[listed],
        stage_names=cables.stage_names,
        bundle=tasks.bundle[listed],
        cabinet=tasks.cabinet[listed],
        pieces=tasks.pieces[listed],
        run_mm=tasks.run_mm[listed],
        tray_mm=tasks.tray_mm[listed],
        person_s=tasks.person_s[listed],
        crew=crew[listed],
        start_s=start_s[listed],
        pull_s=pull_s[listed],
        end_s=(start_s + crew_s)[listed],
    )


def _stages_in_order(order: Order, count: int) -> list[int]:
    """Install stages first to last; the cable plan counts them from the cabinet outwards."""
    stages = list(range(count))
    return {"inside out": stages, "outside in": stages[::-1], "cabinets first": stages[:1] + stages[:0:-1]}[order]
