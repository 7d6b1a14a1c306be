"""The kernel of forwarding tables against a plain twin, and what any such table must satisfy."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels.routing.forwarding import forwarding


def plain(offers, destinations, sources):
    """Ports by dictionaries: `offers[target][router]` is a list of (port, neighbor)."""
    load, chosen = {}, []
    for target in destinations:
        edges = [(router, neighbor) for router, ports in offers[target].items() for _, neighbor in ports]
        graph = networkx.DiGraph(edges)
        graph.add_nodes_from(range(len(sources)))
        weight, row = dict(enumerate(sources)), {}
        # Kahn's order, first in first out, as the kernel has it: ties of load depend on it.
        waiting = {router: sum(neighbor == router for _, neighbor in edges) for router in graph}
        queue = [router for router in sorted(graph) if not waiting[router]]
        for router in queue:
            ports = offers[target].get(router, [])
            if ports and router != target:
                port, neighbor = min(ports, key=lambda each: (load.get((router, each[0]), 0), ports.index(each)))
                row[router] = port
                load[router, port] = load.get((router, port), 0) + weight[router]
                weight[neighbor] += weight[router]
            for _, neighbor in ports:
                waiting[neighbor] -= 1
                if not waiting[neighbor]:
                    queue.append(neighbor)
        if len(queue) < len(sources):
            return None
        chosen.append([row.get(router, -1) for router in range(len(sources))])
    return np.array(chosen).T


def by_kernel(offers, destinations, sources, indptr):
    """Status and ports of the kernel."""
    routers = len(sources)
    flat = [offers[target].get(router, []) for target in range(routers) for router in range(routers)]
    ends = np.append(0, np.cumsum([len(ports) for ports in flat]))
    start = np.array([ends[target * routers : (target + 1) * routers + 1] for target in range(routers)])
    port, neighbor = (np.array([each[place] for ports in flat for each in ports], np.int64) for place in (0, 1))
    chosen = np.full((routers, len(destinations)), -1, np.int32)
    status = forwarding(
        np.array(destinations), start, port, neighbor, indptr, np.array(sources), *np.zeros((3, routers), np.int64),
        np.zeros(indptr[-1], np.int64), chosen,
    )  # fmt: skip
    return status, chosen


def minimal(graph):
    """All ports of shortest paths."""
    hops = dict(networkx.all_pairs_shortest_path_length(graph))
    rows = {router: sorted(graph[router]) for router in graph}
    offers = {
        target: {
            router: [(port, far) for port, far in enumerate(rows[router]) if hops[far][target] < hops[router][target]]
            for router in graph
            if router != target and target in hops[router]
        }
        for target in graph
    }
    return offers, np.append(0, np.cumsum([len(rows[router]) for router in sorted(graph)])).astype(np.int64)


@given(st.integers(0, 10_000), st.integers(4, 14))
def test_it_chooses_as_its_plain_twin(seed, routers):
    graph = networkx.gnp_random_graph(routers, 0.4, seed=seed)
    offers, indptr = minimal(graph)
    random = np.random.default_rng(seed)
    destinations, sources = random.integers(0, routers, 3 * routers).tolist(), random.integers(0, 4, routers).tolist()
    status, chosen = by_kernel(offers, destinations, sources, indptr)
    assert status == -1
    assert np.array_equal(chosen, plain(offers, destinations, sources))


def test_paths_that_may_circle_are_refused():
    offers = {0: {1: [(0, 2)], 2: [(0, 1)]}, 1: {}, 2: {}}
    status, _ = by_kernel(offers, [0], [1, 1, 1], np.array([0, 0, 1, 2]))
    assert status in (1, 2)
    assert plain(offers, [0], [1, 1, 1]) is None


@pytest.mark.parametrize(("leaves", "spines"), [(4, 4), (6, 3)])
def test_destinations_of_a_leaf_are_spread_over_all_spines(leaves, spines):
    graph = networkx.complete_bipartite_graph(leaves, spines)
    offers, indptr = minimal(graph)
    destinations = np.repeat(np.arange(leaves), spines).tolist()
    sources = [spines] * leaves + [0] * spines
    _, chosen = by_kernel(offers, destinations, sources, indptr)
    for leaf in range(leaves):
        for other in set(range(leaves)) - {leaf}:
            assert sorted(chosen[leaf, np.array(destinations) == other]) == list(range(spines))
