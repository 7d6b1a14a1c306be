"""Cabinets of two routers: pairs by a maximum-weight matching of the link graph."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from planner.model import Topology
from planner.placement.packing._capacity import Capacity
from planner.placement.packing._items import Items, items_of
from planner.placement.packing.partition import improved

_TIED_ROUTERS = 1200
"""Above, common neighbors are left out of the exact matching: they make it tens of times slower."""
_EXACT_ROUTERS = 4000
"""Above, the matching is greedy."""


def pack(
    topology: Topology,
    capacity: Capacity,
    members: np.ndarray,
    *,
    seed: int = 0,
    tied_routers: int = _TIED_ROUTERS,
    exact_routers: int = _EXACT_ROUTERS,
) -> list[np.ndarray]:
    """Pair routers so that most links stay inside cabinets; of equal ones, those with most common neighbors.

    Routers that find no partner are paired in order. Routers that do not fit into one cabinet are
    never paired.

    Parameters
    ----------
    tied_routers
        Up to so many routers common neighbors decide between matchings with equally many links.
    exact_routers
        Up to so many routers the matching has the most links there can be; above it is greedy, with
        common neighbors, and then improved by exchanges.

    References
    ----------
    .. [1] Z. Galil, "Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys 18, 1986.
    """
    items = items_of(topology, members)
    pairs, links, common = _candidates(items, capacity)
    # One link more outweighs all common neighbors of a whole matching.
    weight = links * (items.count * (common.max(initial=0) + 1)) + common
    exact = len(members) <= exact_routers
    if exact and len(members) > tied_routers:
        weight = links
    mate = _maximum(len(members), pairs, weight) if exact else _greedy(len(members), pairs, weight)
    label = _labels(items, capacity, mate)
    if not exact:
        label = improved(items, capacity, label)
    return items.cabinets(label) if len(members) else []


def _candidates(items: Items, capacity: Capacity) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Linked pairs that fit, int64 (P, 2), their parallel links and their common neighbors, int64 (P,)."""
    size = (items.count, items.count)
    links = csr_array((items.links, items.indices, items.indptr), shape=size)
    one = csr_array((np.ones(len(items.indices), np.int64), items.indices, items.indptr), shape=size)
    owner = np.repeat(np.arange(items.count), np.diff(items.indptr))
    pairs = np.column_stack([owner, items.indices])
    up = pairs[:, 0] < pairs[:, 1]
    pairs, count = pairs[up], links.data[up]
    fits = capacity.fits(items.content[pairs[:, 0]] + items.content[pairs[:, 1]])
    pairs, count = pairs[fits], count[fits]
    if not len(pairs):
        return pairs, count, count
    return pairs, count, np.asarray((one @ one)[pairs[:, 0], pairs[:, 1]]).ravel()


def _maximum(count: int, pairs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(a, b, w) for (a, b), w in zip(pairs.tolist(), weight.tolist(), strict=True)])
    mate = np.full(count, -1)
    for a, b in sorted(rustworkx.max_weight_matching(graph, weight_fn=int)):
        mate[a], mate[b] = b, a
    return mate


def _greedy(count: int, pairs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Heaviest pair first; of equal ones, routers with few candidates first, that they may find a partner."""
    mate = [-1] * count
    degree = np.bincount(pairs.ravel(), minlength=count)[pairs]
    for a, b in pairs[np.lexsort((degree.max(axis=1), degree.min(axis=1), -weight))].tolist():
        if mate[a] < 0 and mate[b] < 0:
            mate[a], mate[b] = b, a
    return np.array(mate)


def _labels(items: Items, capacity: Capacity, mate: np.ndarray) -> np.ndarray:
    """Number the pairs; a left-over router takes the first later one that fits."""
    left = np.flatnonzero(mate < 0).tolist()
    mate = mate.copy()
    while left:
        a = left.pop(0)
        fits = capacity.fits(items.content[left] + items.content[a]) if left else np.empty(0, bool)
        if fits.any():
            b = left.pop(int(fits.argmax()))
            mate[a], mate[b] = b, a
        else:
            mate[a] = a
    first = np.minimum(np.arange(len(mate)), mate)
    return np.unique(first, return_inverse=True)[1].ravel().astype(np.int64)
