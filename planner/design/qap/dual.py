"""The reduced problem of dual ascent: arrays of `planner.kernels.qap.dual_ascent`, and their scratch."""

from __future__ import annotations

import math

import numpy as np

from planner.design.qap.normal import Normal
from planner.kernels.qap import dual_ascent as kernel
from planner.kernels.qap.assignment import assign

LARGEST = 40
"""Maximum items for the n**4 pair costs: 20 MB."""


class Scratch:
    """Scratch arrays of the kernels, for problems of up to `size` items."""

    def __init__(self, size: int):
        self.sub = np.empty((size, size), np.int64)
        numbers = [np.empty(size, np.int64) for _ in range(4)]
        self.arrays = (self.sub, *numbers, np.empty(size, np.bool_))


class Reduced:
    """Subproblem after moving some cost to the bound and placing some items.

    Attributes
    ----------
    leader, pair
        int64 (n, n) and (n, n, n, n); see `planner.kernels.qap.dual_ascent`.
    bound
        Lower bound of all completions, in scaled costs.
    items, locations
        int64 (n,): remaining items and locations, numbered as in the original problem.
    placed
        Placed items and their locations.
    """

    def __init__(
        self, leader: np.ndarray, pair: np.ndarray, bound: int, items: np.ndarray, locations: np.ndarray,
        placed: tuple[tuple[int, int], ...] = (),
    ):  # fmt: skip
        self.leader, self.pair, self.bound = leader, pair, bound
        self.items, self.locations, self.placed = items, locations, placed

    def ascend(self, target: int, rounds: int, stall: float, scratch: Scratch) -> int:
        """Raise the bound; return the rounds done."""
        bound, done = kernel.ascend(self.leader, self.pair, self.bound, target, rounds, stall, *scratch.arrays)
        self.bound = int(bound)
        return int(done)

    def child(self, i: int, j: int) -> Reduced:
        """Return the problem in which the item of row `i` is at the location of column `j`."""
        n = len(self.leader) - 1
        leader, pair = np.empty((n, n), np.int64), np.zeros((n, n, n, n), np.int64)
        kernel.fix(self.leader, self.pair, i, j, leader, pair)
        bound = self.bound + int(self.leader[i, j])
        placed = (*self.placed, (int(self.items[i]), int(self.locations[j])))
        return Reduced(leader, pair, bound, np.delete(self.items, i), np.delete(self.locations, j), placed)


def assignment(cost: np.ndarray, scratch: Scratch) -> np.ndarray:
    """Return the column of every row in a minimum assignment, int64 (n,)."""
    assign(cost.copy(), len(cost), *scratch.arrays[1:])
    return scratch.arrays[1][: len(cost)].copy()


def root(normal: Normal, fixed: np.ndarray | None) -> tuple[Reduced, int]:
    """Return the whole problem with the fixed items placed, and the scale of its costs."""
    scale = scale_of(normal)
    n = normal.size
    pair = np.empty((n, n, n, n), np.int64)
    kernel.fill_pairs(normal.flow, normal.distance, normal.symmetric, scale, pair)
    reduced = Reduced(normal.linear * scale, pair, 0, np.arange(n), np.arange(n))
    if fixed is not None:
        for item in np.flatnonzero(fixed >= 0):
            i = int(np.searchsorted(reduced.items, item))
            reduced = reduced.child(i, int(np.searchsorted(reduced.locations, fixed[item])))
    return reduced, scale


def scale_of(normal: Normal) -> int:
    """Return the scale, a power of two: as large as overflow permits, to reduce the remainders modulo n - 1."""
    flow, distance = np.abs(normal.flow).astype(float), np.abs(normal.distance).astype(float)
    largest = flow.sum() * distance.max() + np.abs(normal.linear).max(1).astype(float).sum()
    return 2 ** int(min(20, max(1, 58 - math.ceil(math.log2(max(largest, 1.0))))))


def unscaled(bound: int, scale: int) -> int:
    """Return a scaled bound rounded up to an unscaled integer."""
    return -(-bound // scale)
