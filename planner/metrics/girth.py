"""Girth: the length of the shortest cycle."""

from __future__ import annotations

import numpy as np

from planner.kernels.graph.bfs import shortest_cycle
from planner.metrics.graph import is_vertex_transitive
from planner.model import Topology


def girth(topology: Topology) -> int | None:
    """Return the length of the shortest cycle; 2 with parallel links, None without cycles.

    Breadth-first search from every router (one in vertex-transitive networks), truncated at the best cycle so far.

    References
    ----------
    .. [1] A. Itai, M. Rodeh, "Finding a minimum circuit in a graph", SIAM J. Computing 7, 1978.

    Examples
    --------
    >>> from planner.topology import build
    >>> girth(build("projective", q=3))
    6
    """
    routers = topology.router_count
    sources = np.arange(1 if is_vertex_transitive(topology) else routers)
    distance, parent, queue = np.full(routers, -1, np.int32), np.empty(routers, np.int32), np.empty(routers, np.int32)
    return int(shortest_cycle(topology.indptr, topology.indices, topology.link, sources, distance, parent, queue)) or None
