"""Small bisections: refinement by the method of Kernighan, Lin, Fiduccia and Mattheyses, and tabu search beyond its optima.

Vertices are in lists by side and gain, the reduction of the cut by a move. `links`, int32 (vertices + 2 x gains, 2), has those
after and before each in its list; lists are rings through a head, which is numbered after the vertices, so that no link is
missing: branches here would be mispredicted. `OFF` before a vertex marks one on no list.

Differs from [2]_: of that method only the tabu search is here, without levels and recombination.

References
----------
.. [1] F. Glover, "Tabu search, part I", ORSA J. Computing 1, 1989.
.. [2] U. Benlic, J.-K. Hao, "A multilevel memetic approach for improving graph k-partitions", IEEE Trans. Evolutionary
       Computation 15, 2011.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels.random import below

OFF = -2

AFTER, BEFORE = 0, 1
"""Columns of `links`."""


@uncounted
def refine(indptr, indices, side, size, gain, links, moved, passes):
    """Reduce the cut of `side` (uint8, 0 or 1) such that side 0 ends with `size` vertices; return the cut.

    One pass moves every vertex once, highest gain first, from side 0 if it has at least `size` vertices,
    else from side 1, and reverts to the best balanced state. Passes end when
    one gives no improvement, or after `passes`. `gain` int32, `moved` int32 (vertices,).
    """
    vertices = len(indptr) - 1
    cut = set_gains(indptr, indices, side, gain)
    excess = vertices - size
    for vertex in range(vertices):
        excess -= np.int64(side[vertex])
    for _ in range(passes):
        start, start_excess = cut, excess
        best, best_moves = (cut, 0) if excess == 0 else (np.int64(2**62), -1)
        fill(side, gain, links)
        lists = (len(links) - vertices) // 2
        top_0, top_1 = lists - 1, lists - 1
        vertices_moved = 0
        for _ in range(vertices):
            origin = 0 if excess >= 0 else 1
            if origin == 0:
                top_0 = highest(links, vertices, top_0)
                vertex = links[vertices + top_0, AFTER]
            else:
                top_1 = highest(links, vertices + lists, top_1)
                vertex = links[vertices + lists + top_1, AFTER]
            # An empty list has only its head.
            if vertex >= vertices:
                break
            cut -= gain[vertex]
            excess += 2 * origin - 1
            top_0, top_1 = move(indptr, indices, side, gain, links, vertex, top_0, top_1)
            moved[vertices_moved] = vertex
            vertices_moved += 1
            if excess == 0 and cut < best:
                best, best_moves = cut, vertices_moved
        for k in range(max(best_moves, 0), vertices_moved):
            side[moved[k]] ^= 1
        cut, excess = best, 0
        set_gains(indptr, indices, side, gain)
        if best >= start and start_excess == 0:
            break
    return cut


@uncounted
def set_gains(indptr, indices, side, gain):
    """Fill `gain` (crossing links minus internal links); return the cut."""
    crossing = np.int64(0)
    for vertex in range(len(indptr) - 1):
        across = 0
        for position in range(indptr[vertex], indptr[vertex + 1]):
            across += side[indices[position]] != side[vertex]
        gain[vertex] = 2 * across - (indptr[vertex + 1] - indptr[vertex])
        crossing += across
    return crossing // 2


@uncounted
def fill(side, gain, links):
    """Insert every vertex into its list."""
    vertices = len(side)
    lists = (len(links) - vertices) // 2
    for head in range(vertices, len(links)):
        links[head, AFTER] = links[head, BEFORE] = head
    for vertex in range(vertices):
        insert(links, vertices + side[vertex] * lists + gain[vertex] + lists // 2, vertex)


@always_inlined
def insert(links, head, vertex):
    """Insert a vertex at the beginning of a list."""
    first = links[head, AFTER]
    links[vertex, AFTER] = first
    links[vertex, BEFORE] = head
    links[first, BEFORE] = vertex
    links[head, AFTER] = vertex


@always_inlined
def remove(links, vertex):
    """Remove a vertex from its list; it stays linked to its former neighbors."""
    after, before = links[vertex, AFTER], links[vertex, BEFORE]
    links[before, AFTER] = after
    links[after, BEFORE] = before


@always_inlined
def highest(links, heads, top):
    """Return the index of the highest non-empty list of those from `heads` on, at most `top`; 0 if all are empty."""
    while top > 0 and links[heads + top, AFTER] == heads + top:
        top -= 1
    return top


@always_inlined
def move(indptr, indices, side, gain, links, vertex, top_0, top_1):
    """Move a vertex to the other side and update gains; return upper bounds of the highest non-empty lists."""
    vertices = len(side)
    lists = (len(links) - vertices) // 2
    origin = np.int64(side[vertex])
    remove(links, vertex)
    links[vertex, BEFORE] = OFF
    side[vertex] = 1 - origin
    gain[vertex] = -gain[vertex]
    # Only vertices on the side that the vertex leaves gain.
    top, middle = np.int64(0), vertices + lists // 2
    for position in range(indptr[vertex], indptr[vertex + 1]):
        neighbor = indices[position]
        there = np.int64(side[neighbor])
        across = there ^ origin
        value = gain[neighbor] + 2 - 4 * across
        gain[neighbor] = value
        if links[neighbor, BEFORE] != OFF:
            remove(links, neighbor)
            insert(links, middle + there * lists + value, neighbor)
            top = max(top, (1 - across) * (value + lists // 2))
    if origin == 0:
        return max(top_0, top), top_1
    return top_0, max(top_1, top)


@uncounted
def search(indptr, indices, side, best_side, gain, links, due, shortest, moves, patience, state):
    """Move vertices one at a time, even if the cut grows; return the smallest cut and leave it in `best_side`.

    The vertex of highest gain moves: from the larger side, else from the side with the higher gain;
    among equal gains the one changed last. It is then tabu for a random number of moves, at least
    `shortest` and less than the length of `due`.

    Parameters
    ----------
    side
        uint8 (vertices,): sides of the required sizes; updated by every move.
    best_side
        uint8 (vertices,), filled.
    due
        int32: entry t modulo the length is the head of the list of vertices that are tabu until move t; shorter than either
        side, so that a vertex can always move.
    moves, patience
        Maximum number of moves, and the number of moves without a smaller cut after which the search ends.
    state
        Random state, uint64 (1,).

    The others are as in `planner.kernels.graph.cuts.refine`.
    """
    longest, vertices = len(due), len(side)
    lists = (len(links) - vertices) // 2
    cut = set_gains(indptr, indices, side, gain)
    fill(side, gain, links)
    top_0, top_1 = lists - 1, lists - 1
    for place in range(longest):
        due[place] = -1
    _copy(side, best_side)
    # The place of this turn in `due`.
    best, excess, now = cut, 0, longest - 1
    left = min(moves, patience)
    while left > 0:
        moves -= 1
        left -= 1
        now = now + 1 if now + 1 < longest else 0
        vertex = due[now]
        due[now] = -1
        while vertex >= 0:
            following = links[vertex, AFTER]
            slot = gain[vertex] + lists // 2
            insert(links, vertices + side[vertex] * lists + slot, vertex)
            if side[vertex] == 0:
                top_0 = max(top_0, slot)
            else:
                top_1 = max(top_1, slot)
            vertex = following
        top_0, top_1 = highest(links, vertices, top_0), highest(links, vertices + lists, top_1)
        if excess:
            origin = 0 if excess > 0 else 1
        elif top_0 == top_1:
            origin = below(state, 2)
        else:
            origin = 0 if top_0 > top_1 else 1
        vertex = links[vertices + (lists + top_1 if origin else top_0), AFTER]
        cut -= gain[vertex]
        excess += 2 * origin - 1
        top_0, top_1 = move(indptr, indices, side, gain, links, vertex, top_0, top_1)
        place = now + shortest + below(state, longest - shortest)
        if place >= longest:
            place -= longest
        links[vertex, AFTER] = due[place]
        due[place] = vertex
        if excess == 0 and cut < best:
            best = cut
            _copy(side, best_side)
            left = min(moves, patience)
    return best


@uncounted
def shake(side, pairs, state):
    """Exchange up to `pairs` random pairs of vertices between the two non-empty sides."""
    for _ in range(pairs):
        one, other = below(state, len(side)), below(state, len(side))
        while side[one] == side[other]:
            other = below(state, len(side))
        side[one], side[other] = side[other], side[one]


@uncounted
def _copy(values, to):
    for place in range(len(values)):
        to[place] = values[place]


def gain_lists(indptr):
    """Return `links` for the vertices of a graph; not compiled."""
    gains = 2 * int(np.diff(indptr).max(initial=0)) + 1
    return np.empty((len(indptr) - 1 + 2 * gains, 2), np.int32)
