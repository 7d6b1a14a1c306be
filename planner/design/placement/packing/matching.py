"""Cabinets of two routers: pairs by a maximum-weight matching of the link graph."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from planner.design.placement.packing.cabinets.capacity import Capacity
from planner.design.placement.packing.cabinets.items import Items, items_of
from planner.design.placement.packing.partition import improved
from planner.domain.model import Topology

_TIED_ROUTERS = 1200
"""Maximum number of routers for common neighbors as tie-breaker, which makes the exact matching tens of times slower."""
_EXACT_ROUTERS = 4000
"""Maximum number of routers for an exact matching; above, it is greedy."""


def pack(
    topology: Topology,
    capacity: Capacity,
    members: np.ndarray,
    *,
    seed: int = 0,
    tied_routers: int = _TIED_ROUTERS,
    exact_routers: int = _EXACT_ROUTERS,
) -> list[np.ndarray]:
    """Pair routers to maximize the links inside cabinets, with common neighbors as tie-breaker.

    Unmatched routers are paired in order. Routers that do not fit into one cabinet are never paired.

    Parameters
    ----------
    tied_routers
        Maximum number of routers for which common neighbors break ties.
    exact_routers
        Maximum number of routers for an exact matching; above, it is greedy, with common neighbors, and
        then improved by exchanges.

    References
    ----------
    .. [1] Z. Galil, "Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys 18, 1986.
    """
    items = items_of(topology, members)
    pairs, links, common = _candidates(items, capacity)
    # One link outweighs all common neighbors of a matching.
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
    """Return linked pairs that fit, int64 (P, 2), their parallel links and their common neighbors, int64 (P,)."""
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
    # The matching of networkx takes a hundred times as long: 10 s for 1,200 routers, minutes for 4,000.
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(a, b, w) for (a, b), w in zip(pairs.tolist(), weight.tolist(), strict=True)])
    mate = np.full(count, -1)
    for a, b in sorted(rustworkx.max_weight_matching(graph, weight_fn=int)):
        mate[a], mate[b] = b, a
    return mate


def _greedy(count: int, pairs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Match the heaviest pair first; among equal pairs, routers with few candidates first."""
    mate = [-1] * count
    degree = np.bincount(pairs.ravel(), minlength=count)[pairs]
    for a, b in pairs[np.lexsort((degree.max(axis=1), degree.min(axis=1), -weight))].tolist():
        if mate[a] < 0 and mate[b] < 0:
            mate[a], mate[b] = b, a
    return np.array(mate)


def _labels(items: Items, capacity: Capacity, mate: np.ndarray) -> np.ndarray:
    """Number the pairs; an unmatched router is paired with the first later one that fits."""
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
