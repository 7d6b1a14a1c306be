"""Disjoint sets that only ever grow: when does a network that loses its links fall apart?"""

from __future__ import annotations

from planner.kernels import compiled


@compiled
def links_until_apart(links, order, needed, parent):
    """Return how many of the first links of `order` must go until the routers marked in `needed` (int64) are not joined.

    Read backwards: links return from the last to be lost to the first, until all are joined. The
    answer counts the loss that parts them; 0 when they never were joined. `parent` (int32) is work
    space, and `needed` is used up.
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
