"""Tabu search for the minimum bisection, continuing beyond local optima of exchanges.

References
----------
.. [1] F. Glover, "Tabu search, part I", ORSA J. Computing 1, 1989.
.. [2] U. Benlic, J.-K. Hao, "A multilevel memetic approach for improving graph k-partitions", IEEE Trans. Evolutionary
       Computation 15, 2011.
"""

from __future__ import annotations

from planner.kernels import bare
from planner.kernels.graph.cuts import fill, highest, insert, move, set_gains
from planner.kernels.random import below


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
