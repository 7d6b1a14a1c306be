"""Links between groups on shortest paths."""

from __future__ import annotations

from planner.kernels import bare


@bare
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
