"""Completion times of the jobs of a workload."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Workload(
    Record, name="workload", needs=("topology", "inventory", "room", "placement", "cables"), network_needs=("topology",)
):
    """Completion of J jobs of messages with dependencies, each alone on the network."""

    routing: str = value("routing")
    cycle_ps: float = value("one cycle: the time of one phit on a link; 0 if the study does not define it", "ps")
    packet_phits: int = value("length of a packet", "phits")
    motifs: tuple[str, ...] = value("motif of each job")
    placements: tuple[str, ...] = value("how the ranks of each job are placed on endpoints")
    ranks: np.ndarray = array("int64", "J", "ranks")
    ports: np.ndarray = array("int64", "J", "ports of the node of each rank", "ports")
    messages: np.ndarray = array("int64", "J", "messages")
    bytes: np.ndarray = array("int64", "J", "bytes of all messages", "bytes")
    completion_cycles: np.ndarray = array(
        "int64", "J", "completion time: start to last delivery or end of last computation", "cycles"
    )
    bound_cycles: np.ndarray = array(
        "int64", "J", "lower bound of the completion time: critical path in an empty network", "cycles"
    )
    delay_mean: np.ndarray = array("float64", "J", "mean time of a message from ready to delivered", "cycles")
    delay_max: np.ndarray = array("int64", "J", "longest time of a message from ready to delivered", "cycles")
    busiest_link: np.ndarray = array(
        "float64", "J", "load of the busiest direction of a link, mean from start to end", "phits/cycle"
    )
    steps: np.ndarray = array("int64", "J", "time steps of the schedule of each job; 0 without one")
    conflicts: np.ndarray = array(
        "int64",
        "J",
        "packets beyond the first on one direction of a link in one time step of the schedule; -1 without one",
    )
    deadlock: np.ndarray = array("int64", "J", "cycle of the last move before a deadlock; -1 without deadlock")
    finished: np.ndarray = array("bool", "J", "False if a job was interrupted or deadlocked")

    @property
    def complete(self) -> bool:
        """Whether no job was interrupted."""
        return bool((self.finished | (self.deadlock >= 0)).all())
