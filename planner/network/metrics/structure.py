"""Router orders whose halves are structural cuts: coordinates, groups, and classes closed under links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from planner.domain.model import Topology
from planner.network.metrics.spectrum import smooth_modes

_MAX_CLASSES = 4096


def structural_orders(topology: Topology) -> Iterator[np.ndarray]:
    """Yield orders of the routers, int64 (R,); a cut puts the first half on one side.

    Three kinds: by each coordinate; by each level of groups, with neighboring groups adjacent; and by classes of
    a coordinate's values closed under links between groups. The last kind cuts no such link. In PolarStar with
    Inductive-Quad supernodes the classes are the pairs (a, f(a)) of the supernode's vertices, and the cut has
    (q² + q + 1)(d' + 1)² / 2 links; a remaining class is split along the groups.
    """
    for column in topology.coords.T:
        yield np.argsort(column, kind="stable")
    for group in topology.group.T:
        rank = _smooth_rank(topology, group)[group]
        yield np.argsort(rank, kind="stable")
        for column in topology.coords.T:
            classes = _kept_classes(topology, group, column)
            if classes is not None:
                yield np.lexsort((rank, classes))


def _smooth_rank(topology: Topology, group: np.ndarray) -> np.ndarray:
    """Return the rank of each group along the smoothest vector of the network of groups, int64."""
    count = int(group.max(initial=0)) + 1
    if count < 3:
        return np.arange(count)
    ends = group[topology.links]
    ends = ends[ends[:, 0] != ends[:, 1]]
    both = np.concatenate([ends, ends[:, ::-1]]).T
    matrix = csr_array(coo_array((np.ones(both.shape[1]), (both[0], both[1])), shape=(count, count)))
    if not matrix.nnz:
        return np.arange(count)
    rank = np.empty(count, np.int64)
    rank[np.argsort(smooth_modes(matrix, 1)[1][:, 0], kind="stable")] = np.arange(count)
    return rank


def _kept_classes(topology: Topology, group: np.ndarray, column: np.ndarray) -> np.ndarray | None:
    """Return the class of each router, int32 (R,), if links between groups preserve two or more classes of values, else None."""
    values, place = np.unique(column, return_inverse=True)
    if not 2 <= len(values) <= _MAX_CLASSES:
        return None
    between = group[topology.links[:, 0]] != group[topology.links[:, 1]]
    ends = place[topology.links[between]]
    joined = coo_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(len(values), len(values)))
    count, classes = connected_components(joined, directed=False)
    return classes[place] if between.any() and count > 1 else None
