"""Zero-load delay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value

DELAY_PARTS = ("routers", "copper", "active copper", "optical", "connectors", "FEC")
"""Components of a delay: routers, cables by medium, electronics in the plugs of active cables, forward error correction."""


@dataclass(frozen=True, eq=False)
class Latency(Record, name="latency", needs=("topology", "inventory", "catalog", "cables")):
    """Hops and zero-load delays, over ordered pairs of different routers; all of them, or those of sampled sources.

    An error is the half-width of the 95 % confidence interval of its mean; 0 where all sources count.
    """

    hop_histogram: np.ndarray = array("int64", "N", "ordered router pairs at 0, 1, 2 … hops")
    mean_hops: float = value("mean hops between different routers")
    mean_ps: float = value("mean delay between different routers: routers on the path and cables", "ps")
    worst_ps: int = value("maximum of these delays; for a sample, a lower bound of the maximum", "ps")
    worst_path: np.ndarray = array("int32", "V+1", "routers on the path of the worst pair")
    worst_links: np.ndarray = array("int32", "V", "links on that path")
    worst_parts_ps: np.ndarray = array("int64", "V,6", "delay of each of these links and the router after it, by component", "ps")
    endpoint_mean_ps: float = value("mean delay between endpoints, endpoint cables included", "ps")
    endpoint_worst_ps: int = value("maximum of these delays", "ps")
    router_delay_ps: int = value("delay of one router, of the slowest where they differ", "ps")
    routers: int = value("routers of the network")
    sources: int = value("routers from which all delays were computed; fewer than R means a random sample")
    unreached: int = value("disconnected ordered pairs (source, router)")
    mean_hops_error: float = value("error of mean_hops")
    mean_error_ps: float = value("error of mean_ps", "ps")
    endpoint_mean_error_ps: float = value("error of endpoint_mean_ps", "ps")
    class_names: tuple[str, ...] = value("classes of router pairs: same cabinet, same group of each level, others")
    class_pairs: np.ndarray = array("int64", "J", "ordered pairs in each class; a pair is in the first class that fits")
    class_hops: np.ndarray = array("float64", "J", "mean hops of each class")
    class_parts_ps: np.ndarray = array("float64", "J,6", "mean delay of each class by component", "ps")
    class_error_ps: np.ndarray = array("float64", "J", "error of the mean delay of each class", "ps")
    class_worst_ps: np.ndarray = array("int64", "J", "maximum delay of each class", "ps")
    cable_class_names: tuple[str, ...] = value("classes of cables: those of the links, then endpoint")
    cable_class: np.ndarray = array("uint8", "B", "class of the cables in each line, index into cable_class_names")
    cable_medium: np.ndarray = array("uint8", "B", "medium of the cables in each line, index into MEDIA")
    cable_count: np.ndarray = array("int64", "B", "cables in each line")
    cable_parts_ps: np.ndarray = array("float64", "B,6", "mean delay of these cables by component", "ps")
    cable_worst_ps: np.ndarray = array("int64", "B", "maximum delay of these cables", "ps")
    fec: str = value("forward error correction set in the study: none, auto, or the id of a catalog row")
    fec_rows: tuple[str, ...] = value("catalog row of the code, for each assembly of the cable plan; empty without a code")
    fec_ps: np.ndarray = array("int64", "F", "delay of forward error correction for each assembly", "ps")

    @property
    def sampled(self) -> bool:
        """Whether only some sources count: means then have errors, and the maximum is a lower bound."""
        return self.sources < self.routers

    @property
    def class_mean_ps(self) -> np.ndarray:
        """Mean delay of each class, float64 (J,)."""
        return self.class_parts_ps.sum(axis=1)
