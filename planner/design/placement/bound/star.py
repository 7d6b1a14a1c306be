"""Star bound: half the sum over routers of the minimum cost of their links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.design.placement.bound.relaxation.items import Items, views
from planner.design.placement.model.problem import PlacementProblem

_BLOCK = 1 << 22
_ASSIGNED = 2000


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound, for any number of routers and any cost.

    A relaxation of the Gilmore-Lawler bound: the neighbors of a router occupy places in its own slot and in
    the cheapest other slots, the largest weights in the cheapest places. Routers choose slots within their
    capacity; if there are many routers of different kinds, each kind is treated separately.

    References
    ----------
    .. [1] P. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem", J. SIAM 10, 1962.
    .. [2] E. Lawler, "The quadratic assignment problem", Management Science 9, 1963.
    """
    return max(_bound(items) for items in views(problem))


def _bound(items: Items) -> int:
    if not items.links:
        return items.within_cost
    kinds, count = np.unique(items.sorted_weights(), axis=0, return_counts=True)
    if len(kinds) > 1 and items.count <= _ASSIGNED and items.places <= 2 * _ASSIGNED:
        twice = _assigned(items, kinds, count)
    else:
        cheapest = _cheapest(items, kinds, count)
        twice = sum(int(cheapest[kind, :number].sum()) for kind, number in enumerate(count)) if len(kinds) else 0
    return items.within_cost - (-twice // 2)


def _costs(items: Items, kinds: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return the cost of the star of every kind in some of the usable slots, int64 (kinds, part); exact below 2**53."""
    slots, width = items.slots, kinds.shape[1]
    between = items.cost.between(slots[part, None], slots[None, :])
    own = between[np.arange(len(part)), part]
    between[np.arange(len(part)), part] = np.iinfo(np.int64).max
    others = min(len(slots) - 1, -(-width // items.capacity))
    between = np.partition(between, others - 1, axis=1)[:, :others] if others else between[:, :0]
    places = np.hstack([np.repeat(own[:, None], items.capacity - 1, axis=1), np.repeat(between, items.capacity, axis=1)])
    places.sort(axis=1)
    places = places[:, :width]
    return np.rint(kinds[:, : places.shape[1]].astype(np.float64) @ places.T.astype(np.float64)).astype(np.int64)


def _blocks(items: Items) -> Iterator[np.ndarray]:
    count = len(items.slots)
    for first in range(0, count, rows := max(1, _BLOCK // count)):
        yield np.arange(first, min(first + rows, count))


def _assigned(items: Items, kinds: np.ndarray, count: np.ndarray) -> int:
    """Return the minimum sum over all assignments of routers to places."""
    from scipy.optimize import linear_sum_assignment

    cost = np.hstack([_costs(items, kinds, part) for part in _blocks(items)])
    cost = np.repeat(np.repeat(cost, count, axis=0), items.capacity, axis=1)
    return int(cost[linear_sum_assignment(cost)].sum())


def _cheapest(items: Items, kinds: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the costs of the cheapest places of each kind, up to the number of routers of the largest kind, ascending."""
    kept = np.empty((len(kinds), 0), np.int64)
    for part in _blocks(items):
        places = np.repeat(_costs(items, kinds, part), items.capacity, axis=1)
        kept = np.sort(np.hstack([kept, places]), axis=1)[:, : count.max()]
    return kept
