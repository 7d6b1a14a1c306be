"""Hops between two routers: from a table, the factors of a star product, coordinates, or a matrix group.

A source of hops is a `Distances` of one kind:

`TABLE`
    ``table`` holds the hops of all pairs.
`STAR`
    ``sizes``: the size of a supernode, the number of supernodes. Row 0 of ``table`` holds the class of each pair of
    supernodes, then for each class the hops between the vertices of one and those of the other.
`LATTICE`
    ``sizes``: the number of dimensions, then size and form of each. Row 0 of ``table`` holds all coordinates.
`CAYLEY`
    ``sizes``: a prime q and the number of routers, which are 2 x 2 matrices over the field of q elements up to factors. Row 0 of
    ``table`` holds the inverses of 0 to q - 1, the matrices, then the hops from the identity to each of them by `key`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined, uncounted

TABLE, STAR, LATTICE, CAYLEY = range(4)
PATH, RING, COMPLETE = range(3)
"""Forms of a dimension: path, ring or complete graph."""


class Distances(NamedTuple):
    """Source of the hops between any two routers."""

    kind: int
    table: Annotated[np.ndarray, np.uint8, 2]
    sizes: Annotated[np.ndarray, np.int64, 1]


NO_DISTANCES = Distances(TABLE, np.zeros((0, 0), np.uint8), np.zeros(0, np.int64))
"""For a routing that needs none."""


@always_inlined
def key(a, b, c, d, q, table):
    """Return the number of a matrix up to factors, from 0 to q³ + q² - 1; ``table[0, v]`` is the inverse of v."""
    if a == 0:
        inverse = np.int64(table[0, b])
        return q * q * q + c * inverse % q * q + d * inverse % q
    inverse = np.int64(table[0, a])
    return (b * inverse % q * q + c * inverse % q) * q + d * inverse % q


@always_inlined
def between(table, u, v, q):
    """Return the key of the inverse of the matrix at place `u` times the one at `v`."""
    a, b, c, d = np.int64(table[0, u]), np.int64(table[0, u + 1]), np.int64(table[0, u + 2]), np.int64(table[0, u + 3])
    e, f, g, h = np.int64(table[0, v]), np.int64(table[0, v + 1]), np.int64(table[0, v + 2]), np.int64(table[0, v + 3])
    # Up to a factor the inverse is d, -b, -c, a.
    return key(
        (d * e + (q - b) * g) % q, (d * f + (q - b) * h) % q, ((q - c) * e + a * g) % q, ((q - c) * f + a * h) % q, q, table
    )


@always_inlined
def hops(distances, a, b):
    """Return the hops from router `a` to router `b`."""
    table, sizes = distances.table, distances.sizes
    if distances.kind == TABLE:
        return np.int64(table[a, b])
    if distances.kind == STAR:
        size, supernodes = np.uint32(sizes[0]), sizes[1]
        x, y = np.int64(np.uint32(a) // size), np.int64(np.uint32(b) // size)
        size = np.int64(size)
        kind = np.int64(table[0, x * supernodes + y])
        place = supernodes * supernodes + (kind * size + a - x * size) * size + b - y * size
        return np.int64(table[0, place])
    if distances.kind == CAYLEY:
        q = sizes[0]
        u, v = q + 4 * np.int64(a), q + 4 * np.int64(b)
        return np.int64(table[0, q + 4 * sizes[1] + between(table, u, v, q)])
    total = np.int64(0)
    dimensions = sizes[0]
    for d in range(dimensions):
        step = abs(np.int64(table[0, a * dimensions + d]) - np.int64(table[0, b * dimensions + d]))
        size, form = sizes[1 + 2 * d], sizes[2 + 2 * d]
        if form == COMPLETE:
            step = min(step, 1)
        elif form == RING:
            step = min(step, size - step)
        total += step
    return total


@uncounted
def row(distances, a, out):
    """Fill `out` (uint8) with the hops from router `a` to all others."""
    for b in range(len(out)):
        out[b] = hops(distances, a, b)


@uncounted
def keys(table, q, sources, targets, out):
    """Fill `out` (int64) with the keys of the inverses of the matrices of `sources` times those of `targets`."""
    for n in range(len(sources)):
        out[n] = between(table, q + 4 * np.int64(sources[n]), q + 4 * np.int64(targets[n]), q)
