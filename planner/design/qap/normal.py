"""Normal form used by all kernels: zero diagonals, symmetric matrices where possible, no common factor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.kernels.qap import exchanges as kernel

CEILING = 2**57
"""Upper limit of the sum of absolute costs, with a margin to int64."""


@dataclass(frozen=True)
class Normal:
    """A quadratic assignment problem in normal form; see `planner.kernels.qap.exchanges`.

    Attributes
    ----------
    flow, flow_t, distance, distance_t, linear
        int64 (n, n); zero diagonals; the diagonals' cost is in `linear`.
    symmetric
        Both matrices are symmetric, and every pair of items is counted once.
    pair_flow, pair_distance
        int64 (n, n): their product corrects the change of cost of an exchange for the pair itself.
    movable
        uint32 (m,): movable items.
    factor
        The objective is `factor` times the cost of the normal form.
    """

    flow: np.ndarray
    flow_t: np.ndarray
    distance: np.ndarray
    distance_t: np.ndarray
    linear: np.ndarray
    symmetric: bool
    pair_flow: np.ndarray
    pair_distance: np.ndarray
    movable: np.ndarray
    factor: int

    @property
    def size(self) -> int:
        return len(self.flow)

    @property
    def pairs(self) -> int:
        """Number of possible exchanges."""
        return len(self.movable) * (len(self.movable) - 1) // 2

    @cached_property
    def kind(self) -> type[np.signedinteger]:
        """Integer type of costs of items and exchanges: int32 if sufficient, which is faster."""
        sums = [np.abs(matrix).sum(axis=1, dtype=object).max() for matrix in (self.flow, self.flow_t)]
        largest = [int(np.abs(matrix).max()) for matrix in (self.distance, self.linear)]
        # A field changes by products of differences, an exchange by four of its elements.
        return np.int32 if 8 * (int(sum(sums)) * largest[0] + largest[1]) < 1 << 31 else np.int64

    @property
    def matrices(self) -> tuple:
        return self.flow, self.flow_t, self.distance, self.distance_t

    def cost(self, place: np.ndarray) -> int:
        """Return the cost of the normal form, from scratch."""
        return int(kernel.total_cost(self.flow, self.distance, self.linear, self.symmetric, place))

    def field(self, place: np.ndarray) -> np.ndarray:
        """Return the cost of every item at every location, with the others at `place`, int64 (n, n)."""
        field = np.empty_like(self.linear)
        kernel.fill_field(*self.matrices, self.linear, self.symmetric, place, field)
        return field

    def deltas(self, place: np.ndarray, field: np.ndarray) -> np.ndarray:
        """Return the change of cost of every exchange of movable items, int64 (m, m), upper triangle."""
        delta = np.zeros((len(self.movable),) * 2, np.int64)
        kernel.all_costs(self.movable, self.pair_flow, self.pair_distance, place, field, delta)
        return delta


def normal(flow: np.ndarray, distance: np.ndarray, linear: np.ndarray | None, fixed: np.ndarray | None) -> Normal:
    """Return the normal form of a checked problem."""
    a, b = flow.copy(), distance.copy()
    extra = np.outer(np.diag(a), np.diag(b))
    if linear is not None:
        extra += linear
    np.fill_diagonal(a, 0)
    np.fill_diagonal(b, 0)
    a_even, b_even = np.array_equal(a, a.T), np.array_equal(b, b.T)
    symmetric = a_even or b_even
    if a_even and not b_even:
        b = b + b.T
    elif b_even:
        a = a + a.T
    a_part, b_part = _common(a), _common(b)
    a, b = a // a_part, b // b_part
    product = a_part * b_part if a.any() and b.any() else 0
    factor = math.gcd(product, _common(extra, 0)) or 1
    a, extra = a * (product // factor), extra // factor
    return Normal(
        flow=np.ascontiguousarray(a),
        flow_t=np.ascontiguousarray(a.T),
        distance=np.ascontiguousarray(b),
        distance_t=np.ascontiguousarray(b.T),
        linear=np.ascontiguousarray(extra),
        symmetric=symmetric,
        pair_flow=np.ascontiguousarray(a + a.T),
        pair_distance=np.ascontiguousarray(b if symmetric else b + b.T),
        movable=np.flatnonzero(np.full(len(a), True) if fixed is None else fixed < 0).astype(np.uint32),
        factor=factor,
    )


def _common(matrix: np.ndarray, nothing: int = 1) -> int:
    """Return the greatest common divisor of all elements; `nothing` if all are zero."""
    return int(np.gcd.reduce(np.abs(matrix), axis=None)) or nothing


def magnitude(flow: np.ndarray, distance: np.ndarray, linear: np.ndarray | None) -> int:
    """Return an upper bound of the sum of absolute costs of a permutation, exact."""
    # Python integers do not overflow.
    a, b = [[abs(int(x)) for x in matrix.ravel()] for matrix in (flow, distance)]
    extra = 0 if linear is None else sum(max(abs(int(x)) for x in row) for row in linear)
    return min(sum(a) * max(b), max(a) * sum(b)) + extra
