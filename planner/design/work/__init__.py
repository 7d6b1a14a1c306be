"""The work order: which crew installs which cables when, such that no cable obstructs later ones.

A task is a unit of installation: the cables of one bundle, all cables inside one cabinet, one trunk between panels, or the
jumpers from one cabinet to one panel frame. The order of tasks does
not depend on the crews; the crew that is free first takes the next task, and starts when no other crew pulls through its trays.
Work inside a cabinet waits until nobody else works there.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.core.checking import checked
from planner.design.work._order import listed_tasks, schedule
from planner.design.work._tasks import Tasks
from planner.domain.model import PATCHING, CablePlan, Catalog, PanelPlan, WorkOrder

Order = Literal["outside in", "cabinets first", "inside out"]


@checked()
def work(
    catalog: Catalog,
    cables: CablePlan,
    panels: PanelPlan,
    segment_mm: np.ndarray,
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
        Catalog with the labor rates.
    cables
        The cables to install.
    panels
        Their trunks and jumpers, where they run over panels.
    segment_mm
        Length of the tray segments, int (K,).
    crews
        Number of crews that work in parallel.
    workers
        Number of workers in a crew, who divide its work.
    shift_hours
        Working time per day, in hours.
    order
        ``outside in``: cables across the room first, those inside cabinets last, so that long cables are at the
        bottom of trays and the ports are free when cables from outside are installed. ``cabinets first``: the same,
        but for cabinets that arrive with their internal cables installed. ``inside out``: cabinet by cabinet and row by row
        first, so that parts of the machine run early; long cables are then on top of short ones.

    Returns
    -------
    WorkOrder
        Within a stage, of two tasks that share a tray the one with the longer tray route comes first.

    Notes
    -----
    Adding crews never delays the start of a task: the list does not depend on them, and no crew skips a task. Where crews
    may skip tasks, more crews can take longer [1]_.

    References
    ----------
    .. [1] R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
    """
    tasks = Tasks.of(cables, panels, segment_mm, catalog.labor)
    stage_names = (*cables.stage_names, PATCHING) if len(panels.row) else cables.stage_names
    place_of_stage = np.argsort(_stages_in_order(order, len(cables.stage_names)))[tasks.stage]
    listed = listed_tasks(tasks, place_of_stage)
    number = np.empty(len(listed), np.int64)
    number[listed] = np.arange(len(listed))
    # A link is tested by the task that completes it.
    tested = np.bincount(number[tasks.completed].max(axis=1), minlength=len(listed))
    person_s = tasks.person_s.copy()
    person_s[listed, -1] = tested * catalog.labor.test_s
    crew_s, pull_s = -(-person_s.sum(axis=1) // workers), -(-person_s[:, 0] // workers)
    start_s, crew = schedule(tasks, listed, crew_s, pull_s, crews)
    return WorkOrder(
        order=order,
        crews=crews,
        workers=workers,
        shift_s=max(round(3600 * shift_hours), 1),
        task=number[tasks.of_cable],
        jumper_task=number[tasks.of_jumper],
        kind=tasks.kind[listed],
        stage=tasks.stage[listed],
        stage_names=stage_names,
        bundle=tasks.bundle[listed],
        cabinet=tasks.cabinet[listed],
        frame=tasks.frame[listed],
        pieces=tasks.pieces[listed],
        run_mm=tasks.run_mm[listed],
        tray_mm=tasks.tray_mm[listed],
        person_s=person_s[listed],
        crew=crew[listed],
        start_s=start_s[listed],
        pull_s=pull_s[listed],
        end_s=(start_s + crew_s)[listed],
    )


def _stages_in_order(order: Order, count: int) -> list[int]:
    """Return the install stages in the order of work; the cable plan counts them from the cabinet outward, patching follows.

    All trunks come before all jumpers; jumpers come before cables inside cabinets where these come last.
    """
    stages, patching = list(range(count)), count
    return {
        "inside out": [*stages, patching],
        "outside in": [*stages[:0:-1], patching, *stages[:1]],
        "cabinets first": [*stages[:1], *stages[:0:-1], patching],
    }[order]
