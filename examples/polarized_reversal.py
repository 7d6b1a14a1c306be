"""Count the polarized routes of a network whose reversal is no polarized route.

The conditions C1 to C3 of C. Camarero, C. Martínez, R. Beivide, "Polarized routing", are applied hop by
hop to all pairs of routers:
``python examples/polarized_reversal.py slimfly q=5``.
"""

import itertools
import sys
from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from planner.network import topology
from planner.studies.study import network_of


def allowed(hops: np.ndarray, source: int, target: int, here: int, there: int) -> bool:
    """Return whether a polarized route from source to target may go from one router to its neighbor."""
    from_source, to_target = (hops[there, end] - hops[here, end] for end in (source, target))
    return from_source > to_target or from_source == to_target == (1 if hops[here, source] < hops[here, target] else -1)


def routes(hops: np.ndarray, neighbors: list[list[int]], route: list[int], target: int) -> Iterator[list[int]]:
    """Yield all polarized routes that continue a route to the target."""
    if route[-1] == target:
        yield route
        return
    for there in neighbors[route[-1]]:
        if allowed(hops, route[0], target, route[-1], there):
            yield from routes(hops, neighbors, [*route, there], target)


if __name__ == "__main__":
    network = topology.build(**network_of(sys.argv[1], sys.argv[2:]))
    routers, ends = range(network.router_count), np.concatenate([network.links, network.links[:, ::-1]]).astype(int)
    graph = coo_array((np.ones(len(ends)), ends.T), shape=(len(routers), len(routers))).tocsr()
    hops = shortest_path(graph, unweighted=True).astype(int)
    neighbors = [sorted(ends[ends[:, 0] == router, 1].tolist()) for router in routers]
    every = irreversible = 0
    for source, target in itertools.permutations(routers, 2):
        for route in routes(hops, neighbors, [source], target):
            every += 1
            irreversible += not all(allowed(hops, target, source, *hop) for hop in itertools.pairwise(route[::-1]))
    print(f"{irreversible:,} of {every:,} polarized routes have a reversal that is none")
