"""Shortest paths of a source: their number, traffic spread evenly over them, and the links between groups on them.

Differs from [1]_: demands between pairs are added up by port, not shortest paths by vertex, and parallel links are different
paths.

References
----------
.. [1] U. Brandes, "A faster algorithm for betweenness centrality", J. Mathematical Sociology 25, 2001.
"""

from __future__ import annotations

from planner.kernels import compiled, uncounted


@compiled
def spread_traffic(indptr, indices, sources, demand, load, paths, share, hops, queue):
    """Add to `load` (float64, per port) the load of each port; return pairs, sum and maximum of path counts, unroutable demand.

    `demand[i, t]` goes from sources[i] to router t, split evenly over all shortest paths; parallel
    links are different paths. `paths`, `share` (float64) and
    `hops`, `queue` (int32), all (routers,), are scratch.
    """
    pairs, total, maximum, unroutable = 0, 0.0, 0.0, 0.0
    for index in range(len(sources)):
        reached = _count_paths(indptr, indices, sources[index], paths, hops, queue)
        pairs += reached - 1
        for position in range(1, reached):
            total += paths[queue[position]]
            maximum = max(maximum, paths[queue[position]])
        for router in range(len(hops)):
            if hops[router] < 0:
                unroutable += demand[index, router]
        # From the farthest router inwards: `share` is the traffic per path into a router, including that beyond it.
        for place in range(reached - 1, -1, -1):
            router = queue[place]
            flow = demand[index, router]
            for position in range(indptr[router], indptr[router + 1]):
                neighbor = indices[position]
                if hops[neighbor] == hops[router] + 1:
                    sent = paths[router] * share[neighbor]
                    load[position] += sent
                    flow += sent
            share[router] = flow / paths[router]
    return pairs, total, maximum, unroutable


@compiled
def _count_paths(indptr, indices, source, paths, hops, queue):
    """Fill hops (-1 if unreachable) and numbers of shortest paths; return the length of `queue`."""
    hops[:] = -1
    hops[source] = 0
    paths[source] = 1.0
    queue[0] = source
    first, last = 0, 1
    while first < last:
        router = queue[first]
        first += 1
        for position in range(indptr[router], indptr[router + 1]):
            neighbor = indices[position]
            if hops[neighbor] < 0:
                hops[neighbor] = hops[router] + 1
                paths[neighbor] = 0.0
                queue[last] = neighbor
                last += 1
            if hops[neighbor] == hops[router] + 1:
                paths[neighbor] += paths[router]
    return last


@uncounted
def mean_crossings(indptr, indices, group, distance, source, order, paths, crossings):
    """Fill `crossings` (float64, R) with the links between groups on a shortest path from `source`, the mean of all such paths.

    `order` (int64, R) lists the routers by ascending `distance` (uint8, R) from the source; `paths` (float64, R) is filled with
    the number of shortest paths.
    """
    paths[source], crossings[source] = 1.0, 0.0
    for i in range(1, len(order)):
        router = order[i]
        count = total = 0.0
        for position in range(indptr[router], indptr[router + 1]):
            before = indices[position]
            if distance[before] + 1 == distance[router]:
                count += paths[before]
                total += paths[before] * (crossings[before] + (1 if group[before] != group[router] else 0))
        paths[router], crossings[router] = count, total / count
