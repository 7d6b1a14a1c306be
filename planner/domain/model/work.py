"""The work order: in which order, by which crew and when cables are installed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value

ACTIVITIES = ("pull", "plug", "dress", "label", "test")
"""Activities of a task."""

TASK_KINDS = ("cables", "trunk", "jumpers")
"""What a task installs: cables from port to port, one trunk between panels, or the jumpers of one cabinet to one panel frame."""

PATCHING = "patching"
"""Name of the install stage of jumpers, in plans with panels."""


@dataclass(frozen=True, eq=False)
class WorkOrder(Record, name="work", needs=("catalog", "room", "cables", "panels")):
    """One row per task, in the order of work: the cables of one bundle, those inside one cabinet, a trunk, or jumpers.

    Times are working seconds from the start; nights do not count. A task starts with pulling; for `pull_s`
    no other crew pulls cables through the trays of its route.
    """

    order: str = value("order of the install stages")
    crews: int = value("number of crews that work in parallel")
    workers: int = value("number of workers in a crew")
    shift_s: int = value("working time per day", "s")
    task: np.ndarray = array("int32", "W", "task that installs each cable; of rows over panels the one that pulls their trunk")
    jumper_task: np.ndarray = array("int32", "J", "task that installs each jumper of the panels")
    kind: np.ndarray = array("uint8", "N", "what the task installs, index into TASK_KINDS")
    stage: np.ndarray = array("uint8", "N", "install stage, index into stage_names")
    stage_names: tuple[str, ...] = value(
        "names of the install stages, as in the cable plan; then patching, where there are panels"
    )
    bundle: np.ndarray = array("int32", "N", "bundle of the cables or trunk; -1 inside a cabinet and for jumpers")
    cabinet: np.ndarray = array("int32", "N,2", "cabinets at both ends; -1 for a panel frame in the trays")
    frame: np.ndarray = array("int32", "N,2", "panel frames at both ends; -1 for a cabinet")
    pieces: np.ndarray = array("int32", "N", "number of pieces, as they are bought and pulled")
    run_mm: np.ndarray = array("int64", "N", "run length of all these cables", "mm")
    tray_mm: np.ndarray = array("int32", "N", "longest tray route of these cables", "mm")
    person_s: np.ndarray = array("int64", "N,5", "person-seconds by activity, see ACTIVITIES", "s")
    crew: np.ndarray = array("int32", "N", "crew that does the task")
    start_s: np.ndarray = array("int64", "N", "start of the task", "s")
    pull_s: np.ndarray = array("int64", "N", "time from the start during which its trays are in use", "s")
    end_s: np.ndarray = array("int64", "N", "end of the task", "s")

    @property
    def task_count(self) -> int:
        return len(self.stage)

    @property
    def makespan_s(self) -> int:
        """Working time from the start until the last task ends."""
        return int(self.end_s.max(initial=0))

    @property
    def shifts(self) -> int:
        """Number of working days, rounded up."""
        return -(-self.makespan_s // self.shift_s)

    def total_s(self, stage: str | None = None) -> int:
        """Return the total person-seconds, of one install stage if named."""
        of = slice(None) if stage is None else self.stage == self.stage_names.index(stage)
        return int(self.person_s[of].sum())
