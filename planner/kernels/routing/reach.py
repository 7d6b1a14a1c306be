"""Reach of polarized routes: all that a packet may take, followed for many targets at once."""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, compiled
from planner.kernels.graph.bfs import UNREACHED, ones
from planner.kernels.instructions import WORDS, include

_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)
_BITS = 64 * WORDS


@bare
def _steps(indptr, indices, distance, first, nearer, not_farther):
    """Fill the masks of the targets from number `first` on that a link leads nearer to, and not farther from.

    Entries are those of the receiving router: the link leads from the neighbor to it.
    """
    routers = len(indptr) - 1
    for router in range(routers):
        for entry in range(indptr[router], indptr[router + 1]):
            before = indices[entry]
            for word in range(WORDS):
                near = level = _NONE
                begin = first + 64 * word
                for target in range(begin, min(begin + 64, routers)):
                    bit = _ONE << np.uint64(target - begin)
                    if distance[router, target] < distance[before, target]:
                        near |= bit
                    elif distance[router, target] == distance[before, target]:
                        level |= bit
                nearer[entry, word] = near
                not_farther[entry, word] = near | level


@bare
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


@bare
def _permitted(indptr, indices, off, limit, strong, all_bits, nearer, not_farther, inside, outside, allowed, onward):
    """Fill the masks of the targets for which packets of a source may take each link, and any link of a router.

    `off` are the hops from the source. A step off it is allowed unless it leads farther from the target, or if the target is
    more hops away than the source; a step to a router as far from it if that is nearer to the target; a step toward it if that
    is nearer to the target, which is no more hops away than the source. `strong` leaves out what keeps the difference of both.
    """
    for router in range(len(off)):
        for word in range(WORDS):
            onward[router, word] = _NONE
    for router in range(len(off)):
        for entry in range(indptr[router], indptr[router + 1]):
            before = np.int64(indices[entry])
            for word in range(WORDS):
                allowed[entry, word] = _NONE
            step = np.int64(off[router]) - np.int64(off[before])
            ball = before * limit + min(np.int64(off[before]), limit - 1)
            if step > 0:
                include(allowed, entry, all_bits, 0, not_farther, entry)
                if not strong:
                    include(allowed, entry, all_bits, 0, outside, ball)
            elif step == 0:
                include(allowed, entry, all_bits, 0, nearer, entry)
            elif not strong:
                include(allowed, entry, inside, ball, nearer, entry)
            include(onward, before, all_bits, 0, allowed, entry)


@bare
def _follow(indptr, indices, distance, first, source, targets, allowed, onward, here, following, trapped):
    """Return the maximum hops of the packets of a source to the targets from number `first` on; marks those trapped."""
    routers = len(indptr) - 1
    for router in range(routers):
        for word in range(WORDS):
            here[router, word] = _NONE
    some = _NONE
    for word in range(WORDS):
        here[source, word] = targets[0, word]
        if 0 <= source - first - 64 * word < 64:
            here[source, word] &= ~(_ONE << np.uint64(source - first - 64 * word))
        some |= here[source, word]
        trapped[word] = _NONE
    longest = hops = np.int64(0)
    while some and hops < 254:
        for router in range(routers):
            for word in range(WORDS):
                stuck = here[router, word] & ~onward[router, word]
                trapped[word] |= stuck
                while stuck:
                    lowest = stuck & (~stuck + _ONE)
                    target = first + 64 * word + ones(lowest - _ONE)
                    longest = max(longest, hops + np.int64(distance[router, target]))
                    stuck ^= lowest
                following[router, word] = _NONE
        for router in range(routers):
            for entry in range(indptr[router], indptr[router + 1]):
                include(following, router, here, np.int64(indices[entry]), allowed, entry)
        hops += 1
        some = _NONE
        for router in range(routers):
            any_here = _NONE
            for word in range(WORDS):
                any_here |= following[router, word]
            if any_here:
                longest = max(longest, hops)
                if 0 <= router - first < _BITS:
                    following[router, (router - first) >> 6] &= ~(_ONE << np.uint64((router - first) & 63))
                for word in range(WORDS):
                    some |= following[router, word]
        here, following = following, here
    return longest


@compiled
def polarized_reach(indptr, indices, distance, sources, targets, strong):
    """Return the maximum hops of a polarized route, minimal after dead ends, and the number of pairs with a dead end.

    Sources and targets are connected routers. Packets are followed for `WORDS` words of targets at a time, one bit each, so
    that the masks of all links stay in the processor's cache for all sources: a router receives packets from each neighbor by
    one instruction.
    """
    routers, entries = len(indptr) - 1, len(indices)
    limit = 1
    for router in range(routers):
        for target in targets:
            if distance[router, target] < UNREACHED:
                limit = max(limit, np.int64(distance[router, target]) + 1)
    masks = np.empty((3, entries, WORDS), np.uint64)
    spheres = np.empty((2, routers * limit, WORDS), np.uint64)
    states = np.empty((3, routers, WORDS), np.uint64)
    wanted = np.empty((1, WORDS), np.uint64)
    all_bits = np.full((1, WORDS), _ALL)
    trapped = np.empty(WORDS, np.uint64)
    longest = np.int64(0)
    trapped_pairs = np.int64(0)
    for first in range(0, routers, _BITS):
        wanted[:] = _NONE
        for target in targets:
            if 0 <= target - first < _BITS:
                wanted[0, (target - first) >> 6] |= _ONE << np.uint64((target - first) & 63)
        _steps(indptr, indices, distance, first, masks[0], masks[1])
        _spheres(distance, first, limit, spheres[0], spheres[1])
        for source in sources:
            _permitted(
                indptr, indices, distance[source], limit, strong, all_bits, masks[0], masks[1], spheres[0], spheres[1],
                masks[2], states[0],
            )  # fmt: skip
            hops = _follow(
                indptr, indices, distance, first, source, wanted, masks[2], states[0], states[1], states[2], trapped
            )  # fmt: skip
            longest = max(longest, hops)
            for word in range(WORDS):
                trapped_pairs += ones(trapped[word])
    return longest, trapped_pairs
