"""Kernels of paths against plain reckoning on random graphs."""

import networkx
import numpy as np
import pytest
from shared.networks import network

from planner.kernels.routing import paths
from planner.simulation.network import Network
from planner.simulation.routing import polarized
from planner.simulation.routing.tables import path_tables


def random_network(seed, routers=14, degree=3):
    graph = networkx.random_regular_graph(degree, routers, seed=seed)
    while not networkx.is_connected(graph):
        seed += 1000
        graph = networkx.random_regular_graph(degree, routers, seed=seed)
    topology = network(list(graph.edges), range(routers))
    return graph, Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_numbers_of_shortest_paths(seed):
    graph, made = random_network(seed)
    counts = np.empty(made.distance.shape)
    paths.count_shortest(made.topology.indptr, made.topology.indices, made.distance, counts)
    for a in graph:
        for b in graph:
            if a != b:
                assert counts[a, b] == len(list(networkx.all_shortest_paths(graph, a, b)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_shortest_paths_are_those_of_yen(seed):
    graph, made = random_network(seed)
    k = 6
    prepared = path_tables.prepared(made, k, 4, complete=True)
    for a in graph:
        for b in graph:
            if a != b:
                every = networkx.all_simple_paths(graph, a, b, cutoff=8)
                expected = sorted(every, key=lambda path: (len(path), path))[:k]
                assert list(path_tables.drawn(made, prepared, a, b)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("strong", [False, True])
def test_polarized_reach_follows_all_routes(seed, strong):
    graph, made = random_network(seed, routers=20)
    d = dict(networkx.all_pairs_shortest_path_length(graph))
    longest = failed = 0
    for s in graph:
        for t in graph:
            here, hops, is_deadlocked = ({s} if s != t else set()), 0, False
            while here:
                following = set()
                for c in here:
                    nearer = [v for v in graph[c] if allowed(d, s, t, c, v, strong)]
                    if not nearer:
                        is_deadlocked = True
                        longest = max(longest, hops + d[c][t])
                    following |= set(nearer)
                hops += 1
                longest = max(longest, hops) if following else longest
                here = following - {t}
            failed += is_deadlocked
    assert polarized.reach(made, strong=strong) == polarized.Reach(longest, failed)
    assert polarized.prepare(made, strong=strong).virtual_channels == longest


def allowed(d, s, t, c, v, strong):
    growth = (d[v][s] - d[v][t]) - (d[c][s] - d[c][t])
    if growth > 0 or strong:
        return growth > 0
    away = d[v][s] > d[c][s] and d[c][s] < d[c][t]
    near = d[v][t] < d[c][t] and d[c][s] >= d[c][t]
    return growth == 0 and (away or near)
