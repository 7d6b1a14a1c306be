"""Hops between two routers: from a table, from the factors of a star product, or from coordinates.

A source of hops is a row of ``numbers``, from `at` on, and a table ``small`` of bytes:

`TABLE`
    Nothing else; ``small`` holds the hops of all pairs.
`STAR`
    The size of a supernode, the number of supernodes. Row 0 of ``small`` holds the class of each pair of
    supernodes, then for each class the hops between the vertices of one and those of the other.
`LATTICE`
    The number of dimensions, then the size and the form of each. Row 0 of ``small`` holds all coordinates.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined

TABLE, STAR, LATTICE = range(3)
PATH, RING, COMPLETE = range(3)
"""Forms of a dimension: coordinates joined in a row, in a circle, or all with all."""


@inlined
def hops(a, b, small, numbers, at):
    """Return the hops from router `a` to router `b`."""
    if numbers[at] == TABLE:
        return np.int64(small[a, b])
    if numbers[at] == STAR:
        size, supernodes = np.uint32(numbers[at + 1]), np.int64(numbers[at + 2])
        x, y = np.int64(np.uint32(a) // size), np.int64(np.uint32(b) // size)
        size = np.int64(size)
        kind = np.int64(small[0, x * supernodes + y])
        place = supernodes * supernodes + (kind * size + a - x * size) * size + b - y * size
        return np.int64(small[0, place])
    total = np.int64(0)
    dimensions = numbers[at + 1]
    for d in range(dimensions):
        step = abs(np.int64(small[0, a * dimensions + d]) - np.int64(small[0, b * dimensions + d]))
        form = numbers[at + 3 + 2 * d]
        if form == COMPLETE:
            step = min(step, 1)
        elif form == RING:
            step = min(step, numbers[at + 2 + 2 * d] - step)
        total += step
    return total


@bare
def row(a, small, numbers, out):
    """Fill `out` (uint8) with the hops from router `a` to all others."""
    for b in range(len(out)):
        out[b] = hops(a, b, small, numbers, 0)
