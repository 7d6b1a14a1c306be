"""Metrics against NetworkX, exhaustive search and by hand; what must not change them."""

import itertools
import sys

import networkx
import numpy as np
import pytest
from shared.graphs import APART, SMALL, from_networkx, relabeled, to_networkx

from planner.core import registry, seeds
from planner.core.errors import InputError
from planner.network import metrics, topology
from planner.network.metrics.distances import hop_counts
from planner.network.metrics.graph import is_vertex_transitive
from planner.network.topology import from_links as made

EXAMPLES = [(family, registry.load("topology", family).EXAMPLE) for family in registry.names("topology")]
MANY_ROUTERS = ("bundlefly", "cayley253", "polarstar", "spectralfly")
"""Families whose examples take longest."""
WITH_HIGH_EFFORT = [
    pytest.param(*example, marks=pytest.mark.nightly if example[0] in MANY_ROUTERS else pytest.mark.slow) for example in EXAMPLES
]


@pytest.fixture(params=SMALL, name="graph")
def _graph(request):
    return SMALL[request.param]


@pytest.mark.slow
def test_distances_against_networkx(graph):
    endpoints = np.arange(len(graph)) % 3
    hops = metrics.distances(from_networkx(graph, endpoints))
    routers, weighted = np.zeros((2, len(graph)), np.int64)
    for a, row in networkx.all_pairs_shortest_path_length(graph):
        for b, count in row.items():
            routers[count] += 1
            weighted[count] += endpoints[a] * (endpoints[b] - (a == b))
    assert hops.routers.tolist() == routers[: hops.diameter + 1].tolist()
    assert hops.endpoints.tolist() == weighted[: hops.diameter + 1].tolist()
    assert hops.diameter == networkx.diameter(graph)
    assert hops.mean == pytest.approx(networkx.average_shortest_path_length(graph))


@pytest.mark.slow
def test_more_sources_than_bits_and_more_hops_than_expected():
    network = topology.build("torus", sizes=(1200,))
    alone = metrics.distances(network)
    every = hop_counts(network.indptr, network.indices, network.endpoints_of, np.arange(1200))
    assert alone.diameter == 600
    assert alone.routers.tolist() == every.routers.tolist() == [1200] + [2400] * 599 + [1200]


def test_networks_in_pieces():
    network = from_networkx(APART)
    hops = metrics.distances(network)
    assert (hops.unreached, hops.connected, hops.diameter) == (2 * 4 * 3, False, 3)
    assert metrics.channel_load(network).throughput == 0
    found = metrics.bisection(network)
    assert (found.lower, found.upper) == (0, 0)


@pytest.mark.parametrize("routers", [1, 2])
def test_tiny_networks(routers):
    network = made("made", {}, routers, np.array([[0, 1]])[: routers - 1], endpoints=1)
    found = metrics.figures(network, effort="high")
    assert (found["diameter"], found["girth"], found["bisection_upper"]) == (routers - 1, None, routers - 1)


def test_girth_against_networkx(graph):
    expected = networkx.girth(graph)
    assert metrics.girth(from_networkx(graph)) == (None if np.isinf(expected) else expected)


def test_parallel_links():
    network = topology.build("hyperx", sizes=(3, 3), parallel=(2,))
    single = topology.build("hyperx", sizes=(3, 3))
    assert metrics.girth(network) == 2
    assert metrics.spectrum(network).lambda2 == pytest.approx(2 * metrics.spectrum(single).lambda2)
    assert metrics.bisection(network).upper == 2 * metrics.bisection(single).upper
    assert metrics.path_diversity(network).maximum == 2 * 4


def test_spectrum_against_dense(graph):
    found = metrics.spectrum(from_networkx(graph))
    laplacian = np.linalg.eigvalsh(networkx.laplacian_matrix(graph).toarray().astype(float))
    assert found.connectivity == pytest.approx(laplacian[1], abs=1e-9)
    if found.degree is not None:
        values = np.linalg.eigvalsh(networkx.to_numpy_array(graph))
        assert (found.lambda2, found.lambda_min) == pytest.approx((values[-2], values[0]))
        others = [value for value in np.abs(values) if value < found.degree - 1e-9]
        assert found.lambda_g == pytest.approx(max(others))
    assert found.bipartite == networkx.is_bipartite(graph)


