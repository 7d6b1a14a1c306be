"""Paths between routers: number of shortest paths, the k shortest paths, and the reach of polarized routes."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled, vectorized
from planner.kernels.graph.bfs import UNREACHED, ones

_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)


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
def shortest_paths(indptr, indices, distance, pairs, paths, longer, tries, table, longest, short):
    """Write the first loopless paths of each pair, ordered by hops, then by router numbers, as ports into `table`.

    Depth-first search with a hop limit, pruned by the distance to the target; the limit starts at the distance and
    increases by one.

    Parameters
    ----------
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
    # Ports in ascending order of neighbors; parallel links are distinct.
    ascending = np.empty(len(indices), np.int64)
    for router in range(routers):
        row = indices[indptr[router] : indptr[router + 1]]
        ascending[indptr[router] : indptr[router + 1]] = indptr[router] + np.argsort(row, kind="mergesort")
    on_path = np.zeros(routers, np.uint8)
    path = np.empty(longest + 1, np.int64)
    at = np.empty(longest + 1, np.int64)
    port = np.empty(longest + 1, np.uint8)
    for pair in range(len(pairs)):
        source, target = pairs[pair]
        found = 0
        steps = 0
        shortest = np.int64(distance[source, target])
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
                if on_path[neighbor] or distance[neighbor, target] > left or (neighbor == target and left > 0):
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


@vectorized
def advance(here, router, following, neighbor, onward, nearer, level, entry, beyond, off, farther, far_too, back):
    """Advance packets over one link: the targets of those at `router` that may take it, one bit each, join `following`.

    `farther`, `far_too` and `back` are masks: with all bits set, a step off the source also admits targets of the same distance
    and those more than `off` hops away, and a step toward the source admits none of these.
    """
    for word in range(here.shape[1]):
        far = beyond[router, off, word]
        allowed = (nearer[entry, word] | (level[entry, word] & farther) | (far & far_too)) & ~(far & back)
        onward[word] |= allowed
        following[neighbor, word] |= here[router, word] & allowed


@compiled
def polarized_reach(indptr, indices, distance, sources, targets, strong):
    """Return the maximum hops of a polarized route, minimal after dead ends, and the number of pairs with a dead end.

    Sources and targets are connected routers.

    For each source the routers reached after each hop are traced for all targets at once, one bit each.
    """
    routers = len(indptr) - 1
    words = (routers + 63) // 64
    nearer = np.zeros((len(indices), words), np.uint64)
    level = np.zeros((len(indices), words), np.uint64)
    diameter = 0
    for router in range(routers):
        for target in targets:
            if distance[router, target] < UNREACHED:
                diameter = max(diameter, np.int64(distance[router, target]))
        for entry in range(indptr[router], indptr[router + 1]):
            for target in range(routers):
                bit = _ONE << np.uint64(target & 63)
                if distance[indices[entry], target] < distance[router, target]:
                    nearer[entry, target >> 6] |= bit
                elif distance[indices[entry], target] == distance[router, target]:
                    level[entry, target >> 6] |= bit
    beyond = np.zeros((routers, diameter + 1, words), np.uint64)
    for router in range(routers):
        for target in range(routers):
            for hops in range(min(diameter, np.int64(distance[router, target]))):
                beyond[router, hops, target >> 6] |= _ONE << np.uint64(target & 63)
    here = np.empty((routers, words), np.uint64)
    following = np.empty((routers, words), np.uint64)
    trapped = np.empty(words, np.uint64)
    onward = np.empty(words, np.uint64)
    longest = 0
    trapped_pairs = 0
    for source in sources:
        here[:] = np.uint64(0)
        for target in targets:
            if target != source:
                here[source, target >> 6] |= _ONE << np.uint64(target & 63)
        trapped[:] = np.uint64(0)
        hops = 0
        moving = True
        while moving and hops < 254:
            moving = False
            following[:] = np.uint64(0)
            for router in range(routers):
                any_here = np.uint64(0)
                for word in range(words):
                    any_here |= here[router, word]
                    onward[word] = np.uint64(0)
                if any_here == 0:
                    continue
                off = np.int64(distance[source, router])
                for entry in range(indptr[router], indptr[router + 1]):
                    step = np.int64(distance[source, indices[entry]]) - off
                    if step >= 0 or not strong:
                        advance(
                            here, router, following, np.int64(indices[entry]), onward, nearer, level, entry, beyond, off,
                            _ALL if step > 0 else _NONE, _ALL if step > 0 and not strong else _NONE, _ALL if step < 0 else _NONE,
                        )  # fmt: skip
                for word in range(words):
                    stuck = here[router, word] & ~onward[word]
                    trapped[word] |= stuck
                    while stuck:
                        lowest = stuck & (~stuck + _ONE)
                        target = word * 64 + ones(lowest - _ONE)
                        longest = max(longest, hops + np.int64(distance[router, target]))
                        stuck ^= lowest
            hops += 1
            for router in range(routers):
                arrived = _ONE << np.uint64(router & 63)
                for word in range(words):
                    bits = following[router, word]
                    if bits:
                        longest = max(longest, hops)
                    if word == router >> 6:
                        bits &= ~arrived
                    here[router, word] = bits
                    if bits:
                        moving = True
        for word in range(words):
            trapped_pairs += ones(trapped[word])
    return longest, trapped_pairs
