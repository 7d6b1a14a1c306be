"""Hops between all routers and all endpoints: histogram, mean, diameter; and the girth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.kernels.graph.bfs import SOURCES, count_hops, shortest_cycle
from planner.network.metrics.graph import is_vertex_transitive, on_all_cores


@dataclass(frozen=True, eq=False)
class Distances:
    """Ordered pairs by hops.

    Attributes
    ----------
    routers
        Ordered pairs of routers at 0, 1, 2 … hops, int64; every router is at 0 hops from itself.
    endpoints
        Ordered pairs of different endpoints by the hops between their routers, int64.
    unreached
        Ordered pairs of disconnected routers.
    """

    routers: np.ndarray
    endpoints: np.ndarray
    unreached: int = 0

    @property
    def connected(self) -> bool:
        return self.unreached == 0

    @property
    def diameter(self) -> int:
        """Maximum hops between connected routers."""
        return len(self.routers) - 1

    @property
    def mean(self) -> float:
        """Mean hops between different connected routers."""
        return _mean(self.routers)

    @property
    def endpoint_diameter(self) -> int:
        """Maximum hops between routers with endpoints."""
        return int(np.flatnonzero(self.endpoints).max(initial=0))

    @property
    def endpoint_mean(self) -> float:
        """Mean hops between endpoints of different routers."""
        return _mean(self.endpoints)


def distances(topology: Topology, *, progress: Progress = silent) -> Distances:
    """Count all pairs by hops, exactly.

    From one router in vertex-transitive networks, else from all, 512 at a time, one bit each.

    References
    ----------
    .. [1] M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 2014.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = distances(build("slimfly", q=5))
    >>> found.routers.tolist(), found.diameter, round(found.mean, 4)
    ([50, 350, 2100], 2, 1.8571)
    """
    endpoints = topology.endpoints_of
    if is_vertex_transitive(topology):
        found = hop_counts(topology.indptr, topology.indices, endpoints, np.arange(1), progress=progress)
        copies = topology.router_count
    else:
        found = hop_counts(topology.indptr, topology.indices, endpoints, np.arange(topology.router_count), progress=progress)
        copies = 1
    return Distances(found.routers * copies, found.endpoints * copies, found.unreached * copies)


def hop_counts(
    indptr: np.ndarray, indices: np.ndarray, endpoints: np.ndarray, sources: np.ndarray, *, progress: Progress = silent
) -> Distances:
    """Count pairs (source, router) by hops in a graph given by its rows; `endpoints` are int64 (R,)."""
    routers = len(indptr) - 1
    size = 64
    while True:
        totals, unfinished = _passes(indptr, indices, endpoints, sources, min(size, routers + 1), progress)
        if not unfinished:
            break
        size *= 16
    if len(sources):
        totals[1, 0] -= endpoints[sources].sum()
    top = int(np.flatnonzero(totals[0]).max(initial=0))
    return Distances(totals[0, : top + 1], totals[1, : top + 1], len(sources) * routers - int(totals[0].sum()))


def _passes(
    indptr: np.ndarray, indices: np.ndarray, endpoints: np.ndarray, sources: np.ndarray, size: int, progress: Progress
) -> tuple[np.ndarray, bool]:
    """Sum over all passes: int64 (2, size), and whether `size` was too short."""
    totals = np.zeros((2, size), np.int64)

    def work(batch: np.ndarray) -> tuple[np.ndarray, bool]:
        old, new = np.empty((2, len(indptr) - 1, SOURCES // 64), np.uint64)
        counts = np.zeros((2, size), np.int64)
        status = count_hops(indptr, indices, batch, endpoints, old, new, counts[0], counts[1])
        counts[1] *= endpoints[batch[0]]
        return counts, status < 0

    done = 0
    for counts, too_short in on_all_cores(work, ((batch,) for batch in _batches(sources, endpoints))):
        if too_short:
            return totals, True
        totals += counts
        done += int(counts[0, 0])
        progress("distances", done, len(sources))
    return totals, False


def _batches(sources: np.ndarray, endpoints: np.ndarray) -> Iterator[np.ndarray]:
    """Split the sources into passes of routers with equal numbers of endpoints, a common factor of their pairs."""
    for weight in np.unique(endpoints[sources]):
        alike = sources[endpoints[sources] == weight]
        for start in range(0, len(alike), SOURCES):
            yield alike[start : start + SOURCES]


def _mean(counts: np.ndarray) -> float:
    pairs = int(counts[1:].sum())
    return float((counts * np.arange(len(counts))).sum() / pairs) if pairs else 0.0


def girth(topology: Topology) -> int | None:
    """Return the length of the shortest cycle; 2 with parallel links, None without cycles.

    Breadth-first search from every router (one in vertex-transitive networks), truncated at the best cycle so far.

    References
    ----------
    .. [1] A. Itai, M. Rodeh, "Finding a minimum circuit in a graph", SIAM J. Computing 7, 1978.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> girth(build("projective", q=3))
    6
    """
    routers = topology.router_count
    sources = np.arange(1 if is_vertex_transitive(topology) else routers)
    distance, parent, queue = np.full(routers, -1, np.int32), np.empty(routers, np.int32), np.empty(routers, np.int32)
    return int(shortest_cycle(topology.indptr, topology.indices, topology.link, sources, distance, parent, queue)) or None
