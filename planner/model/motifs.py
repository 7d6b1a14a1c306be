"""What a motif took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True, eq=False)
class MotifResult(Record):
    """How long a job with messages that wait for each other took, N of them."""

    motif: str = value("file name of the motif")
    ranks: int = value("ranks of the job")
    routing: str = value("routing")
    cycle_ps: float = value("one cycle: the time of one phit on a link", "ps")
    packet_phits: int = value("length of a packet", "phits")
    completion_cycles: int = value("from the start to the last delivery or the end of the last computation", "cycles")
    bound_cycles: int = value("what it would take at least: the longest chain of messages without any other traffic", "cycles")
    source: np.ndarray = array("int32", "N", "endpoint that each message leaves")
    target: np.ndarray = array("int32", "N", "endpoint that each message goes to")
    bytes: np.ndarray = array("int64", "N", "size of each message", "bytes")
    started: np.ndarray = array("int64", "N", "cycle in which each message was ready to be sent; -1 where it never was", "cycles")
    delivered: np.ndarray = array("int64", "N", "cycle in which its last phit arrived; -1 where it did not", "cycles")
    link_load: np.ndarray = array(
        "float32", "E", "phits per cycle in each direction of each link, mean to the end; forward at 2l, backward at 2l+1"
    )
    deadlock: int = value("cycle in which the last packet that could move had moved; -1 where none was stuck", default=-1)
    complete: bool = value("False when it was interrupted or stuck: some messages are not delivered", default=True)

    @property
    def completion_ns(self) -> float:
        """Time from the start to the end in nanoseconds."""
        return self.completion_cycles * self.cycle_ps / 1000

    @property
    def delay(self) -> np.ndarray:
        """Cycles from ready to delivered of the messages that were delivered."""
        arrived = self.delivered >= 0
        return self.delivered[arrived] - self.started[arrived]
