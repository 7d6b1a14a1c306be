"""Cheapest cable route over trays, from segment to segment.

References
----------
.. [1] P. Hart, N. Nilsson, B. Raphael, "A formal basis for the heuristic determination of minimum cost paths",
   IEEE Trans. Systems Science and Cybernetics 4, 1968.
.. [2] A. Goldberg, C. Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005 (landmarks).
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import uncounted
from planner.kernels.heap import Heap, pop, push

Trays = namedtuple("Trays", "indptr neighbor segment length_mm room_um2 carries")
"""Nodes with their segments, int64 (V + 1,), int32 (2 K,) twice; of each segment: float64, int64, uint8 (K,).

A bit of `carries` is set if the segment carries that medium class.
"""

Search = namedtuple("Search", "ahead_mm landmark_mm reached seen settled through before heap path marked turn")
"""Scratch, and data for lower bounds of the remaining length: lengths to the targets, `ahead_mm`, float64 (rows, V), infinite
if unreachable; for demands with row -1 the lengths to some landmarks, `landmark_mm`, float64 (V, landmarks).
`marked` (int64, K) is the turn in which a segment was marked."""


def scratch(nodes, segments, ahead_mm, landmark_mm):
    """Return a `Search`; not compiled."""
    pushes = 2 * segments + 4
    return Search(
        ahead_mm=ahead_mm,
        landmark_mm=landmark_mm,
        reached=np.empty(nodes),
        seen=np.zeros(nodes, np.int64),
        settled=np.zeros(nodes, np.int64),
        through=np.empty(nodes, np.int32),
        before=np.empty(nodes, np.int32),
        heap=Heap(np.empty(pushes), np.empty(pushes), np.empty(pushes, np.int32)),
        path=np.empty(nodes, np.int32),
        marked=np.zeros(segments, np.int64),
        turn=np.zeros(1, np.int64),
    )


@uncounted
def find(trays, demands, search, routed, demand, cables, pressure, strict, mark):
    """Write the cheapest route of `cables` cables of the demand to `search.path`; return its number of segments, -1 if none.

    The cost per cable of a segment is its length plus cross-section times price, plus cross-section times `pressure` for the
    overflow. If `strict`, segments need space and prices are ignored. Ties are broken by the
    remaining length, then by the node. Only segments marked in turn `mark` or later are used.
    """
    search.turn[0] += 1
    turn = search.turn[0]
    first, last, kind = demands.first[demand], demands.last[demand], demands.kind[demand]
    cable = demands.cable_um2[demand]
    area = cable * cables
    row = demands.row[demand]
    search.reached[first] = 0.0
    search.seen[first] = turn
    search.before[first] = -1
    waiting = push(search.heap, 0, 0.0, 0.0, first)
    while waiting > 0:
        node = search.heap.node[0]
        waiting = pop(search.heap, waiting)
        if node == last:
            return _trace(search, last)
        if search.settled[node] == turn:
            continue
        search.settled[node] = turn
        for position in range(trays.indptr[node], trays.indptr[node + 1]):
            near = trays.neighbor[position]
            segment = trays.segment[position]
            if search.settled[near] == turn or not trays.carries[segment] & kind or search.marked[segment] < mark:
                continue
            over = routed.use_um2[segment] + area - trays.room_um2[segment]
            cost = search.reached[node] + trays.length_mm[segment]
            if strict:
                if over > 0 and area > 0:
                    continue
            else:
                cost += routed.price[segment] * cable
                if over > 0 and area > 0:
                    cost += pressure * cable * min(1.0, over / area)
            if search.seen[near] != turn or cost < search.reached[near]:
                left = ahead(search, row, near, last)
                if left == np.inf:
                    continue
                search.seen[near] = turn
                search.reached[near] = cost
                search.before[near] = node
                search.through[near] = segment
                waiting = push(search.heap, waiting, cost + left, left, near)
    return -1


@uncounted
def ahead(search, row, node, last):
    """Return a lower bound of the length from `node` to `last`."""
    if row >= 0:
        return search.ahead_mm[row, node]
    bound = 0.0
    for place in range(search.landmark_mm.shape[1]):
        apart = abs(search.landmark_mm[node, place] - search.landmark_mm[last, place])
        # NaN if the landmark is unreachable.
        if bound < apart < np.inf:
            bound = apart
    return bound


@uncounted
def _trace(search, last):
    """Write the segments from the first node to `last`; return their number."""
    count = 0
    node = last
    while search.before[node] >= 0:
        count += 1
        node = search.before[node]
    node = last
    for step in range(count - 1, -1, -1):
        search.path[step] = search.through[node]
        node = search.before[node]
    return count
