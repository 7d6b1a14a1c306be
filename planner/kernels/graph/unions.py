"""Number of link failures until a network is disconnected, by disjoint sets."""

from __future__ import annotations

from planner.kernels import compiled


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
