"""Bisection by endpoints: links between two halves of the endpoints, where routers without endpoints may be on either side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow

from planner.domain.model import Topology
from planner.network.metrics.bisection import bisection
from planner.network.metrics.graph import adjacency
from planner.network.metrics.planes import plane_of, planes


def endpoint_cut(topology: Topology, *, starts: int = 4) -> int | None:
    """Return the number of links of the best cut found between two halves of the endpoints; None without endpoints.

    Where all routers have the same number of endpoints this is the cut between halves of the routers. In trees, leaf–spine
    networks and Megaflies it is larger: half of the routers may have few of the endpoints. An upper bound of the bisection.

    Parameters
    ----------
    starts
        Number of halves from METIS, with its seeds 0, 1 …, next to those in the order of the routers.

    Notes
    -----
    The halves are those of the routers with endpoints; all others are on the side of a minimum cut between the two [1]. Halves
    differ by the endpoints of one router at most, as far as METIS keeps that balance.

    References
    ----------
    .. [1] L. Ford, D. Fulkerson, "Maximal flow through a network", Canadian J. Mathematics 8, 1956.

    Examples
    --------
    A fat tree with full bisection bandwidth: a link for each endpoint of a half.

    >>> from planner.network.topology import build
    >>> endpoint_cut(build("fattree", k=8)), build("fattree", k=8).endpoint_count
    (256, 512)
    """
    if (plane := planes(topology)).any():
        # Nodes have a port in each of the planes, which are halved one by one.
        cuts = [endpoint_cut(plane_of(topology, plane == number), starts=starts) for number in np.unique(plane)]
        return sum(cut for cut in cuts if cut is not None)
    ends = topology.endpoints_of.astype(np.int64)
    if not ends.any() or not topology.link_count:
        return None
    if (ends == ends[0]).all():
        return bisection(topology, starts=starts).upper
    return min(_cut(topology, side) for side in _halves(topology, ends, starts))


def _halves(topology: Topology, ends: np.ndarray, starts: int) -> Iterator[np.ndarray]:
    """Yield sides of the routers with endpoints, 0 or 1, and -1 for all others, int64 (R,)."""
    import pymetis

    first = np.where(np.cumsum(ends) - ends // 2 <= ends.sum() // 2, 0, 1)
    yield np.where(ends > 0, first, -1)
    matrix = adjacency(topology)
    graph = pymetis.CSRAdjacency(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
    for seed in range(starts):
        weights = {"vweights": ends.tolist(), "eweights": matrix.data.astype(int).tolist()}
        _, part = pymetis.part_graph(2, graph, **weights, options=pymetis.Options(seed=seed, ufactor=1))
        side = np.array(part)
        # As far from equal halves as one router makes it.
        if abs(int(ends[side == 0].sum()) - int(ends[side == 1].sum())) <= int(ends.max()):
            yield np.where(ends > 0, side, -1)


def _cut(topology: Topology, side: np.ndarray) -> int:
    """Return the links of the minimum cut that separates two sets of routers."""
    count = topology.router_count
    a, b = topology.links.T.astype(np.int64)
    source, sink = count, count + 1
    first, second = np.flatnonzero(side == 0), np.flatnonzero(side == 1)
    without_limit = topology.link_count + 1
    tail = np.concatenate([a, b, np.full(len(first), source), second])
    head = np.concatenate([b, a, first, np.full(len(second), sink)])
    capacity = np.concatenate([np.ones(2 * len(a), np.int32), np.full(len(first) + len(second), without_limit, np.int32)])
    graph = coo_array((capacity.astype(np.int32), (tail, head)), shape=(count + 2, count + 2)).tocsr()
    graph.sum_duplicates()
    return int(maximum_flow(graph, source, sink).flow_value)
