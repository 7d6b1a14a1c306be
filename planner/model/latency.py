"""Delay without load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Latency(Record):
    """Hops and delays without load, over ordered pairs of different routers."""

    hop_histogram: np.ndarray = array("int64", "N", "ordered router pairs at 0, 1, 2 … hops")
    mean_hops: float = value("mean hops between different routers")
    mean_ps: float = value("mean delay between different routers: routers on the way and cables", "ps")
    worst_ps: int = value("largest such delay", "ps")
    worst_path: np.ndarray = array("int32", "V", "routers on the way of the worst pair")
    endpoint_mean_ps: float = value("mean delay between endpoints, their cables included", "ps")
    endpoint_worst_ps: int = value("largest such delay", "ps")
    router_delay_ps: int = value("delay of one router", "ps")
    sources: int = value("routers from which all delays were computed; fewer than R means a random sample")
