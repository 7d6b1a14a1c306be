"""Groups stay together: the finest groups that fit are never split; groups of one parent share cabinets."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from planner.design.placement.packing.cabinets.capacity import Capacity, contents, fill
from planner.design.placement.packing.cabinets.items import items_of
from planner.design.placement.packing.partition import split
from planner.domain.model import Topology


def pack(
    topology: Topology,
    capacity: Capacity,
    members: np.ndarray,
    *,
    seed: int = 0,
    cut: Literal["links", "ids"] = "links",
) -> list[np.ndarray]:
    """Keep every finest group that fits into one cabinet whole, and cut larger ones into equal parts.

    From the finest level up, items of one parent share cabinets in order as long as they fit, then
    those of different parents.

    Parameters
    ----------
    cut
        How an oversized group is cut: by its links, unless cutting by id keeps as many links
        inside, or by id only.
    """
    if not len(members):
        return []
    keys = levels(topology, members)
    order = np.lexsort((members, *keys.T))
    ordered, keys = members[order], keys[order]
    ordered, starts = _finest(topology, capacity, ordered, keys[:, 0] if keys.shape[1] else np.zeros(len(ordered)), seed, cut)
    content = contents(topology, ordered)
    for level in range(1, keys.shape[1]):
        starts = starts[fill(np.add.reduceat(content, starts), capacity, _ends(keys[starts, level]))]
    starts = starts[fill(np.add.reduceat(content, starts), capacity)]
    return np.split(ordered, starts[1:])


def in_order(topology: Topology, members: np.ndarray) -> np.ndarray:
    """Return the routers ordered by group, coarsest level first, int64 (n,)."""
    return members[np.lexsort((members, *levels(topology, members).T))]


def levels(topology: Topology, members: np.ndarray) -> np.ndarray:
    """Return the groups of routers as numbers by first appearance, finest level first, int64 (n, G).

    Levels above one whose groups are not unions of groups of the level below are ignored, including that level.
    """
    kept: list[np.ndarray] = []
    for group in topology.group[members].T:
        key = _by_appearance(group)
        if kept and len(np.unique(np.column_stack([kept[-1], key]), axis=0)) != len(np.unique(kept[-1])):
            break
        kept.append(key)
    return np.column_stack(kept) if kept else np.empty((len(members), 0), np.int64)


def whole(topology: Topology, capacity: Capacity, members: np.ndarray) -> np.ndarray:
    """Return a label of each router, equal in finest groups that fit into one cabinet, int64 (R,)."""
    count = topology.router_count
    label = np.arange(count)
    if topology.group.shape[1]:
        key = np.unique(topology.group[members, 0], return_inverse=True)[1].ravel()
        content = np.zeros((int(key.max(initial=-1)) + 1, 3), np.int64)
        np.add.at(content, key, contents(topology, members))
        label[members] = np.where(capacity.fits(content)[key], count + key, members)
    return label


def _finest(
    topology: Topology, capacity: Capacity, ordered: np.ndarray, key: np.ndarray, seed: int, cut: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the routers, reordered inside groups that must be cut, and the start of each part."""
    starts = np.append(0, np.flatnonzero(np.diff(key)) + 1)
    fits = capacity.fits(np.add.reduceat(contents(topology, ordered), starts))
    ordered, ends, found = ordered.copy(), np.append(starts[1:], len(ordered)), [starts]
    known: dict[tuple, np.ndarray] = {}
    for number in np.flatnonzero(~fits):
        start, end = starts[number], ends[number]
        parts = _parts(topology, capacity, ordered[start:end], seed, cut, known)
        ordered[start:end] = np.concatenate(parts)
        found.append(start + np.cumsum([len(part) for part in parts])[:-1])
    return ordered, np.sort(np.concatenate(found))


def _parts(
    topology: Topology, capacity: Capacity, members: np.ndarray, seed: int, cut: str, known: dict[tuple, np.ndarray]
) -> list[np.ndarray]:
    """Cut one group into the minimum number of equal parts, along few links; isomorphic inputs are cut alike."""
    content = contents(topology, members)
    total = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(content, axis=0)])
    for count in range(max(2, capacity.min_cabinets(content)), len(members) + 1):
        edges = _edges(len(members), count)
        if capacity.fits(total[edges[1:]] - total[edges[:-1]]).all():
            break
    if cut == "ids":
        return np.split(members, edges[1:-1])
    by_id = np.repeat(np.arange(count), np.diff(edges))
    items = items_of(topology, members)
    key = tuple(array.tobytes() for array in (items.content, items.indptr, items.indices, items.links))
    if key not in known:
        equal = replace(capacity, routers=int(np.diff(edges).max()))
        label = split(items, equal, count, seed)
        known[key] = by_id if label is None or items.inside(label) <= items.inside(by_id) else label
    return items.cabinets(known[key])


def _edges(total: int, count: int) -> np.ndarray:
    """Return the first member of each of `count` equal parts, and the end; larger parts first, int64 (count + 1,)."""
    part = np.arange(count + 1)
    return part * (total // count) + np.minimum(part, total % count)


def _ends(parent: np.ndarray) -> np.ndarray:
    """Return the end of the run of equal parents of each part, int64 (n,)."""
    change = np.append(np.flatnonzero(np.diff(parent)) + 1, len(parent))
    return change[np.searchsorted(change, np.arange(len(parent)), side="right")]


def _by_appearance(label: np.ndarray) -> np.ndarray:
    """Number labels by first appearance, int64 (n,)."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]
