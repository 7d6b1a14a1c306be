"""Results of a motif."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class MotifResult(Record):
    """Completion of a job of N messages with dependencies."""

    motif: str = value("file name of the motif")
    ranks: int = value("ranks of the job")
    routing: str = value("routing")
    cycle_ps: float = value("one cycle: the time of one phit on a link", "ps")
    packet_phits: int = value("length of a packet", "phits")
    completion_cycles: int = value("completion time: start to last delivery or end of last computation", "cycles")
    bound_cycles: int = value("lower bound of the completion time: critical path in an empty network", "cycles")
    source: np.ndarray = array("int32", "N", "source endpoint of each message")
    target: np.ndarray = array("int32", "N", "target endpoint of each message")
    bytes: np.ndarray = array("int64", "N", "size of each message", "bytes")
    started: np.ndarray = array("int64", "N", "cycle in which each message became ready; -1 if it never did", "cycles")
    delivered: np.ndarray = array("int64", "N", "cycle in which its tail phit arrived; -1 if it did not", "cycles")
    link_load: np.ndarray = array(
        "float32", "E", "phits per cycle in each direction of each link, mean to the end; forward at 2l, backward at 2l+1"
    )
    step_cycles: np.ndarray = array("int64", "S", "length of each time step of a job in lock step; empty for others", "cycles")
    steps: int = value("time steps of the job's schedule; 0 without one", default=0)
    conflicts: int = value(
        "packets beyond the first on one direction of a link in one time step of the schedule; -1 without one",
        default=-1,
    )
    deadlock: int = value("cycle of the last move before a deadlock; -1 without deadlock", default=-1)
    complete: bool = value("False if interrupted or deadlocked: some messages are not delivered", default=True)

    @property
    def delay(self) -> np.ndarray:
        """Cycles from ready to delivered of the delivered messages."""
        arrived = self.delivered >= 0
        return self.delivered[arrived] - self.started[arrived]
