"""Small bisections: refinement by the method of Kernighan, Lin, Fiduccia and Mattheyses, and tabu search beyond its optima.

Vertices are in lists by side and gain, the reduction of the cut by a move. `head` (int32, 2 x gains)
holds list heads, `after` and `before` (int32, vertices) link them; -1 ends a list, `OFF` in `before` marks a vertex on no list.

References
----------
.. [1] F. Glover, "Tabu search, part I", ORSA J. Computing 1, 1989.
.. [2] U. Benlic, J.-K. Hao, "A multilevel memetic approach for improving graph k-partitions", IEEE Trans. Evolutionary
       Computation 15, 2011.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined
from planner.kernels.random import below

OFF = -2


@bare
def refine(indptr, indices, side, size, gain, head, after, before, moved, passes):
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
        fill(side, gain, head, after, before)
        top_0, top_1 = head.shape[1] - 1, head.shape[1] - 1
        vertices_moved = 0
        for _ in range(vertices):
            origin = 0 if excess >= 0 else 1
            if origin == 0:
                top_0 = highest(head, 0, top_0)
                vertex = head[0, top_0]
            else:
                top_1 = highest(head, 1, top_1)
                vertex = head[1, top_1]
            if vertex < 0:
                break
            cut -= gain[vertex]
            excess += 2 * origin - 1
            top_0, top_1 = move(indptr, indices, side, gain, head, after, before, vertex, top_0, top_1)
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


@bare
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


@bare
def fill(side, gain, head, after, before):
    """Insert every vertex into its list."""
    for slot in range(head.shape[1]):
        head[0, slot] = head[1, slot] = -1
    for vertex in range(len(side)):
        insert(head, side[vertex], gain[vertex], after, before, vertex)


@inlined
def insert(head, row, gain, after, before, vertex):
    """Insert a vertex at the head of its list; return the index of the list."""
    slot = gain + head.shape[1] // 2
    first = head[row, slot]
    after[vertex] = first
    before[vertex] = -1
    if first >= 0:
        before[first] = vertex
    head[row, slot] = vertex
    return slot


@inlined
def remove(head, row, gain, after, before, vertex):
    """Remove a vertex from its list."""
    if before[vertex] >= 0:
        after[before[vertex]] = after[vertex]
    else:
        head[row, gain + head.shape[1] // 2] = after[vertex]
    if after[vertex] >= 0:
        before[after[vertex]] = before[vertex]
    before[vertex] = OFF


@inlined
def highest(head, row, top):
    """Return the index of the highest non-empty list of a row, at most `top`; 0 if all are empty."""
    while top > 0 and head[row, top] < 0:
        top -= 1
    return top


@inlined
def move(indptr, indices, side, gain, head, after, before, vertex, top_0, top_1):
    """Move a vertex to the other side and update gains; return upper bounds of the highest non-empty lists."""
    origin = side[vertex]
    remove(head, origin, gain[vertex], after, before, vertex)
    side[vertex] = 1 - origin
    gain[vertex] = -gain[vertex]
    for position in range(indptr[vertex], indptr[vertex + 1]):
        neighbor = indices[position]
        there = side[neighbor]
        value = gain[neighbor] + (2 if there == origin else -2)
        if before[neighbor] != OFF:
            remove(head, there, gain[neighbor], after, before, neighbor)
            slot = insert(head, there, value, after, before, neighbor)
            if there == 0:
                top_0 = max(top_0, slot)
            else:
                top_1 = max(top_1, slot)
        gain[neighbor] = value
    return top_0, top_1


@bare
def search(indptr, indices, side, best_side, gain, head, after, before, due, shortest, moves, state):
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
    state
        Random state, uint64 (1,).

    The others are as in `planner.kernels.graph.cuts.refine`.
    """
    longest, lists = len(due), head.shape[1]
    cut = set_gains(indptr, indices, side, gain)
    fill(side, gain, head, after, before)
    top_0, top_1 = lists - 1, lists - 1
    for place in range(longest):
        due[place] = -1
    _copy(side, best_side)
    best, excess = cut, 0
    for turn in range(moves):
        vertex = due[turn % longest]
        due[turn % longest] = -1
        while vertex >= 0:
            following = after[vertex]
            slot = insert(head, side[vertex], gain[vertex], after, before, vertex)
            if side[vertex] == 0:
                top_0 = max(top_0, slot)
            else:
                top_1 = max(top_1, slot)
            vertex = following
        top_0, top_1 = highest(head, 0, top_0), highest(head, 1, top_1)
        if excess:
            origin = 0 if excess > 0 else 1
        elif top_0 == top_1:
            origin = below(state, 2)
        else:
            origin = 0 if top_0 > top_1 else 1
        vertex = head[origin, top_1 if origin else top_0]
        cut -= gain[vertex]
        excess += 2 * origin - 1
        top_0, top_1 = move(indptr, indices, side, gain, head, after, before, vertex, top_0, top_1)
        place = (turn + shortest + below(state, longest - shortest)) % longest
        after[vertex] = due[place]
        due[place] = vertex
        if excess == 0 and cut < best:
            best = cut
            _copy(side, best_side)
    return best


@bare
def shake(side, pairs, state):
    """Exchange up to `pairs` random pairs of vertices between the two non-empty sides."""
    for _ in range(pairs):
        one, other = below(state, len(side)), below(state, len(side))
        while side[one] == side[other]:
            other = below(state, len(side))
        side[one], side[other] = side[other], side[one]


@bare
def _copy(values, to):
    for place in range(len(values)):
        to[place] = values[place]
