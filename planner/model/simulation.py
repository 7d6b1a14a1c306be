"""What the packet engine measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True, eq=False)
class SimulationResult(Record):
    """What the packet engine measured, one entry per offered load."""

    routing: str = value("routing")
    traffic: str = value("traffic")
    cycle_ps: int = value("one cycle: the time of one phit on a link", "ps")
    packet_phits: int = value("length of a packet", "phits")
    virtual_channels: int = value("virtual channels of every port")
    warmup: np.ndarray = array("int64", "P", "cycles before measuring")
    cycles: np.ndarray = array("int64", "P", "cycles measured, after warm-up")
    offered: np.ndarray = array("float64", "P", "load offered", "phits/cycle/endpoint")
    generated: np.ndarray = array("float64", "P", "load generated while measuring", "phits/cycle/endpoint")
    accepted: np.ndarray = array("float64", "P", "load delivered while measuring", "phits/cycle/endpoint")
    accepted_error: np.ndarray = array(
        "float64", "P", "half-width of the 95 % interval of the accepted load", "phits/cycle/endpoint"
    )
    delay_mean: np.ndarray = array("float64", "P", "mean delay from creation to arrival of the last phit", "cycles")
    delay_error: np.ndarray = array("float64", "P", "half-width of the 95 % interval of the mean delay", "cycles")
    delay_network: np.ndarray = array(
        "float64", "P", "mean delay on cables and in routers on the ways taken; NaN where cables differ in rate", "cycles"
    )
    delay_queue: np.ndarray = array("float64", "P", "mean time in queues, at sources and in routers: the rest", "cycles")
    delay_p50: np.ndarray = array("float64", "P", "median of the delay", "cycles")
    delay_p99: np.ndarray = array("float64", "P", "99th percentile of the delay", "cycles")
    delay_max: np.ndarray = array("int64", "P", "largest delay", "cycles")
    mean_hops: np.ndarray = array("float64", "P", "mean hops between routers")
    fairness: np.ndarray = array("float64", "P", "Jain's index of the accepted load over endpoints")
    hop_histogram: np.ndarray = array("int64", "P,N", "packets by hops")
    delivered: np.ndarray = array("int64", "P", "packets delivered while measuring")
    dropped: np.ndarray = array("int64", "P", "packets lost by faults while measuring")
    saturated: np.ndarray = array("bool", "P", "True where the backlog drifts: more is created than can be carried without end")
    settled: np.ndarray = array("bool", "P", "False where the network still filled while measuring: figures of no steady state")
    deadlock: np.ndarray = array(
        "int64", "P", "cycle in which the last packet that could move had moved; -1 where none was stuck"
    )
    link_load: np.ndarray = array(
        "float32", "P,E", "phits per cycle in each direction of each link, forward at 2l, backward at 2l+1"
    )
    channel_occupancy: np.ndarray = array(
        "float32", "P,V", "packets in the queues of a network port by virtual channel, mean over ports and time", "packets"
    )
    checked_pairs: int = value("pairs of routers whose ways the deadlock check followed; 0 where the study allows deadlock")
    router_pairs: int = value("pairs of routers with endpoints")
    load_bound: float | None = value(
        "load that no routing can exceed: all links full, minimal ways", "phits/cycle/endpoint", default=None
    )
    saturation_low: float | None = value("load found to be carried without end", "phits/cycle/endpoint", default=None)
    saturation_high: float | None = value(
        "load at which the backlog drifts; equal to saturation_low where all is accepted",
        "phits/cycle/endpoint",
        default=None,
    )
    saturation_throughput: float | None = value(
        "highest load with a bounded backlog: accepted at saturation_high", "phits/cycle/endpoint", default=None
    )
    complete: bool = value("False when interrupted: later loads are missing", default=True)

    @property
    def steady(self) -> int | None:
        """The point of the largest load that is not saturated; None where all are."""
        steady = np.flatnonzero(~self.saturated)
        return int(steady[self.offered[steady].argmax()]) if len(steady) else None

    def busiest(self, point: int, most: int) -> list[tuple[int, int, float]]:
        """Return link, direction (0 forward, 1 backward) and load in phits per cycle of the busiest links at a point."""
        order = np.argsort(-self.link_load[point], kind="stable")[:most]
        return [(*divmod(int(side), 2), float(self.link_load[point, side])) for side in order]
