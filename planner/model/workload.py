"""How long the jobs of a workload take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Workload(Record):
    """Jobs of messages that wait for each other, J of them, each run alone on the network."""

    routing: str = value("routing")
    cycle_ps: float = value("one cycle: the time of one phit on a link; 0 where the study does not say", "ps")
    packet_phits: int = value("length of a packet", "phits")
    motifs: tuple[str, ...] = value("motif of each job")
    placements: tuple[str, ...] = value("how the ranks of each job are placed on endpoints")
    ranks: np.ndarray = array("int64", "J", "ranks")
    messages: np.ndarray = array("int64", "J", "messages")
    bytes: np.ndarray = array("int64", "J", "bytes of all messages", "bytes")
    completion_cycles: np.ndarray = array(
        "int64", "J", "from the start to the last delivery or the end of the last computation", "cycles"
    )
    bound_cycles: np.ndarray = array(
        "int64", "J", "what it would take at least: the longest chain of messages without any other traffic", "cycles"
    )
    delay_mean: np.ndarray = array("float64", "J", "mean time of a message from ready to delivered", "cycles")
    delay_max: np.ndarray = array("int64", "J", "longest time of a message from ready to delivered", "cycles")
    busiest_link: np.ndarray = array(
        "float64", "J", "load of the busiest direction of a link, mean from start to end", "phits/cycle"
    )
    deadlock: np.ndarray = array(
        "int64", "J", "cycle in which the last packet that could move had moved; -1 where none was stuck"
    )
    finished: np.ndarray = array("bool", "J", "False where a job was interrupted or stuck")

    @property
    def complete(self) -> bool:
        """Whether no job was interrupted."""
        return bool((self.finished | (self.deadlock >= 0)).all())
