"""Breadth-first searches, one bit for each source: pairs by hops, hops between all routers; girth by truncated searches."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

SOURCES = 512
"""Sources of one pass: eight 64-bit words per router, one cache line."""

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_PAIRS = np.uint64(0x5555555555555555)
_QUADS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)

UNREACHED = 255
"""Distance of disconnected routers; finite distances are at most 254 hops."""


@compiled
def ones(x):
    """Return the number of set bits of a uint64."""
    x -= (x >> _ONE) & _PAIRS
    x = (x & _QUADS) + ((x >> _TWO) & _QUADS)
    x = (x + (x >> _FOUR)) & _BYTES
    x += x >> np.uint64(8)
    x += x >> np.uint64(16)
    x += x >> np.uint64(32)
    return np.int64(x & np.uint64(127))


@compiled
def count_hops(indptr, indices, sources, weight, old, new, counts, weighted):
    """Add to `counts[h]` the pairs (source, router) at h hops, and to `weighted[h]` the routers' weights.

    `old` and `new` (uint64, routers x 8): bit s of a router is set once source s has reached it.
    At most 512 sources; unused bits are set everywhere, so that a full row always means "done".
    Return the largest finite distance, or -1 if `counts` is too short.
    """
    routers = len(indptr) - 1
    for word in range(SOURCES // 64):
        unused = np.uint64(0)
        for bit in range(64):
            if 64 * word + bit >= len(sources):
                unused |= _ONE << np.uint64(bit)
        # Element by element: the assignment of a row takes long to compile.
        for router in range(routers):
            old[router, word] = unused
    for bit in range(len(sources)):
        old[sources[bit], bit >> 6] |= _ONE << np.uint64(bit & 63)
        counts[0] += 1
        weighted[0] += weight[sources[bit]]
    hops = 0
    left = len(sources) * (routers - 1)
    while left > 0:
        reached = 0
        reached_weight = 0
        for router in range(routers):
            more = _spread(indptr, indices, router, old, new)
            reached += more
            reached_weight += more * weight[router]
        if reached == 0:
            break
        hops += 1
        if hops == len(counts):
            return -1
        counts[hops] += reached
        weighted[hops] += reached_weight
        left -= reached
        old, new = new, old
    return hops


@compiled
def _spread(indptr, indices, router, old, new):
    """Set the router's row of `new` to the union of its own and its neighbors' rows; return the number of bits added."""
    a0, a1, a2, a3 = old[router, 0], old[router, 1], old[router, 2], old[router, 3]
    a4, a5, a6, a7 = old[router, 4], old[router, 5], old[router, 6], old[router, 7]
    full = (a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == _ALL
    more = 0
    if not full:
        b0, b1, b2, b3, b4, b5, b6, b7 = a0, a1, a2, a3, a4, a5, a6, a7
        for position in range(indptr[router], indptr[router + 1]):
            near = old[indices[position]]
            a0 |= near[0]
            a1 |= near[1]
            a2 |= near[2]
            a3 |= near[3]
            a4 |= near[4]
            a5 |= near[5]
            a6 |= near[6]
            a7 |= near[7]
            if (a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == _ALL:
                break
        more = ones(a0 ^ b0) + ones(a1 ^ b1) + ones(a2 ^ b2) + ones(a3 ^ b3)
        more += ones(a4 ^ b4) + ones(a5 ^ b5) + ones(a6 ^ b6) + ones(a7 ^ b7)
    row = new[router]
    row[0], row[1], row[2], row[3] = a0, a1, a2, a3
    row[4], row[5], row[6], row[7] = a4, a5, a6, a7
    return more


@compiled
def shortest_cycle(indptr, indices, link, sources, distance, parent, queue):
    """Return the length of the shortest cycle found by searches from `sources`; 0 if there is none.

    A link other than the one through which its router was reached closes a cycle. Parallel links
    form a cycle of two. `distance` (int32) must be -1 everywhere, and is restored.
    """
    best = np.int64(2**31 - 1)
    for start in sources:
        distance[start] = 0
        parent[start] = -1
        queue[0] = start
        first, last = 0, 1
        while first < last and 2 * distance[queue[first]] + 1 < best:
            router = queue[first]
            first += 1
            for position in range(indptr[router], indptr[router + 1]):
                neighbor = indices[position]
                if link[position] == parent[router]:
                    continue
                if distance[neighbor] < 0:
                    distance[neighbor] = distance[router] + 1
                    parent[neighbor] = link[position]
                    queue[last] = neighbor
                    last += 1
                else:
                    best = min(best, distance[router] + distance[neighbor] + 1)
        for position in range(last):
            distance[queue[position]] = -1
    return best if best < 2**31 - 1 else 0


@compiled
def hop_distances(indptr, indices, distance):
    """Fill `distance` (uint8, routers x routers) with hops; return the largest finite one, or -1 if one exceeds 254.

    Rows are filled from the target's side, 64 sources at once, one bit each: links have both directions.
    """
    count = len(indptr) - 1
    old, new = np.empty(count, np.uint64), np.empty(count, np.uint64)
    distance[:] = UNREACHED
    largest = 0
    for first in range(0, count, 64):
        old[:] = 0
        every = np.uint64(0)
        for bit in range(min(64, count - first)):
            old[first + bit] = _ONE << np.uint64(bit)
            every |= _ONE << np.uint64(bit)
            distance[first + bit, first + bit] = 0
        hops = 0
        spreading = True
        while spreading:
            hops += 1
            spreading = False
            for router in range(count):
                seen = old[router]
                reached = seen
                if seen != every:
                    for position in range(indptr[router], indptr[router + 1]):
                        reached |= old[indices[position]]
                new[router] = reached
                fresh = reached ^ seen
                if fresh != 0:
                    if hops == UNREACHED:
                        return -1
                    spreading = True
                    row = distance[router]
                    while fresh != 0:
                        others = fresh & (fresh - _ONE)
                        row[first + ones((fresh ^ others) - _ONE)] = hops
                        fresh = others
            if spreading:
                largest = max(largest, hops)
                old, new = new, old
    return largest


@compiled
def minimal_ports(indptr, indices, distance, masks):
    """Fill `masks` (uint32, routers x targets x words): bit p % 32 of word p // 32 is set when port p leads nearer."""
    count = len(indptr) - 1
    masks[:] = 0
    for router in range(count):
        for position in range(indptr[router], indptr[router + 1]):
            port = position - indptr[router]
            word = port >> 5
            bit = np.uint32(1 << (port & 31))
            nearer = distance[indices[position]]
            here = distance[router]
            for target in range(count):
                if nearer[target] < here[target]:
                    masks[router, target, word] |= bit
