"""Fastest minimal paths from one router to all: breadth-first search with minimum delay."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

PAIRS, HOPS, DELAY, WORST = 0, 1, 2, 3
"""Columns of the sums of `sources`."""

END_PAIRS, END_DELAY, END_WORST, FAR, END_FAR = 0, 1, 2, 3, 4
"""Columns of the results by source: endpoint pairs, their delay, the largest; the routers at the worst delays."""


_HOP = np.int64(1) << np.int64(48)
"""One hop in a key: hops, then the delay, which stays below 280 s."""

_UNREACHED = np.int64(2**63 - 1)


@compiled
def fastest(indptr, indices, arc_ps, source, hops, delay_ps, before, arc, queue):
    """Fill hops, delay, predecessor and arc of the path from `source`; return the number of routers reached.

    The delay of a router is final before routers one hop farther are processed, so one pass suffices.
    Of equally fast paths the first one is kept. `hops` is -1 for unreachable routers; `queue` holds
    the routers in order of hops. `arc_ps` int64 (A,), `delay_ps` int64 (R,), the rest int32 (R,).
    """
    routers = len(hops)
    # During the search, delays are keys: one comparison then decides by hops and delay.
    for router in range(routers):
        delay_ps[router] = _UNREACHED
    delay_ps[source], before[source], arc[source] = 0, -1, -1
    queue[0] = source
    first, last = 0, 1
    while first < last:
        router = queue[first]
        # Once all are reached, the last level leads to no others.
        if last == routers and delay_ps[router] // _HOP == delay_ps[queue[last - 1]] // _HOP:
            break
        first += 1
        here = delay_ps[router] + _HOP
        for position in range(indptr[router], indptr[router + 1]):
            neighbor = indices[position]
            key = here + arc_ps[position]
            if key < delay_ps[neighbor]:
                if delay_ps[neighbor] == _UNREACHED:
                    queue[last] = neighbor
                    last += 1
                delay_ps[neighbor] = key
                before[neighbor] = router
                arc[neighbor] = position
    for router in range(routers):
        key = delay_ps[router]
        hops[router] = -1 if key == _UNREACHED else key // _HOP
        delay_ps[router] = key % _HOP
    return last


@compiled
def sources(
    indptr, indices, link, arc_ps, router_ps, member, endpoints, end_ps, slowest_ps, chosen, histogram, sums, passed, ends
):
    """Accumulate the paths from each router of `chosen` to all.

    Parameters are arrays: `arc_ps` int64 (A,), the delay of the link and of the router at its end; `router_ps` int64 (R,);
    `member` int32 (R, M), the cabinet and groups of each router: the class of a pair is the first column in which both agree,
    or M; `endpoints` int64 (R,); `end_ps` and `slowest_ps` int64 (R,): sum and largest of the delays of the endpoint cables.
    Results: `histogram` int64 (R,) and `passed` int64 (L, M + 1), the paths over each link by class, are incremented; `sums`
    int64 (chosen, M + 1, 4) by source and class; `ends` int64 (chosen, 5) by source. All must be 0.
    """
    routers, levels = len(indptr) - 1, member.shape[1]
    hops, before, arc, queue = (
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
    )
    delay_ps = np.empty(routers, np.int64)
    # Paths to and through each router, by class.
    paths = np.zeros((routers, levels + 1), np.int32)
    for number in range(len(chosen)):
        source = chosen[number]
        reached = fastest(indptr, indices, arc_ps, source, hops, delay_ps, before, arc, queue)
        histogram[0] += 1
        own, farthest = endpoints[source], np.int64(-1)
        far, end_far = np.int64(source), np.int64(source)
        end_pairs, end_delay, end_worst = np.int64(0), np.int64(0), np.int64(-1)
        if own > 1:
            end_pairs = own * (own - 1)
            end_delay = own * (own - 1) * router_ps[source] + 2 * (own - 1) * end_ps[source]
            end_worst = router_ps[source] + 2 * slowest_ps[source]
        for place in range(1, reached):
            router = queue[place]
            delay = delay_ps[router] + router_ps[source]
            histogram[hops[router]] += 1
            alike = 0
            while alike < levels and member[source, alike] != member[router, alike]:
                alike += 1
            paths[router, alike] += 1
            row = sums[number, alike]
            row[PAIRS] += 1
            row[HOPS] += hops[router]
            row[DELAY] += delay
            row[WORST] = max(row[WORST], delay)
            if delay > farthest:
                farthest = delay
                far = np.int64(router)
            there = endpoints[router]
            if own > 0 and there > 0:
                end_pairs += own * there
                end_delay += own * there * delay + there * end_ps[source] + own * end_ps[router]
                reach = delay + slowest_ps[source] + slowest_ps[router]
                if reach > end_worst:
                    end_worst, end_far = reach, np.int64(router)
        result = ends[number]
        result[END_PAIRS], result[END_DELAY], result[END_WORST] = end_pairs, end_delay, end_worst
        result[FAR], result[END_FAR] = far, end_far
        # From the ends of the paths to their beginning.
        for place in range(reached - 1, 0, -1):
            router = queue[place]
            over, above = link[arc[router]], before[router]
            for alike in range(levels + 1):
                count = paths[router, alike]
                # Nearly all pairs are of one class.
                if count > 0:
                    passed[over, alike] += count
                    paths[above, alike] += count
                    paths[router, alike] = 0
        for alike in range(levels + 1):
            paths[source, alike] = 0
