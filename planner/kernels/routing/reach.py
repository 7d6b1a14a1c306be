"""Reach of polarized routes: all that a packet may take, followed for many targets at once."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, compiled, uncounted
from planner.kernels.graph.bfs import UNREACHED, ones
from planner.kernels.instructions import WORDS, include

_ONE, _NONE = np.uint64(1), np.uint64(0)
_BITS = 64 * WORDS


@always_inlined
def _union(rows, row):
    """Return a word with the bits of all words of a row."""
    union = _NONE
    for word in range(WORDS):
        union |= rows[row, word]
    return union


@uncounted
def _steps(indptr, indices, distance, first, steps):
    """Fill the masks of the targets from number `first` on, two rows per link: nearer to them, and not farther from them."""
    routers = len(indptr) - 1
    for router in range(routers):
        for entry in range(indptr[router], indptr[router + 1]):
            neighbor = indices[entry]
            for word in range(WORDS):
                near = level = _NONE
                begin = first + 64 * word
                for target in range(begin, min(begin + 64, routers)):
                    bit = _ONE << np.uint64(target - begin)
                    if distance[neighbor, target] < distance[router, target]:
                        near |= bit
                    elif distance[neighbor, target] == distance[router, target]:
                        level |= bit
                steps[2 * entry, word] = near
                steps[2 * entry + 1, word] = near | level


@uncounted
def _spheres(distance, first, limit, inside, outside):
    """Fill the masks of the targets from number `first` on, by router and hops: at most that far, and farther."""
    routers = len(distance)
    for router in range(routers):
        for hops in range(limit):
            row = router * limit + hops
            for word in range(WORDS):
                far = _NONE
                begin = first + 64 * word
                for target in range(begin, min(begin + 64, routers)):
                    if distance[router, target] > hops:
                        far |= _ONE << np.uint64(target - begin)
                outside[row, word] = far
                inside[row, word] = ~far


@uncounted
def _kept(router, off, limit, strong, here, inside, outside, kept, further):
    """Fill what the packets of a source at a router have in common with the conditions of each step: toward it, level, off it.

    `kept` applies to the masks of a link, `further` to any link off the source. `off` are the router's hops from the source.
    """
    ball = router * limit + min(off, limit - 1)
    for word in range(WORDS):
        packets = here[router, word]
        kept[0, word] = _NONE if strong else packets & inside[ball, word]
        kept[1, word] = kept[2, word] = packets
        further[0, word] = further[1, word] = _NONE
        further[2, word] = _NONE if strong else packets & outside[ball, word]


@uncounted
def _follow(indptr, indices, distance, first, source, strong, limit, longest, targets, steps, spheres, states, room, trapped):
    """Return the maximum of `longest` and the hops of a source's packets to the targets from number `first` on.

    Targets of trapped packets are marked.

    A step off the source is allowed unless it leads farther from the target, or if the target is more hops away than the
    source; a step to a router as far from it if that is nearer to the target; a step toward it if that is nearer to the target,
    which is no more hops away than the source. `strong` leaves out what keeps the difference of both.
    """
    routers, off = len(indptr) - 1, distance[source]
    here, following, kept, further, onward = states[0], states[1], room[0], room[1], room[2]
    for router in range(routers):
        for word in range(WORDS):
            here[router, word] = following[router, word] = _NONE
    some = _NONE
    for word in range(WORDS):
        here[source, word] = targets[0, word]
        if 0 <= source - first - 64 * word < 64:
            here[source, word] &= ~(_ONE << np.uint64(source - first - 64 * word))
        some |= here[source, word]
        trapped[word] = _NONE
    hops = np.int64(0)
    while some and hops < 254:
        for router in range(routers):
            if _union(here, router) == _NONE:
                continue
            _kept(router, np.int64(off[router]), limit, strong, here, spheres[0], spheres[1], kept, further)
            for word in range(WORDS):
                onward[0, word] = onward[1, word] = onward[2, word] = _NONE
            for entry in range(indptr[router], indptr[router + 1]):
                neighbor = np.int64(indices[entry])
                step = np.int64(off[neighbor]) - np.int64(off[router]) + 1
                include(following, neighbor, steps, 2 * entry + (step >> 1), kept, step, further, step)
                # Three rows in turns, so that an addition does not wait for the one before.
                include(onward, entry % 3, steps, 2 * entry + (step >> 1), kept, step, further, step)
            for word in range(WORDS):
                stuck = here[router, word] & ~(onward[0, word] | onward[1, word] | onward[2, word])
                here[router, word] = _NONE
                trapped[word] |= stuck
                while stuck:
                    lowest = stuck & (~stuck + _ONE)
                    target = first + 64 * word + ones(lowest - _ONE)
                    longest = max(longest, hops + np.int64(distance[router, target]))
                    stuck ^= lowest
        hops += 1
        some = _NONE
        for router in range(routers):
            if _union(following, router):
                longest = max(longest, hops)
                if 0 <= router - first < _BITS:
                    following[router, (router - first) >> 6] &= ~(_ONE << np.uint64((router - first) & 63))
                some |= _union(following, router)
        here, following = following, here
    return longest


@compiled
def polarized_reach(indptr, indices, distance, sources, targets, strong):
    """Return the maximum hops of a polarized route, minimal after dead ends, and the number of pairs with a dead end.

    Sources and targets are connected routers. Packets are followed for `WORDS` words of targets at a time, one bit each, so
    that the masks of all links stay in the processor's cache for all sources: a router sends packets to each neighbor by a few
    instructions.
    """
    routers, entries = len(indptr) - 1, len(indices)
    limit = 1
    for router in range(routers):
        for target in targets:
            if distance[router, target] < UNREACHED:
                limit = max(limit, np.int64(distance[router, target]) + 1)
    steps = np.empty((2 * entries, WORDS), np.uint64)
    spheres = np.empty((2, routers * limit, WORDS), np.uint64)
    states = np.empty((2, routers, WORDS), np.uint64)
    room = np.empty((3, 3, WORDS), np.uint64)
    wanted = np.empty((1, WORDS), np.uint64)
    trapped = np.empty(WORDS, np.uint64)
    longest = np.int64(0)
    trapped_pairs = np.int64(0)
    for first in range(0, routers, _BITS):
        wanted[:] = _NONE
        for target in targets:
            if 0 <= target - first < _BITS:
                wanted[0, (target - first) >> 6] |= _ONE << np.uint64((target - first) & 63)
        _steps(indptr, indices, distance, first, steps)
        _spheres(distance, first, limit, spheres[0], spheres[1])
        for source in sources:
            longest = _follow(
                indptr, indices, distance, first, source, strong, limit, longest, wanted, steps, spheres, states, room, trapped
            )
            for word in range(WORDS):
                trapped_pairs += ones(trapped[word])
    return longest, trapped_pairs
