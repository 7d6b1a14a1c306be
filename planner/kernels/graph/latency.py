"""Fastest minimal paths from one router to all: breadth-first search with minimum delay."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

PAIRS, HOPS, DELAY, WORST, PARTS = 0, 1, 2, 3, 4
"""Columns of the sums of `sources`; the components of the delay begin at the last."""

END_PAIRS, END_DELAY, END_WORST, FAR, END_FAR = 0, 1, 2, 3, 4
"""Columns of the results by source: endpoint pairs, their delay, the largest; the routers at the worst delays."""


@compiled
def fastest(indptr, indices, arc_ps, source, hops, delay_ps, before, arc, queue):
    """Fill hops, delay, predecessor and arc of the path from `source`; return the number of routers reached.

    The delay of a router is final before routers one hop farther are processed, so one pass suffices.
    Of equally fast paths the first one is kept. `hops` is -1 for unreachable routers; `queue` holds
    the routers in order of hops. `arc_ps` int64 (A,), `delay_ps` int64 (R,), the rest int32 (R,).
    """
    hops[:] = -1
    hops[source], delay_ps[source], before[source], arc[source] = 0, 0, -1, -1
    queue[0] = source
    first, last = 0, 1
    while first < last:
        router = queue[first]
        first += 1
        next_hops, here = hops[router] + 1, delay_ps[router]
        for position in range(indptr[router], indptr[router + 1]):
            neighbor = indices[position]
            if hops[neighbor] < 0:
                hops[neighbor] = next_hops
                queue[last] = neighbor
                last += 1
            elif hops[neighbor] != next_hops or here + arc_ps[position] >= delay_ps[neighbor]:
                continue
            delay_ps[neighbor] = here + arc_ps[position]
            before[neighbor] = router
            arc[neighbor] = position
    return last


@compiled
def sources(
    indptr, indices, link, arc_ps, parts_ps, router_ps, member, endpoints, end_ps, slowest_ps, chosen, histogram, sums, ends
):
    """Accumulate the paths from each router of `chosen` to all.

    Parameters are arrays: `arc_ps` int64 (A,), the delay of the link and of the router at its end; `router_ps` int64 (R,);
    `parts_ps` int64 (L, P), the components of the delay of a link; `member` int32 (R, M), the
    cabinet and groups of each router: the class of a pair is the first column in which both agree,
    or M; `endpoints` int64 (R,); `end_ps` and `slowest_ps` int64 (R,): sum and largest of the
    delays of the endpoint cables. Results: `histogram` int64 (R,) is incremented; `sums` int64
    (chosen, M + 1, PARTS + P) by source and class; `ends` int64 (chosen, 5) by source. All must be 0.
    """
    routers, levels = len(indptr) - 1, member.shape[1]
    columns = parts_ps.shape[1]
    hops, before, arc, queue = (
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
        np.empty(routers, np.int32),
    )
    delay_ps = np.empty(routers, np.int64)
    parts = np.zeros((routers, columns), np.int64)
    for number in range(len(chosen)):
        source = chosen[number]
        reached = fastest(indptr, indices, arc_ps, source, hops, delay_ps, before, arc, queue)
        histogram[0] += 1
        parts[source, :] = 0
        own, farthest = endpoints[source], np.int64(-1)
        result = ends[number]
        result[END_WORST], result[FAR], result[END_FAR] = -1, source, source
        if own > 1:
            result[END_PAIRS] = own * (own - 1)
            result[END_DELAY] = own * (own - 1) * router_ps[source] + 2 * (own - 1) * end_ps[source]
            result[END_WORST] = router_ps[source] + 2 * slowest_ps[source]
        for place in range(1, reached):
            router = queue[place]
            delay = delay_ps[router] + router_ps[source]
            histogram[hops[router]] += 1
            alike = 0
            while alike < levels and member[source, alike] != member[router, alike]:
                alike += 1
            row = sums[number, alike]
            row[PAIRS] += 1
            row[HOPS] += hops[router]
            row[DELAY] += delay
            row[WORST] = max(row[WORST], delay)
            for part in range(columns):
                parts[router, part] = parts[before[router], part] + parts_ps[link[arc[router]], part]
                row[PARTS + part] += parts[router, part]
            if delay > farthest:
                farthest = delay
                result[FAR] = router
            there = endpoints[router]
            if own > 0 and there > 0:
                result[END_PAIRS] += own * there
                result[END_DELAY] += own * there * delay + there * end_ps[source] + own * end_ps[router]
                reach = delay + slowest_ps[source] + slowest_ps[router]
                if reach > result[END_WORST]:
                    result[END_WORST] = reach
                    result[END_FAR] = router