@pytest.mark.parametrize("family", [pytest.param("jellyfish", marks=pytest.mark.slow), "megafly"])
def test_lanczos_agrees_with_dense(family):
    parameters = {"jellyfish": {"routers": 500, "degree": 9}, "megafly": {"rho": 6, "a": 12}}[family]
    network = topology.build(family, **parameters)
    graph = to_networkx(network)
    found = metrics.spectrum(network)
    dense = np.linalg.eigvalsh(networkx.laplacian_matrix(graph).toarray().astype(float))
    assert found.connectivity == pytest.approx(dense[1], abs=1e-6)
    assert found.lambda_min == pytest.approx(np.linalg.eigvalsh(networkx.to_numpy_array(graph))[0], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, graph in SMALL.items() if len(graph) <= 16])
def test_bisection_holds_the_exact_one(name):
    network = from_networkx(SMALL[name])
    routers = network.router_count
    exact = network.link_count
    for chosen in itertools.combinations(range(routers), routers // 2):
        side = np.zeros(routers, np.uint8)
        side[list(chosen)] = 1
        exact = min(exact, metrics.cut_links(network, side))
    found = metrics.bisection(network)
    assert found.lower <= exact == found.upper


def test_bisection_does_without_metis(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymetis", None)
    found = metrics.bisection(topology.build("hypercube", dimensions=6))
    assert (found.lower, found.upper, set(found.found)) == (32, 32, {"structure", "spectral"})


@pytest.mark.slow
def test_channel_load_against_betweenness(graph):
    network = from_networkx(graph)
    found = metrics.channel_load(network, np.ones((len(graph), len(graph))))
    expected = networkx.edge_betweenness_centrality(graph, normalized=False)
    both = {tuple(sorted(edge)): value for edge, value in expected.items()}
    for (a, b), load in zip(network.links.tolist(), found.load.tolist(), strict=True):
        assert load == pytest.approx([both[a, b]] * 2)
    maximum = max(len(list(networkx.all_shortest_paths(graph, a, b))) for a, b in itertools.combinations(range(len(graph)), 2))
    assert found.diversity.maximum == maximum


def test_uniform_traffic_is_the_default():
    network = from_networkx(SMALL["random 1"], np.arange(16) % 4)
    endpoints = network.endpoints_of
    matrix = np.outer(endpoints, endpoints) / (endpoints.sum() - 1)
    for routing in ("minimal", "valiant"):
        given = metrics.channel_load(network, matrix, routing=routing)
        assert np.allclose(metrics.channel_load(network, routing=routing).load, given.load)


def test_valiant_by_hand():
    """On a ring of three, each half of the path is a uniform pattern of which a third stays."""
    network = topology.build("torus", sizes=(3,), endpoints_per_router=1)
    shift = np.roll(np.eye(3), 1, axis=1)
    assert np.allclose(metrics.channel_load(network, shift, routing="valiant").load, 2 / 3)
    minimal = metrics.channel_load(network, shift)
    assert sorted(minimal.load.ravel().tolist()) == [0, 0, 0, 1, 1, 1]
    assert minimal.throughput == 1
    assert metrics.channel_load(network, 4 * shift).throughput == 0.25


@pytest.mark.parametrize("traffic", [np.ones((2, 3)), -np.ones((3, 3)), np.full((3, 3), np.nan)])
def test_bad_traffic_is_refused(traffic):
    with pytest.raises(InputError, match="traffic"):
        metrics.channel_load(topology.build("torus", sizes=(3,)), traffic)


@pytest.mark.parametrize("orders", [1, 2, 11])
def test_a_ring_falls_apart_with_the_second_link(orders):
    found = metrics.degradation(topology.build("torus", sizes=(20,)), orders=orders, points=2)
    assert found.ratios.tolist() == [2 / 20] * orders
    assert (found.diameter[0], found.diameter[-1]) == (10, 19)


def test_links_until_apart_against_networkx():
    network = from_networkx(SMALL["random 2"])
    found = metrics.degradation(network, seed=3, orders=5, points=1)
    random = seeds.stream(3, "degradation")
    expected = []
    for _ in range(5):
        graph = to_networkx(network)
        for unroutable, link in enumerate(random.permutation(network.link_count), 1):
            graph.remove_edge(*network.links[link].tolist())
            if not networkx.is_connected(graph):
                expected.append(unroutable / network.link_count)
                break
    assert found.ratios.tolist() == sorted(expected)


@pytest.mark.slow
def test_failures():
    network = topology.build("slimfly", q=5)
    whole = metrics.failures(network, 0)
    assert (whole.diameter, whole.mean, whole.connected, whole.trials) == (2, pytest.approx(1.857143), 1, 10)
    links, routers = (metrics.failures(network, 0.2, of=of) for of in ("links", "routers"))
    assert links.mean > routers.mean > whole.mean
    assert metrics.failures(network, 1, of="routers").mean == 0
    gone = metrics.failures(network, 1)
    assert (gone.connected, gone.steady) == (0, False)
    assert np.isnan(gone.mean)
    with pytest.raises(InputError, match="share"):
        metrics.failures(network, 1.5)


@pytest.mark.parametrize("parts", [1, 2, 3, 5, 8, 50])
def test_multiway_cut(parts):
    network = topology.build("slimfly", q=5)
    found = metrics.multiway_cut(network, parts)
    assert np.ptp(np.bincount(found.part, minlength=parts)) <= 1
    assert found.links == metrics.cut_links(network, found.part)
    assert np.array_equal(found.between, found.between.T)
    assert np.triu(found.between).sum() == network.link_count


def test_multiway_cut_wants_as_many_routers_as_parts():
    with pytest.raises(InputError, match="parts"):
        metrics.multiway_cut(topology.build("torus", sizes=(3,)), 4)


@pytest.mark.slow
@pytest.mark.parametrize(("family", "parameters"), EXAMPLES)
def test_promised_symmetry_holds(family, parameters):
    network = topology.build(family, **parameters)
    if not is_vertex_transitive(network):
        return
    for router in range(network.router_count):
        one = hop_counts(network.indptr, network.indices, network.endpoints_of, np.array([router]))
        assert (one.routers * network.router_count).tolist() == metrics.distances(network).routers.tolist()
    assert metrics.girth(network) == metrics.girth(relabeled(network, 0))


@pytest.mark.parametrize(("family", "parameters"), WITH_HIGH_EFFORT)
def test_relabeling_changes_nothing(family, parameters):
    network = relabeled(topology.build(family, **parameters), 1)
    other = relabeled(network, 2)
    first, second = (metrics.figures(network, effort="high") for network in (network, other))
    # The best cut and the random orders of removed links depend on the numbering.
    for name in ("bisection_upper", "bisection_upper_share", "disconnection_ratio"):
        first.pop(name, None), second.pop(name, None)
    assert first == pytest.approx(second)


@pytest.mark.parametrize(("family", "parameters"), WITH_HIGH_EFFORT)
def test_figures_are_the_same_each_time_and_grow_with_effort(family, parameters):
    network = topology.build(family, **parameters)
    low, medium, high = (metrics.figures(network, effort=effort) for effort in ("low", "medium", "high"))
    assert metrics.figures(network, effort="high") == high
    assert low.items() <= medium.items()
    assert medium.keys() <= high.keys()
    assert high["bisection_lower"] <= high["bisection_upper"] <= medium["bisection_upper"]
    assert 0 < high["throughput_minimal"] <= 1
    assert high["mean_hops"] >= (high["moore_min_mean_hops"] or 0) - 1e-12
