"""Shortest-path trees over trays at prices: distances, flows, and cuts."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import compiled, uncounted
from planner.kernels.heap import Heap, pop, push

Tree = namedtuple("Tree", "distance before through order heap")
"""One tree: distance of each node, float64, infinite if unreachable; preceding node and segment, int32; the nodes in
the order of their distances, int32; a heap. All (V,)."""

Grouped = namedtuple("Grouped", "indptr other area_um2")
"""Demands by node: for each node the other ends and the cross-section of all cables, CSR, int64, int32, int64."""


def scratch(nodes, segments):
    """Return a `Tree`; not compiled."""
    pushes = 2 * segments + 2
    return Tree(
        distance=np.empty(nodes),
        before=np.empty(nodes, np.int32),
        through=np.empty(nodes, np.int32),
        order=np.empty(nodes, np.int32),
        heap=Heap(np.empty(pushes), np.empty(pushes), np.empty(pushes, np.int32)),
    )


@uncounted
def grow(trays, cost, kinds, source, tree):
    """Fill the tree from `source` at `cost` (float64, K) over segments that carry one of `kinds`; return its number of nodes."""
    # Loops compile ten times faster than array assignments.
    for node in range(len(tree.distance)):
        tree.distance[node] = np.inf
    tree.distance[source] = 0.0
    tree.before[source] = -1
    waiting = push(tree.heap, 0, 0.0, 0.0, source)
    settled = 0
    while waiting > 0:
        node, key = tree.heap.node[0], tree.heap.key[0]
        waiting = pop(tree.heap, waiting)
        if key > tree.distance[node]:
            continue
        tree.order[settled] = node
        settled += 1
        for position in range(trays.indptr[node], trays.indptr[node + 1]):
            segment = trays.segment[position]
            if trays.carries[segment] & kinds:
                near = trays.neighbor[position]
                reached = key + cost[segment]
                if reached < tree.distance[near]:
                    tree.distance[near] = reached
                    tree.before[near] = node
                    tree.through[near] = segment
                    waiting = push(tree.heap, waiting, reached, 0.0, near)
    return settled


@compiled
def distances(trays, cost, kinds, sources, tree, distance):
    """Fill row i of `distance` (float64, sources x V) with the distances from `sources[i]`."""
    for row in range(len(sources)):
        grow(trays, cost, kinds, sources[row], tree)
        for node in range(len(tree.distance)):
            distance[row, node] = tree.distance[node]


@compiled
def loads(trays, cost, kinds, grouped, tree, flow, use):
    """Route all demands of `grouped`, each listed once, on cheapest routes; return the sum of cross-section times distance.

    Adds the load of each segment to `use` (float64, K); `flow` (float64, V) is scratch. Demands without a route are skipped.
    """
    total = 0.0
    for source in range(len(grouped.indptr) - 1):
        if grouped.indptr[source] == grouped.indptr[source + 1]:
            continue
        count = grow(trays, cost, kinds, source, tree)
        for node in range(len(flow)):
            flow[node] = 0.0
        for position in range(grouped.indptr[source], grouped.indptr[source + 1]):
            other = grouped.other[position]
            if tree.distance[other] < np.inf:
                flow[other] += grouped.area_um2[position]
                total += grouped.area_um2[position] * tree.distance[other]
        for place in range(count - 1, 0, -1):
            node = tree.order[place]
            use[tree.through[node]] += flow[node]
            flow[tree.before[node]] += flow[node]
    return total


@compiled
def widest_cut(trays, cost, kinds, grouped, sources, unlimited_um2, tree, rank, crossing):
    """Return the cut with the largest shortage among balls around `sources`: shortage in µm², index of its source, nodes inside.

    A ball contains the nodes within some distance at `cost`; the shortage is the crossing demand minus the capacity of the
    crossing segments. `grouped` lists every demand once. `rank` (int32, V) and `crossing` (float64, V) are scratch.
    """
    best, best_source, best_size = -np.inf, -1, 0
    for place in range(len(sources)):
        count = grow(trays, cost, kinds, sources[place], tree)
        for node in range(len(rank)):
            rank[node] = -1
            crossing[node] = 0.0
        for size in range(count):
            rank[tree.order[size]] = size
        # A demand crosses balls with one of its ends: from the rank of the nearer one on, up to that of the other.
        for node in range(len(rank)):
            mine = rank[node]
            if mine < 0:
                continue
            for position in range(grouped.indptr[node], grouped.indptr[node + 1]):
                other = rank[grouped.other[position]]
                if other >= 0:
                    crossing[min(mine, other)] += grouped.area_um2[position]
                    crossing[max(mine, other)] -= grouped.area_um2[position]
        needed = 0.0
        room = 0.0
        unlimited = 0
        for size in range(count - 1):
            node = tree.order[size]
            needed += crossing[size]
            for position in range(trays.indptr[node], trays.indptr[node + 1]):
                segment = trays.segment[position]
                if trays.carries[segment] & kinds and trays.neighbor[position] != node:
                    sign = -1 if rank[trays.neighbor[position]] < size else 1
                    if trays.room_um2[segment] >= unlimited_um2:
                        unlimited += sign
                    else:
                        room += sign * trays.room_um2[segment]
            if unlimited == 0 and needed - room > best:
                best, best_source, best_size = needed - room, place, size + 1
    return best, best_source, best_size
