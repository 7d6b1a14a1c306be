"""Partition by METIS, then exact repair of all limits and improvement by exchanges."""

from __future__ import annotations

import numpy as np

from planner.core import seeds
from planner.design.placement.packing.cabinets import exchange as kernel
from planner.design.placement.packing.cabinets.capacity import Capacity, fill
from planner.design.placement.packing.cabinets.items import Items, items_of
from planner.domain.model import Topology

_PASSES = 20
_TRIES = 4
_RECURSIVE_ITEMS = 2000


def pack(
    topology: Topology,
    capacity: Capacity,
    members: np.ndarray,
    *,
    seed: int = 0,
    whole: np.ndarray | None = None,
    apart: tuple = (),
) -> list[np.ndarray]:
    """Use few cabinets with few links between them.

    If all routers are alike, the number of cabinets is minimal. Otherwise first fit, heaviest first,
    gives an upper bound, and smaller numbers are tried from a lower bound up.

    Parameters
    ----------
    whole
        Routers of equal label stay together, int64 (R,).
    apart
        Sets of routers of which no two may share a cabinet.

    References
    ----------
    .. [1] G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
       graphs", SIAM J. Scientific Computing 20, 1998.
    .. [2] B. Kernighan, S. Lin, "An efficient heuristic procedure for partitioning graphs", Bell System
       Technical Journal 49, 1970.
    """
    items = items_of(topology, members, whole, apart)
    return items.cabinets(partition(items, capacity, seed)) if len(members) else []


def partition(items: Items, capacity: Capacity, seed: int) -> np.ndarray:
    """Return the cabinet of each item, int64 (U,)."""
    start = first_fit(items, capacity)
    upper = int(start.max()) + 1
    lower = max(1, capacity.min_cabinets(items.content))
    whole = None
    for count in range(lower, min(lower + _TRIES, upper + 1)):
        whole = split(items, capacity, count, seed)
        if whole is not None:
            break
    # Ids often follow the structure of a family, and may then be better than METIS.
    starts = [start, _by_id(items, capacity)]
    found = [improved(items, capacity, label) for label in starts] + ([] if whole is None else [whole])
    return min(found, key=lambda label: (len(np.unique(label)), -items.inside(label)))


def split(items: Items, capacity: Capacity, count: int, seed: int) -> np.ndarray | None:
    """Partition into `count` cabinets; None if the partition of METIS cannot be repair_limits to keep all limits."""
    label = _metis(items, capacity, count, seed)
    if not repair_limits(items, capacity, label, count):
        return None
    return improved(items, capacity, label)


def first_fit(items: Items, capacity: Capacity) -> np.ndarray:
    """Return the cabinet of each item by first fit, heaviest first, int64 (U,)."""
    content = items.content
    order = np.argsort(-capacity.share(content), kind="stable")
    label = np.full(len(content), -1)
    load = np.zeros_like(content)
    foes = items.foe_indptr, items.foe_indices
    kernel.first_fit(order, content.min(axis=0), label, load, content, *foes, capacity.per_box, capacity.table)
    return label


def _by_id(items: Items, capacity: Capacity) -> np.ndarray:
    if len(items.foe_indices):
        return first_fit(items, capacity)
    starts = fill(items.content, capacity)
    return np.repeat(np.arange(len(starts)), np.diff(np.append(starts, items.count)))


def repair_limits(items: Items, capacity: Capacity, label: np.ndarray, count: int) -> bool:
    """Move items, in place, until every cabinet keeps all limits; return False if that fails."""
    total = len(label)
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(count + 1))
    head, after, before = np.full(count, -1), np.full(total, -1), np.full(total, -1)
    filled = np.flatnonzero(np.diff(starts))
    head[filled] = order[starts[filled]]
    chained = label[order[1:]] == label[order[:-1]]
    after[order[:-1][chained]] = order[1:][chained]
    before[order[1:][chained]] = order[:-1][chained]
    load, near = _load(items, label, count), np.zeros(count, np.int64)
    return bool(kernel.repair(label, load, near, head, after, before, *items.graph, capacity.per_box, capacity.table))


def improved(items: Items, capacity: Capacity, label: np.ndarray) -> np.ndarray:
    """Return the labels after greedy moves and exchanges until there is no gain, int64 (U,)."""
    label = label.copy()
    count = int(label.max()) + 1
    light = items.content.min(axis=0)
    width = max(int(np.bincount(label).max()), min(len(label), capacity.max_count(light))) + 1
    members = np.full((count, width), -1)
    order = np.argsort(label, kind="stable")
    place = np.empty(len(label), np.int64)
    place[order] = np.arange(len(label)) - np.searchsorted(label[order], label[order])
    members[label, place] = np.arange(len(label))
    load, near = _load(items, label, count), np.zeros(count, np.int64)
    for _ in range(_PASSES):
        if not kernel.exchange(label, load, near, members, place, *items.graph, capacity.per_box, capacity.table):
            break
    return label


def _load(items: Items, label: np.ndarray, count: int) -> np.ndarray:
    load = np.zeros((count, 3), np.int64)
    np.add.at(load, label, items.content)
    return load


def _metis(items: Items, capacity: Capacity, count: int, seed: int) -> np.ndarray:
    total = items.count
    if count <= 1 or not len(items.indices) or count >= total:
        return np.arange(total) * count // total
    import pymetis

    # Utilization of the tightest limit, in thousandths so that sums stay far below 2**31.
    size = np.maximum(1, np.rint(capacity.share(items.content) * 1000)).astype(np.int64)
    if (size == size[0]).all():
        size = np.ones_like(size)
    graph = pymetis.CSRAdjacency(items.indptr, items.indices)
    options = pymetis.Options(seed=int(seeds.stream(seed, "packing.partition").integers(1 << 30)), ufactor=1)
    _, part = pymetis.part_graph(
        count,
        graph,
        eweights=items.links,
        vweights=size,
        recursive=total >= _RECURSIVE_ITEMS or count <= 8,
        options=options,
    )
    return np.asarray(part, np.int64)
