"""Relaxed problem of all bounds: items with links between them, and slots with a capacity.

Items are routers, or whole cabinets if no router may leave its cabinet. A bound may relax constraints
(suitable slots, fixed routers, groups that stay together), which only lowers its value. It keeps the
maximum number of routers per cabinet of the initial layout, since moves swap routers or whole cabinets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import coo_array, csr_array

from planner.design.placement.model.cost import SlotCost
from planner.design.placement.model.problem import PlacementProblem
from planner.network.metrics.spectrum import smooth_modes


@dataclass(frozen=True, eq=False)
class Items:
    """Items and their slots.

    Attributes
    ----------
    weight
        Number of links between every two items, int64 (N, N), symmetric, with zero diagonal.
    capacity
        Maximum number of items per slot.
    slots
        Usable slots, ascending, int64 (E,).
    within
        Number of links inside items.
    inside
        Number of links inside cabinets, if fixed.
    cost, xy
        Cost between slots; place of each slot, int (S, 2).
    """

    weight: csr_array
    capacity: int
    slots: np.ndarray
    within: int
    inside: int | None
    cost: SlotCost
    xy: np.ndarray

    @property
    def count(self) -> int:
        return self.weight.shape[0]

    @cached_property
    def degree(self) -> np.ndarray:
        """Number of links of each item to others, int64 (N,)."""
        return np.asarray(self.weight.sum(axis=1)).ravel().astype(np.int64)

    @cached_property
    def links(self) -> int:
        """Number of links between items."""
        return int(self.degree.sum()) // 2

    @cached_property
    def connectivity(self) -> float:
        """Lower bound of the second smallest eigenvalue of the Laplacian; 0 for disconnected networks."""
        if self.count < 2 or not self.links:
            return 0.0
        values, _, error = smooth_modes(self.weight.astype(np.float64), 1)
        return max(0.0, float(values[0]) - error - 1e-9 * 2 * float(self.degree.max()))

    @cached_property
    def inside_cost(self) -> np.ndarray:
        """Cost of a link inside a cabinet in each slot of `slots`, int64 (E,)."""
        return self.cost.between(self.slots, self.slots)

    @property
    def within_cost(self) -> int:
        """Minimum cost of the links inside items."""
        return self.within * int(self.inside_cost.min())

    def sorted_weights(self) -> np.ndarray:
        """Return the numbers of links of each item to its neighbors, largest first, int64 (N, maximum degree)."""
        neighbors = np.diff(self.weight.indptr)
        dense = np.zeros((self.count, int(neighbors.max(initial=0))), np.int64)
        item = np.repeat(np.arange(self.count), neighbors)
        dense[item, np.arange(len(item)) - self.weight.indptr[item]] = self.weight.data
        return -np.sort(-dense, axis=1)

    def place_cost(self) -> np.ndarray:
        """Return the cost between places, int64 (E x capacity, E x capacity); every slot has `capacity` places."""
        between = self.cost.between(self.slots[:, None], self.slots[None, :])
        return np.repeat(np.repeat(between, self.capacity, axis=0), self.capacity, axis=1)

    @property
    def places(self) -> int:
        return len(self.slots) * self.capacity


_VIEWS: WeakKeyDictionary[PlacementProblem, list[Items]] = WeakKeyDictionary()
"""Cache of the items, since bounds share their expensive eigenvalue."""


def views(problem: PlacementProblem) -> list[Items]:
    """Return the relaxed problem of routers, and, if cabinets stay unchanged, that of cabinets."""
    if problem not in _VIEWS:
        _VIEWS[problem] = _views(problem)
    return _VIEWS[problem]


def _views(problem: PlacementProblem) -> list[Items]:
    _, cabinet = np.unique(problem.start, return_inverse=True)
    a, b = problem.topology.links.T.astype(np.int64)
    stay = bool(problem.cabinets_stay)
    inside = int((cabinet[a] == cabinet[b]).sum())
    slots = np.union1d(problem.slots, problem.start)
    rest: dict[str, Any] = {"slots": slots, "inside": inside if stay else None, "cost": problem.cost, "xy": problem.room.slot_xy}
    fullest = int(np.bincount(cabinet).max())
    found = [Items(_weights(a, b, problem.topology.router_count), fullest, within=0, **rest)]
    if stay and fullest > 1:
        found.append(Items(_weights(cabinet[a], cabinet[b], int(cabinet.max()) + 1), 1, within=inside, **rest))
    return found


def _weights(a: np.ndarray, b: np.ndarray, count: int) -> csr_array:
    a, b = a[a != b], b[a != b]
    ends = np.concatenate([a, b]), np.concatenate([b, a])
    graph = coo_array((np.ones(2 * len(a), np.int64), ends), shape=(count, count)).tocsr()
    graph.sum_duplicates()
    return graph
