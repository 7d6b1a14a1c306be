"""Channel load of every link without simulation, ideal throughput, path diversity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.core.checking import checked
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.kernels.graph.brandes import spread_traffic
from planner.network.metrics.graph import is_vertex_transitive, on_all_cores

_BLOCK = 64


@dataclass(frozen=True, eq=False)
class PathDiversity:
    """Number of shortest paths between ordered pairs of different connected routers."""

    mean: float
    maximum: float


@dataclass(frozen=True, eq=False)
class ChannelLoad:
    """Expected load of the links in both directions.

    Attributes
    ----------
    load
        Float64 (L, 2): from the lower router to the higher, and back; in the unit of the traffic.
    lost
        Traffic between disconnected routers.
    diversity
        Numbers of shortest paths.
    """

    load: np.ndarray
    unroutable: float
    diversity: PathDiversity

    @property
    def maximum(self) -> float:
        return float(self.load.max(initial=0))

    @property
    def mean(self) -> float:
        return float(self.load.mean()) if self.load.size else 0.0

    @property
    def throughput(self) -> float:
        """Saturation throughput as a fraction of the traffic; at most 1, and 0 if some of it has no path."""
        return 0.0 if self.unroutable > 0 else 1 / max(1.0, self.maximum)


@checked()
def channel_load(
    topology: Topology,
    traffic: np.ndarray | None = None,
    *,
    routing: Literal["minimal", "valiant"] = "minimal",
    progress: Progress = silent,
) -> ChannelLoad:
    """Return the channel load of every link, with traffic split evenly over all shortest paths.

    Parameters
    ----------
    traffic
        Phits per cycle from router to router, (R, R); the diagonal stays inside the router. Default: uniform
        traffic of 1 phit per cycle and endpoint.
    routing
        ``minimal``, or ``valiant``: minimally via an intermediate router drawn uniformly.

    Raises
    ------
    InputError
        When `traffic` is not a matrix of non-negative numbers over the routers.

    References
    ----------
    .. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, section 3.3.
    .. [2] L. Valiant, G. Brebner, "Universal schemes for parallel communication", STOC 1981.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = channel_load(build("slimfly", q=5, endpoints_per_router=4))
    >>> round(found.maximum, 4), round(found.throughput, 4)
    (1.0452, 0.9567)
    """
    routers = topology.router_count
    everywhere = np.arange(routers)
    demand = _uniform(topology) if traffic is None else _checked(traffic, routers)
    if routing == "minimal":
        return spread(topology, demand, everywhere, progress)
    if traffic is None:
        # Symmetric traffic: each router receives from intermediates what it sends to them.
        endpoints = topology.endpoints_of
        sent = received = endpoints * (endpoints.sum() - endpoints) / max(1, endpoints.sum() - 1)
    else:
        moving = demand(everywhere) * ~np.eye(routers, dtype=bool)
        sent, received = moving.sum(axis=1), moving.sum(axis=0)
    return spread(topology, lambda block: (sent[block, None] + received[None, :]) / routers, everywhere, progress)


def path_diversity(topology: Topology) -> PathDiversity:
    """Count the shortest paths of all pairs; from one router in vertex-transitive families.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> path_diversity(build("hypercube", dimensions=3)).maximum
    6.0
    """
    routers = topology.router_count
    sources = np.arange(1 if is_vertex_transitive(topology) else routers)
    return spread(topology, lambda block: np.zeros((len(block), routers)), sources).diversity


def _uniform(topology: Topology) -> Callable[[np.ndarray], np.ndarray]:
    endpoints = topology.endpoints_of
    return lambda block: np.outer(endpoints[block], endpoints) / max(1, endpoints.sum() - 1)


def _checked(traffic: np.ndarray, routers: int) -> Callable[[np.ndarray], np.ndarray]:
    traffic = np.asarray(traffic, np.float64)
    if traffic.shape != (routers, routers):
        raise InputError(Problem("traffic", f"has shape {traffic.shape}", f"give {routers} rows and columns, one per router"))
    if not np.isfinite(traffic).all() or (traffic < 0).any():
        raise InputError(Problem("traffic", "has entries that are negative or not finite", "give phits per cycle"))
    return lambda block: traffic[block]


def spread(
    topology: Topology, demand: Callable[[np.ndarray], np.ndarray], sources: np.ndarray, progress: Progress = silent
) -> ChannelLoad:
    """Return the channel load of traffic from some routers, split evenly over all shortest paths.

    `demand` maps a block of the sources to their rows of the traffic matrix, float64 (block, R).
    """
    routers, ports = topology.router_count, len(topology.indices)

    def work(block: np.ndarray) -> tuple[np.ndarray, tuple[int, float, float, float]]:
        load = np.zeros(ports)
        paths, share = np.zeros((2, routers))
        hops, queue = np.empty((2, routers), np.int32)
        rows = np.ascontiguousarray(demand(block), np.float64)
        return load, spread_traffic(topology.indptr, topology.indices, block, rows, load, paths, share, hops, queue)

    total, pairs, path_sum, maximum, unroutable = np.zeros(ports), 0, 0.0, 0.0, 0.0
    blocks = ((sources[start : start + _BLOCK],) for start in range(0, len(sources), _BLOCK))
    for done, (load, found) in enumerate(on_all_cores(work, blocks), 1):
        total += load
        pairs, path_sum, maximum, unroutable = (
            pairs + found[0],
            path_sum + found[1],
            max(maximum, found[2]),
            unroutable + found[3],
        )
        progress("load", min(done * _BLOCK, len(sources)), len(sources))
    owner = np.repeat(np.arange(routers), topology.degree)
    both = np.zeros((topology.link_count, 2))
    both[topology.link, (owner > topology.indices).astype(np.intp)] = total
    return ChannelLoad(both, float(unroutable), PathDiversity(path_sum / pairs if pairs else 0.0, maximum))
