"""What a cable of a given run length costs, by what it joins and the trays it takes."""

from __future__ import annotations

import numpy as np

from planner.model import CablePlan, Catalog, Topology
from planner.pricelist import Preference, PriceList, price_list


class Prices:
    """Price lists of the rows of a cable plan.

    A row with a cage of its own at both ends is bought anew at any length; a row that shares a cage or a cable keeps its
    assembly, since what shares a cage needs transceivers of one sort. What a trunk carries does not depend on these runs.

    Attributes
    ----------
    list_of
        Number of the price list of each row, int64 (W,).
    """

    def __init__(self, topology: Topology, catalog: Catalog, cables: CablePlan, shared_trays: bool, prefer: Preference):
        self._run = cables.run_mm.astype(np.int64)
        self._carried = cables.carried
        is_endpoint = np.arange(cables.cable_count) >= topology.link_count
        open_choice = 2 * is_endpoint + (0 if shared_trays else cables.way)
        alone = (_together(cables) == 1) & (np.bincount(cables.piece)[cables.piece] == 1 if cables.cable_count else True)
        self.list_of = np.where(alone, open_choice, 4 + cables.assembly)
        self._lists: dict[int, PriceList] = {}
        for number in np.unique(self.list_of).tolist():
            if number < 4:
                offered = catalog.endpoint_assemblies if number >= 2 else catalog.link_assemblies
                kept = [a for a in offered if shared_trays or (a.medium == "optical") == bool(number % 2)]
            else:
                kept = [cables.assemblies[number - 4]]
            self._lists[number] = price_list(kept, prefer)

    def of(self, rows: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return the prices of what some rows ride on at these run lengths in cents, int64 in the shape of `run_mm` (n, …)."""
        price = np.zeros(run_mm.shape, np.int64)
        for number, offers in self._lists.items():
            mine = (self.list_of[rows] == number) & ~self._carried[rows]
            price[mine] = offers.price_of(run_mm[mine])
        return price

    def misses(self, within_mm: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return by how much each cable misses the shorter part, what that would save (0: none), and its length, int64 (W,)."""
        over, saving, stock = (np.zeros(len(self._run), np.int64) for _ in range(3))
        for number, offers in self._lists.items():
            mine = np.flatnonzero((self.list_of == number) & ~self._carried)
            row = np.minimum(np.searchsorted(offers.limit_mm, self._run[mine]), len(offers.limit_mm) - 1)
            before = np.maximum(row - 1, 0)
            over[mine] = self._run[mine] - offers.limit_mm[before]
            gain = offers.price_cents[row] - offers.price_cents[before]
            saving[mine] = np.where((row > 0) & (over[mine] > 0) & (over[mine] <= within_mm), np.maximum(gain, 0), 0)
            stock[mine] = offers.stock_mm[before]
        return over, saving, stock


def _together(cables: CablePlan) -> np.ndarray:
    """Return how many rows plug into the fuller of the two cages of each row, int64 (W,)."""
    ends = np.column_stack([cables.cabinet.ravel(), cables.unit.ravel(), cables.cage.ravel()])
    if not len(ends):
        return np.zeros(0, np.int64)
    _, socket, count = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    return count[socket.ravel()].reshape(-1, 2).max(axis=1)
