"""What losing routers, links and endpoints leaves of a network: disjoint sets, one after another for every loss."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

ROUTERS, LINKS, ENDS, PIECES, LARGEST_ROUTERS, LARGEST_ENDS, OWN, PARTED = range(8)
"""Columns of the result of `losses`."""


@compiled
def losses(indptr, link, links, order, ends, router_at, routers, link_at, lost_links, end_at, end_routers, first, last, result):
    """Fill the rows `first` … `last` - 1 of `result` (int64, losses x 8).

    Loss d takes ``routers[router_at[d] : router_at[d + 1]]``, the links of `lost_links` likewise, and
    one endpoint of each router in `end_routers`. `ends` int64 (R,) counts endpoints by router.
    Links are looked at in `order` until all survivors are joined: a tree first, then a shuffled rest ends soonest.
    """
    router_count = len(indptr) - 1
    parent = np.empty(router_count, np.int32)
    size, left = np.empty(router_count, np.int64), np.empty(router_count, np.int64)
    router_lost, link_lost = np.full(router_count, -1, np.int32), np.full(len(links), -1, np.int32)
    total = np.int64(0)
    for router in range(router_count):
        total += ends[router]
    for loss in range(first, last):
        row = result[loss]
        row[LINKS] = _mark(
            indptr, link, routers[router_at[loss] : router_at[loss + 1]], lost_links[link_at[loss] : link_at[loss + 1]],
            router_lost, link_lost, loss,
        )  # fmt: skip
        pieces = 0
        for router in range(router_count):
            alive = router_lost[router] != loss
            parent[router] = router
            size[router] = alive
            left[router] = ends[router] if alive else 0
            pieces += alive
        row[ROUTERS] = router_count - pieces
        for place in range(end_at[loss], end_at[loss + 1]):
            if router_lost[end_routers[place]] != loss:
                left[end_routers[place]] -= 1
        for place in range(len(order)):
            if pieces <= 1:
                break
            number = order[place]
            if link_lost[number] != loss:
                a, b = _root(parent, links[number, 0]), _root(parent, links[number, 1])
                if a != b:
                    if size[a] < size[b]:
                        a, b = b, a
                    parent[b] = a
                    size[a] += size[b]
                    left[a] += left[b]
                    pieces -= 1
        _sum_up(parent, size, left, total, pieces, row)


@compiled
def _mark(indptr, link, routers, lost_links, router_lost, link_lost, loss):
    """Mark routers, their links and the links given as lost; return the number of these links."""
    count = 0
    for router in routers:
        router_lost[router] = loss
        for position in range(indptr[router], indptr[router + 1]):
            if link_lost[link[position]] != loss:
                link_lost[link[position]] = loss
                count += 1
    for number in lost_links:
        if link_lost[number] != loss:
            link_lost[number] = loss
            count += 1
    return count


@compiled
def _sum_up(parent, size, left, total, pieces, row):
    """Fill the rest of the row from the pieces."""
    alive, joined = np.int64(0), np.int64(0)
    largest, largest_ends = np.int64(0), np.int64(0)
    for router in range(len(parent)):
        if parent[router] == router and size[router] > 0:
            alive += left[router]
            joined += left[router] * (left[router] - 1)
            if size[router] > largest or (size[router] == largest and left[router] > largest_ends):
                largest, largest_ends = size[router], left[router]
    row[ENDS] = total - alive
    row[PIECES] = pieces
    row[LARGEST_ROUTERS] = largest
    row[LARGEST_ENDS] = largest_ends
    row[OWN] = total * (total - 1) - alive * (alive - 1)
    row[PARTED] = alive * (alive - 1) - joined


@compiled
def _root(parent, router):
    while parent[router] != router:
        parent[router] = parent[parent[router]]
        router = parent[router]
    return router
