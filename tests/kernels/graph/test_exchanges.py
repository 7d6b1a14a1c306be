"""Exchanges of links against NetworkX, which computes all distances of the changed network."""

import networkx
import numpy as np
import pytest

from planner.kernels.graph import exchanges as kernel
from planner.kernels.graph.bfs import UNREACHED, hop_distances
from planner.network import topology


def network_of(graph, kind=0, group=0):
    """State of the kernels for a NetworkX graph; `kind` by link and `group` by router."""
    routers = len(graph)
    ends = [(a, b) for a in range(routers) for b in sorted(graph[a])]
    port = {end: number for number, end in enumerate(ends)}
    classes = kind if isinstance(kind, dict) else dict.fromkeys(map(frozenset, graph.edges), kind)
    indices = np.array([b for _, b in ends], np.int32)
    indptr = np.searchsorted([a for a, _ in ends], np.arange(routers + 1)).astype(np.int32)
    distance = np.empty((routers, routers), np.uint8)
    hop_distances(indptr, indices, distance)
    cost = np.arange(256) ** 2
    return kernel.Exchange(
        indptr=indptr,
        owner=np.array([a for a, _ in ends], np.int32),
        indices=indices,
        twin=np.array([port[b, a] for a, b in ends], np.int32),
        kind=np.array([classes[frozenset(end)] for end in ends], np.int32),
        group=np.broadcast_to(np.asarray(group, np.int32), routers).copy(),
        distance=distance,
        pairs=np.bincount(distance.ravel(), minlength=256),
        cost=cost,
        log_start=np.zeros(routers + 1, np.int64),
        log_router=np.empty(routers**2, np.int32),
        log_hops=np.empty(routers**2, np.uint8),
        mark=np.zeros(routers, np.uint8),
        queue=np.empty((2, len(ends) + 2), np.int32),
        corner=np.empty((4, routers), np.uint8),
        kept=np.empty((4, routers), np.uint8),
    )


def hops_between(graph):
    """Plain twin of the update: hops between all routers, `UNREACHED` where there is no path."""
    expected = dict(networkx.all_pairs_shortest_path_length(graph))
    return [[expected[a].get(b, UNREACHED) for b in graph] for a in graph]


def rewired(graph, p, r, run):
    """Plain twin of `rewire`: the same exchange in NetworkX."""
    a, b, c, e = (int(x) for x in (run.owner[p], run.indices[p], run.owner[r], run.indices[r]))
    changed = graph.copy()
    changed.remove_edges_from([(a, b), (c, e)])
    changed.add_edges_from([(a, e), (c, b)])
    return changed


def check(run, graph):
    assert run.distance.tolist() == hops_between(graph)
    assert run.pairs.tolist() == np.bincount(run.distance.ravel(), minlength=256).tolist()
    assert sorted(zip(run.owner.tolist(), run.indices.tolist(), strict=True)) == sorted(networkx.to_directed(graph).edges)
    assert np.array_equal(run.owner[run.twin], run.indices)
    assert np.array_equal(run.twin[run.twin], np.arange(len(run.twin)))
    assert not run.mark.any()


GRAPHS = {
    "cubic": networkx.random_regular_graph(3, 40, seed=1),
    "regular": networkx.random_regular_graph(6, 30, seed=2),
    "cycle": networkx.cycle_graph(24),
    "tree": networkx.balanced_tree(2, 4),
    "grid": networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(6, 5)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAPHS)
def test_distances_follow_each_exchange_and_each_return(name):
    """Also exchanges that disconnect the network, as half of those of a cycle do."""
    graph, state, draw = GRAPHS[name], np.array([5], np.uint64), np.random.default_rng(3)
    run = network_of(graph)
    disconnected = 0
    for _ in range(150):
        p, r = kernel.propose(state, run)
        if p < 0:
            continue
        before, ports = run.distance.copy(), run.indices.copy()
        changed = rewired(graph, p, r, run)
        hops, cost = kernel.exchange(p, r, run)
        check(run, changed)
        assert hops == run.distance.sum(dtype=int) - before.sum(dtype=int)
        assert cost == run.cost[run.distance].sum() - run.cost[before].sum()
        connected = networkx.is_connected(changed)
        disconnected += not connected
        if connected and draw.random() < 0.5:
            graph = changed
            continue
        kernel.revert(p, r, run)
        check(run, graph)
        assert np.array_equal(run.indices, ports)
    assert disconnected > 0 or name not in ("cycle", "tree")


def test_only_exchanges_that_keep_the_network_simple_its_classes_and_bundles():
    """Against the definition: classes of both links are equal, and the links between every two groups are the same number."""
    graph = networkx.random_regular_graph(4, 12, seed=4)
    group = np.arange(12) // 4
    kind = {frozenset(end): int(group[end[0]] == group[end[1]]) for end in graph.edges}
    run = network_of(graph, kind, group)

    def bundles(network):
        return sorted(tuple(sorted((int(group[a]), int(group[b])))) for a, b in network.edges)

    allowed = 0
    for p in range(len(run.owner)):
        for r in range(len(run.owner)):
            a, b, c, e = run.owner[p], run.indices[p], run.owner[r], run.indices[r]
            simple = len({a, b, c, e}) == 4 and not graph.has_edge(a, e) and not graph.has_edge(c, b)
            expected = simple and run.kind[p] == run.kind[r] and bundles(rewired(graph, p, r, run)) == bundles(graph)
            assert kernel.may_exchange(p, r, run) == expected
            allowed += expected
    assert allowed > 0


def test_a_sample_leaves_the_network_as_it_was():
    run = network_of(GRAPHS["cubic"])
    changes = np.zeros(50, np.int64)
    kernel.sample(changes, np.array([1], np.uint64), run)
    check(run, GRAPHS["cubic"])
    assert (changes != 0).any()


def test_annealing_keeps_the_best_network_of_its_score():
    run = network_of(GRAPHS["regular"])
    run.cost[:] = np.arange(256)
    run.cost[UNREACHED] = 1 << 40
    total = int(run.distance.sum(dtype=int))
    figures, indices, twin = np.array([total, total, 0]), run.indices.copy(), run.twin.copy()
    assert kernel.anneal(3000, 4.0, np.array([7], np.uint64), run, 0, figures, indices, twin) == 3000
    assert figures[0] == run.distance.sum(dtype=int)
    best = networkx.Graph(list(zip(run.owner.tolist(), indices.tolist(), strict=True)))
    assert sum(map(sum, hops_between(networkx.relabel_nodes(best, {})))) == figures[1] < total
    assert kernel.diameter(run.pairs) == run.distance.max()
    assert np.array_equal(run.owner[twin], indices)


def test_annealing_ends_at_the_wanted_score():
    """No cubic network of ten routers has fewer hops than the Petersen graph: 150, by the Moore bound."""
    network = topology.build("jellyfish", routers=10, degree=3)
    run = network_of(networkx.Graph(network.links.tolist()))
    run.cost[:] = np.arange(256)
    run.cost[UNREACHED] = 1 << 40
    total = int(run.distance.sum(dtype=int))
    figures, indices, twin = np.array([total, total, 150]), run.indices.copy(), run.twin.copy()
    assert kernel.anneal(10**6, 2.0, np.array([1], np.uint64), run, 0, figures, indices, twin) < 10**6
    petersen = networkx.Graph(list(zip(run.owner.tolist(), indices.tolist(), strict=True)))
    assert networkx.is_isomorphic(petersen, networkx.petersen_graph())
