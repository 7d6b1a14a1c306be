"""In which order, by whom and when cables are laid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value

ACTIVITIES = ("pull", "plug", "dress", "label", "test")
"""What the time of a task goes into."""


@dataclass(frozen=True, eq=False)
class WorkOrder(Record):
    """One row per task, in the order of work: the cables of one bundle, or those inside one cabinet.

    Times are working seconds from the beginning; nights do not count. A crew begins a task by pulling, and until
    `pull_s` are over nobody else lays anything into the trays on the way.
    """

    order: str = value("order of the install stages")
    crews: int = value("crews that work at the same time")
    workers: int = value("people of one crew")
    shift_s: int = value("working time of one day", "s")
    task: np.ndarray = array("int32", "W", "task that lays each cable")
    stage: np.ndarray = array("uint8", "N", "install stage, index into stage_names")
    stage_names: tuple[str, ...] = value("names of the install stages, as in the cable plan")
    bundle: np.ndarray = array("int32", "N", "bundle of the cables; -1 inside a cabinet")
    cabinet: np.ndarray = array("int32", "N,2", "cabinets at both ends")
    pieces: np.ndarray = array("int32", "N", "number of pieces, as they are bought and pulled")
    run_mm: np.ndarray = array("int64", "N", "run length of all these cables", "mm")
    tray_mm: np.ndarray = array("int32", "N", "longest tray route of these cables", "mm")
    person_s: np.ndarray = array("int64", "N,5", "time of all people by activity, see ACTIVITIES", "s")
    crew: np.ndarray = array("int32", "N", "who does it")
    start_s: np.ndarray = array("int64", "N", "when the task begins", "s")
    pull_s: np.ndarray = array("int64", "N", "how long trays are taken from then on", "s")
    end_s: np.ndarray = array("int64", "N", "when the task ends", "s")

    @property
    def task_count(self) -> int:
        return len(self.stage)

    @property
    def makespan_s(self) -> int:
        """Working time from the beginning until the last task ends."""
        return int(self.end_s.max(initial=0))

    @property
    def shifts(self) -> int:
        """Days that the work takes, the last one begun included."""
        return -(-self.makespan_s // self.shift_s)

    def total_s(self, stage: str | None = None) -> int:
        """Return the time of all people, of one install stage if named."""
        of = slice(None) if stage is None else self.stage == self.stage_names.index(stage)
        return int(self.person_s[of].sum())
