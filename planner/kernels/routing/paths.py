"""Paths between routers: number of shortest paths, and the k shortest paths."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled


@compiled
def count_shortest(indptr, indices, distance, counts):
    """Fill `counts` (float64, routers x targets) with the number of shortest paths."""
    routers = len(indptr) - 1
    order = np.empty(routers, np.int64)
    for target in range(routers):
        order[:] = np.argsort(distance[target])
        for i in range(routers):
            router = order[i]
            counts[router, target] = 1.0 if router == target else 0.0
            for position in range(indptr[router], indptr[router + 1]):
                neighbor = indices[position]
                if distance[neighbor, target] < distance[router, target]:
                    counts[router, target] += counts[neighbor, target]


@compiled
def shortest_paths(indptr, indices, ascending, distance, pairs, paths, longer, tries, table, longest, short):
    """Write the first loopless paths of each pair, ordered by hops, then by router numbers, as ports into `table`.

    Depth-first search with a hop limit, pruned by the distance to the target; the limit starts at the distance and
    increases by one.

    Parameters
    ----------
    ascending
        Entries of each router in ascending order of neighbors, int64 (2L,); parallel links are distinct.
    distance
        Hops between all routers, the same in both directions, uint8 (R, R).
    pairs
        int64 (P, 2).
    paths
        Maximum paths per pair.
    longer
        Maximum hops beyond the distance.
    tries
        Step limit per pair.
    table
        uint8 (P, 1 + paths * longest): the number of paths found, then their ports.
    short
        Set to 1 for every pair with fewer paths found, else 0: uint8 (P,).
    """
    routers = len(indptr) - 1
    on_path = np.zeros(routers, np.uint8)
    path = np.empty(longest + 1, np.int64)
    at = np.empty(longest + 1, np.int64)
    port = np.empty(longest + 1, np.uint8)
    for pair in range(len(pairs)):
        source, target = pairs[pair]
        to_target = distance[target]
        found = 0
        steps = 0
        shortest = np.int64(to_target[source])
        for hops in range(shortest, min(shortest + longer, longest) + 1):
            if found == paths or source == target:
                break
            depth = 0
            path[0] = source
            at[0] = indptr[source]
            on_path[source] = 1
            while depth >= 0:
                router = path[depth]
                if at[depth] == indptr[router + 1] or found == paths or steps > tries:
                    on_path[router] = 0
                    depth -= 1
                    continue
                entry = ascending[at[depth]]
                at[depth] += 1
                neighbor = indices[entry]
                left = hops - depth - 1
                if to_target[neighbor] > left or on_path[neighbor] or (neighbor == target and left > 0):
                    continue
                steps += 1
                port[depth] = entry - indptr[router]
                if left == 0:
                    for i in range(hops):
                        table[pair, 1 + found * longest + i] = port[i]
                    found += 1
                    continue
                depth += 1
                path[depth] = neighbor
                at[depth] = indptr[neighbor]
                on_path[neighbor] = 1
        table[pair, 0] = found
        short[pair] = 1 if found < paths and source != target else 0
