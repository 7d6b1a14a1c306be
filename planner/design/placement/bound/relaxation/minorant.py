"""Minorants of the cost: a constant plus a price for every line between columns or rows that separates two slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from planner.design.placement.bound.relaxation.items import Items

FINE = 1024
"""Fraction of the cost unit for exact integer sums."""

_BLOCK = 1 << 22
_FIRST = 2000


class Spread(NamedTuple):
    """Distribution of items that prices are chosen for: links that cross each line, and links between cabinets."""

    cuts: np.ndarray
    between: int


class Grid:
    """Columns and rows of the usable slots, and the lines between them: first those between columns, then those between rows.

    Attributes
    ----------
    column, row
        Of each slot of `items.slots`, int64 (E,).
    capacity
        Capacity of each column, and of each row, in items.
    step
        Price of each line when each variable of the program is 1, int64 (lines, variables).
    """

    def __init__(self, items: Items, xy: np.ndarray):
        self.items = items
        (self.xs, self.column), (self.ys, self.row) = (np.unique(xy[:, axis], return_inverse=True) for axis in (0, 1))
        self.capacity = tuple(np.bincount(index) * items.capacity for index in (self.column, self.row))
        self.lines = len(self.xs) + len(self.ys) - 2
        self.step = np.eye(self.lines, dtype=np.int64)
        # Pairs of slots in the linear program: coefficients of the variables, and costs.
        self.pays, self.limit = np.empty((0, self.lines)), np.empty(0)

    def split(self, price: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the prices of the lines between columns, and of those between rows."""
        return price[: len(self.xs) - 1], price[len(self.xs) - 1 :]

    def reach(self, variables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return cumulative prices at each usable slot along x and y, int64 (E,); two slots are charged the differences."""
        x, y = (np.concatenate([[0], np.cumsum(part)]) for part in self.split(self.step @ variables))
        return x[self.column], y[self.row]

    def choose(self, spreads: list[Spread]) -> tuple[float, float, np.ndarray]:
        """Return the maximum over prices of the minimum cost of the spreads, with its constant and variables.

        Only the pairs added so far are constrained; `constant` checks all pairs.
        The program is scaled by the maximum cost, so that its numbers are near 1.
        """
        scale, links = float(max(1, self.items.cost.table.max())), float(self.items.links)
        gains = np.array([[spread.between, *(spread.cuts @ self.step)] for spread in spreads]) / links
        found = linprog(
            np.r_[-1.0, np.zeros(gains.shape[1])],
            A_ub=np.vstack(
                [
                    np.hstack([np.ones((len(gains), 1)), -gains]),
                    np.hstack([np.zeros((len(self.pays), 1)), np.ones((len(self.pays), 1)), self.pays]),
                ]
            ),
            b_ub=np.r_[np.zeros(len(gains)), self.limit / scale],
            bounds=(0, 1 + links),
            method="highs",
        )
        if found.x is None:
            return 0.0, 0.0, np.zeros(gains.shape[1] - 1, np.int64)
        variables = np.floor(np.clip(found.x[2:], 0, 1) * scale * FINE).astype(np.int64)
        return float(found.x[0]) * scale * links, float(found.x[1]) * scale, variables


class LatticeGrid(Grid):
    """Costs by distance on a lattice: one variable per step along x and one along y; all distances are constrained."""

    def __init__(self, items: Items):
        super().__init__(items, np.column_stack([items.cost.x, items.cost.y])[items.slots].astype(np.int64))
        gaps = np.concatenate([np.diff(self.xs), np.diff(self.ys)])
        along = np.arange(self.lines) < len(self.xs) - 1
        self.step = np.column_stack([gaps * along, gaps * ~along])
        table = items.cost.table[: self.xs[-1] - self.xs[0] + 1, : self.ys[-1] - self.ys[0] + 1]
        self._apart = np.indices(table.shape).reshape(2, -1).T[1:]
        self._cost = table.ravel()[1:].astype(np.int64)
        self.pays, self.limit = self._apart.astype(np.float64), self._cost.astype(np.float64)

    def constant(self, variables: np.ndarray, hoped: float) -> int:
        """Return the maximum constant for which no pair of slots is charged more than its cost."""
        return int((self._cost * FINE - self._apart @ variables).min())


class TableGrid(Grid):
    """General costs: a variable per line; violated pairs are added to the program as they are found."""

    def __init__(self, items: Items):
        super().__init__(items, items.xy[items.slots].astype(np.int64))
        slots = len(items.slots)
        pairs = slots * (slots - 1) // 2
        first = np.unique(np.linspace(0, pairs - 1, min(pairs, _FIRST)).astype(np.int64))
        # Pair number k in the order (1, 0), (2, 0), (2, 1), …
        a = ((1 + np.sqrt(1 + 8.0 * first)) / 2).astype(np.int64)
        b = first - a * (a - 1) // 2
        valid = (b >= 0) & (b < a)
        self._add(a[valid], b[valid])

    def constant(self, variables: np.ndarray, hoped: float) -> int:
        """Return the maximum constant for which no pair of slots is charged more than its cost."""
        slots, count = self.items.slots, len(self.items.slots)
        x, y = self.reach(variables)
        left, partner = np.empty(count, np.int64), np.empty(count, np.int64)
        for first in range(0, count, rows := max(1, _BLOCK // count)):
            part = np.arange(first, min(first + rows, count))
            over = self.items.cost.between(slots[part, None], slots[None, :]) * FINE
            over -= np.abs(x[part, None] - x) + np.abs(y[part, None] - y)
            over[np.arange(len(part)), part] = np.iinfo(np.int64).max
            partner[part] = over.argmin(axis=1)
            left[part] = over[np.arange(len(part)), partner[part]]
        violated = np.argsort(left, kind="stable")[: 4 * self.lines + 200]
        violated = violated[left[violated] < hoped * FINE]
        self._add(violated, partner[violated])
        return int(left.min())

    def _add(self, a: np.ndarray, b: np.ndarray) -> None:
        """Add pairs of usable slots to the program."""
        between = []
        for index, lines in ((self.column, len(self.xs) - 1), (self.row, len(self.ys) - 1)):
            low, high = np.minimum(index[a], index[b]), np.maximum(index[a], index[b])
            line = np.arange(lines)
            between.append((low[:, None] <= line) & (line < high[:, None]))
        self.pays = np.vstack([self.pays, np.hstack(between)])
        slots = self.items.slots
        self.limit = np.concatenate([self.limit, self.items.cost.between(slots[a], slots[b])])
