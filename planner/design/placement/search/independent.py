"""Independent sets of items, and optimal places for all items of a set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array, csr_array

from planner.design.placement.model.problem import PlacementProblem

DRAWN = 16
"""Number of candidates drawn per item of a set."""
EMPTY = 4
"""Number of empty slots offered per item of a set."""


class Sets:
    """Cabinets or routers as items: draws sets without links between items, and reinserts them optimally.

    Parameters
    ----------
    problem
        The problem; with cabinets as items, routers that share a slot in the initial layout stay together.
    whole
        Whether items are cabinets instead of routers.
    """

    def __init__(self, problem: PlacementProblem, *, whole: bool):
        self.problem, self.whole = problem, whole
        slot_of, first, cabinet = np.unique(problem.start, return_index=True, return_inverse=True)
        routers = np.arange(problem.topology.router_count)
        self._item, self._first = (cabinet.ravel(), first) if whole else (routers, routers)
        self._movable = np.flatnonzero(~(problem.fixed_slots[slot_of] if whole else problem.fixed))
        count = len(self._first)
        a, b = self._item[problem.topology.links.T]
        self._inside = np.bincount(a[a == b], minlength=count)
        a, b = a[a != b], b[a != b]
        ends = np.concatenate([a, b]), np.concatenate([b, a])
        self._links = coo_array((np.ones(2 * len(a), np.int64), ends), shape=(count, count)).tocsr()
        self._links.sum_duplicates()
        self._kin = problem.topology.group[:, 0].astype(np.int64) if problem.apart_price and not whole else None
        self._demand = problem.demand[slot_of]

    def improved(self, layout: np.ndarray, draw: np.random.Generator, max_items: int) -> tuple[np.ndarray, int, int]:
        """Reinsert one set of up to `max_items` items; return the layout, the saving, and the number of items."""
        slot = layout[self._first]
        chosen = self.independent_block(draw, max_items)
        gain = 0
        for items, places in self._blocks(chosen, slot, draw, max_items):
            cost = self._cost(items, places, slot)
            barred = self._barred(items, places)
            here = cost[np.arange(len(items)), np.arange(len(items))].sum()
            row, column = linear_sum_assignment(np.where(barred, np.inf, cost))
            less = int(here - cost[row, column].sum())
            if less > 0:
                slot[items[row]] = places[column]
                gain += less
        return (slot[self._item] if gain else layout), gain, len(chosen)

    def independent_block(self, draw: np.random.Generator, max_items: int) -> np.ndarray:
        """Return a random set of movable items without links and group penalties between them, int64 (k,)."""
        links, kin = self._links, self._kin
        blocked = np.zeros(links.shape[0], bool)
        taken: set[int] = set()
        chosen = []
        for item in draw.permutation(self._movable)[: DRAWN * max_items].tolist():
            if blocked[item] or (kin is not None and int(kin[item]) in taken):
                continue
            chosen.append(item)
            blocked[links.indices[links.indptr[item] : links.indptr[item + 1]]] = True
            if kin is not None:
                taken.add(int(kin[item]))
            if len(chosen) == max_items:
                break
        return np.array(chosen, np.int64)

    def _blocks(
        self, chosen: np.ndarray, slot: np.ndarray, draw: np.random.Generator, max_items: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield independent blocks of items and their candidate slots, own slots first."""
        if self.whole:
            empty = draw.permutation(np.setdiff1d(self.problem.slots, slot))[: EMPTY * max_items]
            if len(chosen) > 1 or (len(chosen) and len(empty)):
                yield chosen, np.concatenate([slot[chosen], empty])
            return
        swap_class = self.problem.swap_class[chosen]
        for number in np.unique(swap_class):
            items = chosen[swap_class == number]
            if len(items) > 1:
                yield items, slot[items]

    def _cost(self, items: np.ndarray, places: np.ndarray, slot: np.ndarray) -> np.ndarray:
        """Return the cost of each item in each place, other items unchanged, int64 (k, P)."""
        cost, links = self.problem.search_cost, self._links[items]
        near, column = np.unique(slot[links.indices], return_inverse=True)
        toward = csr_array((links.data, column.ravel(), links.indptr), shape=(len(items), len(near)))
        total = toward @ cost.between(near[:, None], places[None, :])
        total += self._inside[items][:, None] * cost.between(places, places)
        if self._kin is not None:
            groups, row = np.unique(self._kin[items], return_inverse=True)
            stand = np.zeros((len(groups), self.problem.room.slot_count), np.int64)
            members = np.flatnonzero(np.isin(self._kin, groups))
            np.add.at(stand, (np.searchsorted(groups, self._kin[members]), slot[members]), 1)
            mates = stand[row.ravel()][:, places] - (slot[items][:, None] == places)
            total -= self.problem.apart_price * mates
        return total

    def _barred(self, items: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return whether a slot does not carry a cabinet, bool (k, P); its own slot is always allowed."""
        if not self.whole:
            return np.zeros((len(items), len(places)), bool)
        barred = ~self.problem.packing.allowed[self._demand[items]][:, places]
        barred[np.arange(len(items)), np.arange(len(items))] = False
        return barred
