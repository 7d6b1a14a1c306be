"""Connectivity after failures: for each failure case, and number of link failures until disconnection."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

ROUTERS, LINKS, ENDS, COMPONENTS, LARGEST_ROUTERS, LARGEST_ENDS, LOST, DISCONNECTED = range(8)
"""Columns of the result of `losses`."""

ABOVE, BELOW, FIRST, SIZE = range(4)
"""Rows of a forest: parent, link to it (both -1 for a root), position in preorder, and routers of the subtree."""


@compiled
def spanning_forest(indptr, indices, link, forest, preorder):
    """Fill a breadth-first spanning tree of each component: `forest` int32 (4, R), and the routers in `preorder`, int32 (R,)."""
    routers = len(indptr) - 1
    above, below, first, size = forest[ABOVE], forest[BELOW], forest[FIRST], forest[SIZE]
    queue = np.empty(routers, np.int32)
    size[:] = 0
    head = tail = 0
    for root in range(routers):
        if size[root] == 0:
            above[root], below[root], size[root], queue[tail] = -1, -1, 1, root
            tail += 1
        while head < tail:
            router = queue[head]
            head += 1
            for place in range(indptr[router], indptr[router + 1]):
                near = indices[place]
                if size[near] == 0:
                    above[near], below[near], size[near], queue[tail] = router, link[place], 1, near
                    tail += 1
    for place in range(routers - 1, -1, -1):
        if above[queue[place]] >= 0:
            size[above[queue[place]]] += size[queue[place]]
    # Where the next subtree of a router begins, and in place `routers` that of the next root.
    free = np.zeros(routers + 1, np.int32)
    for place in range(routers):
        router = queue[place]
        outer = above[router] if above[router] >= 0 else routers
        first[router] = free[outer]
        free[outer] += size[router]
        free[router] = first[router] + 1
        preorder[first[router]] = router


@compiled
def losses(
    indptr, indices, link, links, forest, preorder, ends, router_at, routers, link_at, failed_links, end_at, end_routers, result
):
    """Fill `result`, int64 (losses, 8).

    Loss d removes ``routers[router_at[d] : router_at[d + 1]]``, the links of `failed_links` likewise, and
    one endpoint of each router in `end_routers`. `ends` int64 (R,) counts endpoints by router.

    A failure cuts the spanning forest in parts, named by their top router: what is failed, below a failed router or below a
    failed link is a part. Other links join parts again; they are looked for from every part but the largest.
    """
    router_count = len(indptr) - 1
    before = np.zeros(router_count + 1, np.int64)
    for place in range(router_count):
        before[place + 1] = before[place] + ends[preorder[place]]
    router_failed, link_failed = np.full(router_count, -1, np.int32), np.full(len(links), -1, np.int32)
    # Number of the part of each top router, where `cut` has the number of the loss; then by part.
    cut, number = np.full(router_count, -1, np.int32), np.empty(router_count, np.int32)
    top, parent = np.empty(router_count, np.int32), np.empty(router_count, np.int32)
    size, left = np.empty(router_count, np.int64), np.empty(router_count, np.int64)
    for loss in range(len(result)):
        row = result[loss]
        gone, broken = routers[router_at[loss] : router_at[loss + 1]], failed_links[link_at[loss] : link_at[loss + 1]]
        row[ROUTERS], row[LINKS] = _mark(indptr, link, gone, broken, router_failed, link_failed, loss)
        parts = _cut(indptr, indices, link, links, forest, preorder, gone, broken, cut, number, top, loss)
        for part in range(parts):
            start, span = forest[FIRST, top[part]], forest[SIZE, top[part]]
            parent[part], size[part], left[part] = part, span, before[start + span] - before[start]
        for part in range(parts):
            router = top[part]
            if forest[ABOVE, router] >= 0:
                outer = number[_top(forest, cut, forest[ABOVE, router], loss)]
                size[outer] -= forest[SIZE, router]
                left[outer] -= before[forest[FIRST, router] + forest[SIZE, router]] - before[forest[FIRST, router]]
        for place in range(end_at[loss], end_at[loss + 1]):
            left[number[_top(forest, cut, end_routers[place], loss)]] -= 1
        components, largest = 0, -1
        for part in range(parts):
            if router_failed[top[part]] == loss:
                size[part] = left[part] = 0
            else:
                components += 1
                if largest < 0 or size[part] > size[largest]:
                    largest = part
        for part in range(parts):
            if components <= 1:
                break
            if part != largest and size[part] > 0:
                components -= _reached(
                    indptr, indices, link, forest, preorder, link_failed, cut, number, top, parent, part, largest, loss
                )
        _sum_up(parent, size, left, parts, before[router_count], components, row)


@compiled
def _mark(indptr, link, routers, failed_links, router_failed, link_failed, loss):
    """Mark failed routers, their links and failed links; return the number of both."""
    gone = count = 0
    for router in routers:
        gone += router_failed[router] != loss
        router_failed[router] = loss
        for position in range(indptr[router], indptr[router + 1]):
            if link_failed[link[position]] != loss:
                link_failed[link[position]] = loss
                count += 1
    for number in failed_links:
        if link_failed[number] != loss:
            link_failed[number] = loss
            count += 1
    return gone, count


@compiled
def _cut(indptr, indices, link, links, forest, preorder, routers, failed_links, cut, number, top, loss):
    """Number the parts: roots, failed routers and their children, and the lower ends of failed links; return how many."""
    parts = 0
    root = 0
    while root < len(preorder):
        parts = _named(cut, number, top, preorder[root], parts, loss)
        root += forest[SIZE, preorder[root]]
    for router in routers:
        parts = _named(cut, number, top, router, parts, loss)
        for place in range(indptr[router], indptr[router + 1]):
            if forest[BELOW, indices[place]] == link[place]:
                parts = _named(cut, number, top, indices[place], parts, loss)
    for failed in failed_links:
        for side in range(2):
            if forest[BELOW, links[failed, side]] == failed:
                parts = _named(cut, number, top, links[failed, side], parts, loss)
    return parts


@compiled
def _named(cut, number, top, router, parts, loss):
    """Make a router the top of a part unless it is; return the number of parts."""
    if cut[router] == loss:
        return parts
    cut[router], number[router], top[parts] = loss, parts, router
    return parts + 1


@compiled
def _top(forest, cut, router, loss):
    """Return the top of the part of a router."""
    while cut[router] != loss:
        router = forest[ABOVE, router]
    return router


@compiled
def _reached(indptr, indices, link, forest, preorder, link_failed, cut, number, top, parent, part, largest, loss):
    """Join a part with those that its links reach, at most until it is joined with the largest; return the number of unions."""
    unions = 0
    place = forest[FIRST, top[part]]
    end = place + forest[SIZE, top[part]]
    while place < end:
        router = preorder[place]
        if cut[router] == loss and router != top[part]:
            place += forest[SIZE, router]
            continue
        for position in range(indptr[router], indptr[router + 1]):
            if link_failed[link[position]] != loss:
                a = _root(parent, part)
                b = _root(parent, number[_top(forest, cut, indices[position], loss)])
                if a != b:
                    parent[b] = a
                    unions += 1
                if _root(parent, largest) == a:
                    return unions
        place += 1
    return unions


@compiled
def _sum_up(parent, size, left, parts, total, components, row):
    """Fill the rest of the row from the parts."""
    for part in range(parts):
        root = _root(parent, part)
        if root != part:
            size[root] += size[part]
            left[root] += left[part]
    alive, connected = np.int64(0), np.int64(0)
    largest, largest_ends = np.int64(0), np.int64(0)
    for part in range(parts):
        if parent[part] == part and size[part] > 0:
            alive += left[part]
            connected += left[part] * (left[part] - 1)
            if size[part] > largest or (size[part] == largest and left[part] > largest_ends):
                largest, largest_ends = size[part], left[part]
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
