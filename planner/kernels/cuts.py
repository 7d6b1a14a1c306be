"""Cuts made smaller by exchanging vertices between two sides, after Kernighan, Lin, Fiduccia and Mattheyses.

Vertices wait in lists by side and gain: what moving one takes off the cut. `head` (int32, 2 x gains)
starts the lists, `after` and `before` (int32, vertices) chain them; -1 ends a list.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled


@compiled
def refine(indptr, indices, side, size, gain, head, after, before, moved, passes):
    """Make the cut of `side` (uint8, 0 or 1) smaller while side 0 ends with `size` vertices; return the cut.

    One pass moves every vertex once, best gain first, from side 0 when it has its size or more,
    else from side 1, and goes back to the best moment at which side 0 had its size. Passes go on
    until one brings nothing, at most `passes`. `gain` int32, `moved` int32 (vertices,).
    """
    vertices = len(indptr) - 1
    cut = _gains(indptr, indices, side, gain) // 2
    excess = vertices - size
    for vertex in range(vertices):
        excess -= np.int64(side[vertex])
    for _ in range(passes):
        start, start_excess = cut, excess
        best, best_moves = (cut, 0) if excess == 0 else (np.int64(2**62), -1)
        _fill(side, gain, head, after, before)
        for move in range(vertices):
            origin = 0 if excess >= 0 else 1
            vertex = _best(head[origin])
            if vertex < 0:
                vertices_moved = move
                break
            cut -= gain[vertex]
            excess += 2 * origin - 1
            _move(indptr, indices, side, gain, head, after, before, vertex)
            moved[move] = vertex
            vertices_moved = move + 1
            if excess == 0 and cut < best:
                best, best_moves = cut, vertices_moved
        for move in range(max(best_moves, 0), vertices_moved):
            side[moved[move]] ^= 1
        cut, excess = best, 0
        _gains(indptr, indices, side, gain)
        if best >= start and start_excess == 0:
            break
    return cut


@compiled
def _gains(indptr, indices, side, gain):
    """Fill `gain`: links that cross less links that stay; return twice the cut."""
    crossing = np.int64(0)
    for vertex in range(len(indptr) - 1):
        across = 0
        for position in range(indptr[vertex], indptr[vertex + 1]):
            across += side[indices[position]] != side[vertex]
        gain[vertex] = 2 * across - (indptr[vertex + 1] - indptr[vertex])
        crossing += across
    return crossing


@compiled
def _fill(side, gain, head, after, before):
    """Put every vertex on its list."""
    head[:] = -1
    for vertex in range(len(side)):
        _insert(head[side[vertex]], gain[vertex], after, before, vertex)


@compiled
def _insert(lists, gain, after, before, vertex):
    slot = gain + len(lists) // 2
    after[vertex] = lists[slot]
    before[vertex] = -1
    if lists[slot] >= 0:
        before[lists[slot]] = vertex
    lists[slot] = vertex


@compiled
def _remove(lists, gain, after, before, vertex):
    if before[vertex] >= 0:
        after[before[vertex]] = after[vertex]
    else:
        lists[gain + len(lists) // 2] = after[vertex]
    if after[vertex] >= 0:
        before[after[vertex]] = before[vertex]
    # Marks the vertex as on no list.
    before[vertex] = -2


@compiled
def _best(lists):
    """Return a vertex of the highest gain, or -1."""
    for slot in range(len(lists) - 1, -1, -1):
        if lists[slot] >= 0:
            return lists[slot]
    return -1


@compiled
def _move(indptr, indices, side, gain, head, after, before, vertex):
    """Take the vertex to the other side for good and correct its neighbours' gains."""
    _remove(head[side[vertex]], gain[vertex], after, before, vertex)
    side[vertex] ^= 1
    for position in range(indptr[vertex], indptr[vertex + 1]):
        neighbour = indices[position]
        if before[neighbour] == -2:
            continue
        lists = head[side[neighbour]]
        _remove(lists, gain[neighbour], after, before, neighbour)
        gain[neighbour] += 2 if side[neighbour] != side[vertex] else -2
        _insert(lists, gain[neighbour], after, before, neighbour)
