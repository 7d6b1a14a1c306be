"""Connectivity after failures, by disjoint sets: for each failure case, and number of link failures until disconnection."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

ROUTERS, LINKS, ENDS, COMPONENTS, LARGEST_ROUTERS, LARGEST_ENDS, LOST, DISCONNECTED = range(8)
"""Columns of the result of `losses`."""


@compiled
def losses(indptr, link, links, order, ends, router_at, routers, link_at, failed_links, end_at, end_routers, first, last, result):
    """Fill the rows `first` … `last` - 1 of `result` (int64, losses x 8).

    Loss d removes ``routers[router_at[d] : router_at[d + 1]]``, the links of `failed_links` likewise, and
    one endpoint of each router in `end_routers`. `ends` int64 (R,) counts endpoints by router.
    Links are examined in `order` until all survivors are connected; a spanning tree first, then random order, ends earliest.
    """
    router_count = len(indptr) - 1
    parent = np.empty(router_count, np.int32)
    size, left = np.empty(router_count, np.int64), np.empty(router_count, np.int64)
    router_failed, link_failed = np.full(router_count, -1, np.int32), np.full(len(links), -1, np.int32)
    total = np.int64(0)
    for router in range(router_count):
        total += ends[router]
    for loss in range(first, last):
        row = result[loss]
        row[LINKS] = _mark(
            indptr, link, routers[router_at[loss] : router_at[loss + 1]], failed_links[link_at[loss] : link_at[loss + 1]],
            router_failed, link_failed, loss,
        )  # fmt: skip
        components = 0
        for router in range(router_count):
            alive = router_failed[router] != loss
            parent[router] = router
            size[router] = alive
            left[router] = ends[router] if alive else 0
            components += alive
        row[ROUTERS] = router_count - components
        for place in range(end_at[loss], end_at[loss + 1]):
            if router_failed[end_routers[place]] != loss:
                left[end_routers[place]] -= 1
        for place in range(len(order)):
            if components <= 1:
                break
            number = order[place]
            if link_failed[number] != loss:
                a, b = _root(parent, links[number, 0]), _root(parent, links[number, 1])
                if a != b:
                    if size[a] < size[b]:
                        a, b = b, a
                    parent[b] = a
                    size[a] += size[b]
                    left[a] += left[b]
                    components -= 1
        _sum_up(parent, size, left, total, components, row)


@compiled
def _mark(indptr, link, routers, failed_links, router_failed, link_failed, loss):
    """Mark failed routers, their links and failed links; return the number of these links."""
    count = 0
    for router in routers:
        router_failed[router] = loss
        for position in range(indptr[router], indptr[router + 1]):
            if link_failed[link[position]] != loss:
                link_failed[link[position]] = loss
                count += 1
    for number in failed_links:
        if link_failed[number] != loss:
            link_failed[number] = loss
            count += 1
    return count


@compiled
def _sum_up(parent, size, left, total, components, row):
    """Fill the rest of the row from the components."""
    alive, connected = np.int64(0), np.int64(0)
    largest, largest_ends = np.int64(0), np.int64(0)
    for router in range(len(parent)):
        if parent[router] == router and size[router] > 0:
            alive += left[router]
            connected += left[router] * (left[router] - 1)
            if size[router] > largest or (size[router] == largest and left[router] > largest_ends):
                largest, largest_ends = size[router], left[router]
    row[ENDS] = total - alive
    row[COMPONENTS] = components
    row[LARGEST_ROUTERS] = largest
    row[LARGEST_ENDS] = largest_ends
    row[LOST] = total * (total - 1) - alive * (alive - 1)
    row[DISCONNECTED] = alive * (alive - 1) - connected


@compiled
def links_until_disconnected(links, order, needed, parent):
    """Return how many links must be removed in `order` until the routers marked in `needed` (int64) are disconnected.

    Links are added in reverse order until all are connected. The result includes the removal that
    disconnects them; 0 if they never were connected. `parent` (int32) is scratch,
    and `needed` is modified.
    """
    groups = 0
    for router in range(len(parent)):
        parent[router] = router
        groups += needed[router]
    for place in range(len(order) - 1, -1, -1):
        if groups <= 1:
            return min(place + 2, len(order))
        a = _root(parent, links[order[place], 0])
        b = _root(parent, links[order[place], 1])
        if a != b:
            parent[b] = a
            if needed[a] and needed[b]:
                groups -= 1
            needed[a] |= needed[b]
    return 1 if groups <= 1 else 0


@compiled
def _root(parent, router):
    while parent[router] != router:
        parent[router] = parent[parent[router]]
        router = parent[router]
    return router
