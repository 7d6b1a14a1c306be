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
    cycles: int = value("cycles measured, after warm-up")
    warmup: int = value("cycles before measuring")
    virtual_channels: int = value("virtual channels of every port")
    offered: np.ndarray = array("float64", "P", "load offered", "phits/cycle/endpoint")
    generated: np.ndarray = array("float64", "P", "load generated while measuring", "phits/cycle/endpoint")
    accepted: np.ndarray = array("float64", "P", "load delivered while measuring", "phits/cycle/endpoint")
    delay_mean: np.ndarray = array("float64", "P", "mean delay from creation to arrival of the last phit", "cycles")
    delay_p99: np.ndarray = array("float64", "P", "99th percentile of the delay", "cycles")
    delay_max: np.ndarray = array("int64", "P", "largest delay", "cycles")
    mean_hops: np.ndarray = array("float64", "P", "mean hops between routers")
    fairness: np.ndarray = array("float64", "P", "Jain's index of the accepted load over endpoints")
    hop_histogram: np.ndarray = array("int64", "P,N", "packets by hops")
    delivered: np.ndarray = array("int64", "P", "packets delivered while measuring")
    saturated: np.ndarray = array("bool", "P", "True where the network accepted clearly less than was generated")
    deadlock: np.ndarray = array(
        "int64", "P", "cycle in which the last packet that could move had moved; -1 where none was stuck"
    )
    link_load: np.ndarray = array(
        "float32", "P,E", "phits per cycle in each direction of each link, forward at 2l, backward at 2l+1"
    )
    complete: bool = value("False when interrupted: later loads are missing", default=True)
