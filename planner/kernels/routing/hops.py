"""Hops between two routers: from a table, the factors of a star product, coordinates, or a matrix group.

A source of hops is a row of ``numbers``, from `at` on, and a table ``small`` of bytes:

`TABLE`
    ``small`` holds the hops of all pairs.
`STAR`
    The size of a supernode, the number of supernodes. Row 0 of ``small`` holds the class of each pair of
    supernodes, then for each class the hops between the vertices of one and those of the other.
`LATTICE`
    The number of dimensions, then size and form of each. Row 0 of ``small`` holds all coordinates.
`CAYLEY`
    A prime q and the number of routers, which are 2 x 2 matrices over the field of q elements up to factors. Row 0 of
    ``small`` holds the inverses of 0 to q - 1, the matrices, then the hops from the identity to each of them by `key`.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined

TABLE, STAR, LATTICE, CAYLEY = range(4)
PATH, RING, COMPLETE = range(3)
"""Forms of a dimension: path, ring or complete graph."""


@inlined
def key(a, b, c, d, q, small):
    """Return the number of a matrix up to factors, from 0 to q³ + q² - 1; ``small[0, v]`` is the inverse of v."""
    if a == 0:
        inverse = np.int64(small[0, b])
        return q * q * q + c * inverse % q * q + d * inverse % q
    inverse = np.int64(small[0, a])
    return (b * inverse % q * q + c * inverse % q) * q + d * inverse % q


@inlined
def between(small, u, v, q):
    """Return the key of the inverse of the matrix at place `u` times the one at `v`."""
    a, b, c, d = np.int64(small[0, u]), np.int64(small[0, u + 1]), np.int64(small[0, u + 2]), np.int64(small[0, u + 3])
    e, f, g, h = np.int64(small[0, v]), np.int64(small[0, v + 1]), np.int64(small[0, v + 2]), np.int64(small[0, v + 3])
    # Up to a factor the inverse is d, -b, -c, a.
    return key(
        (d * e + (q - b) * g) % q, (d * f + (q - b) * h) % q, ((q - c) * e + a * g) % q, ((q - c) * f + a * h) % q, q, small
    )


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
    if numbers[at] == CAYLEY:
        q = numbers[at + 1]
        u, v = q + 4 * np.int64(a), q + 4 * np.int64(b)
        return np.int64(small[0, q + 4 * numbers[at + 2] + between(small, u, v, q)])
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


@bare
def keys(small, q, sources, targets, out):
    """Fill `out` (int64) with the keys of the inverses of the matrices of `sources` times those of `targets`."""
    for n in range(len(sources)):
        out[n] = between(small, q + 4 * np.int64(sources[n]), q + 4 * np.int64(targets[n]), q)
