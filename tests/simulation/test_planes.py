"""Planes that are not joined: every plane carries what it would carry by itself, and no packet leaves its plane."""

import networkx
import numpy as np
import pytest
from shared.routing_walks import Walk

from planner.core.errors import InputError
from planner.network.metrics import plane_of, planes
from planner.network.topology import build
from planner.simulation import embed, examine, simulate
from planner.simulation.dependencies import dependencies
from planner.simulation.network import candidates_of
from planner.simulation.patterns import table_of
from planner.simulation.routers import RouterSettings
from planner.simulation.tables import routing_table
from planner.simulation.traffic import uniform

PLANE = {"leaves": 4, "spines": 3, "uplinks": 4}
NETWORKS = {
    "multiplane": {"planes": 3, "plane": "leafspine", "plane_parameters": PLANE},
    "hpn": {"segments": 3, "rails": 2, "hosts_per_segment": 3, "spines_per_plane": 3, "pods": 2, "cores_per_plane": 3},
}
GIVEN = {"router_delay_ps": 100_000, "rate_gbps": 100}


def delays(network):
    return np.full(network.link_count + network.endpoint_count, 5000)


@pytest.fixture(params=NETWORKS)
def network(request):
    return build(request.param, **NETWORKS[request.param])


@pytest.fixture
def plane(network):
    return planes(network)[network.endpoint_router]


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "single_path", "ecmp", "up_down"])
def test_planes_carry_what_one_carries(network, routing):
    one = plane_of(network, planes(network) == 0)
    run = {"seed": 1, "routing": routing, "loads": (0.3,), "warmup": 1000, "cycles": 6000, **GIVEN}
    if routing == "up_down":
        # The routing goes by the name of the family.
        one = build("leafspine", **PLANE) if network.family == "multiplane" else None
    every = simulate(network, delays(network), **run)
    assert every.accepted[0] == pytest.approx(0.3, abs=0.02)
    assert routing == "single_path" or every.link_load[0].min() > 0
    if one is not None:
        alone = simulate(one, delays(one), **run)
        assert every.load_bound == pytest.approx(alone.load_bound)
        assert every.mean_hops[0] == pytest.approx(alone.mean_hops[0], rel=0.03)
        assert every.accepted[0] == pytest.approx(alone.accepted[0], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "up_down"])
def test_all_pairs_of_a_plane_are_checked_for_cycles(network, routing):
    made = embed(network, delays(network), RouterSettings(routing=routing), **GIVEN)
    case, found = made.case, made.checked[0]
    leaves = np.bincount(planes(network)[network.endpoints_of > 0])
    assert found.pairs == found.all_pairs == (leaves * (leaves - 1)).sum()
    assert found.cycle == ()
    # Every dependency is one of the walk over a plane's pairs, and none is missing.
    walk = Walk(plane_of(network, planes(network) == 0), "minimal")
    graph, _ = walk.dependencies()
    if routing == "minimal":
        sizes = case.packet_phits, case.input_packets, case.output_packets
        whole = dependencies(case.network, case.prepared, candidates_of(routing, case.prepared), case.channels, sizes)
        assert len(whole.edges) == len(leaves) * graph.number_of_edges()
        assert networkx.is_directed_acyclic_graph(graph)


def test_uniform_targets_are_all_others_of_the_plane(network, plane):
    table, random = uniform.prepare(network, 1), np.array([5], np.uint64)
    for source in (0, 1, network.endpoint_count // 2, network.endpoint_count - 1):
        size = int((plane == plane[source]).sum())
        drawn = [int(uniform.target(source, table, random)) for _ in range(400 * size)]
        others = set(np.flatnonzero(plane == plane[source]).tolist()) - {source}
        assert set(drawn) == others
        counts = np.unique(drawn, return_counts=True)[1]
        # Within five standard deviations of the mean.
        assert abs(counts - len(drawn) / (size - 1)).max() < 5 * (len(drawn) / (size - 1)) ** 0.5


@pytest.mark.parametrize("traffic", ["permutation", "bit_complement", "router_permutation"])
def test_patterns_are_the_same_in_all_planes(network, plane, traffic):
    table = table_of(traffic, None, network, 3)
    assert (plane[table] == plane).all()
    places = [np.flatnonzero(plane == number) for number in range(plane.max() + 1)]
    inside = [np.searchsorted(own, table[own]).tolist() for own in places]
    assert inside == [table_of(traffic, None, plane_of(network, planes(network) == 0), 3).tolist()] * len(places)


def test_leaves_serve_their_own_endpoints():
    network = build("leaves", leaves=4, endpoints_per_leaf=6)
    found = simulate(network, delays(network), seed=1, loads=(0.4,), warmup=500, cycles=3000, **GIVEN)
    assert found.accepted[0] == pytest.approx(0.4, abs=0.03)
    assert (found.mean_hops[0], found.load_bound) == (0, 1)


@pytest.mark.slow
def test_a_failed_link_is_avoided_in_its_plane():
    network = build("multiplane", **NETWORKS["multiplane"])
    for routing in ("minimal", "up_down"):
        fails = np.full(network.link_count + network.endpoint_count, np.iinfo(np.int32).max)
        fails[2] = 0
        found = simulate(
            network,
            delays(network),
            seed=1,
            routing=routing,
            loads=(0.2,),
            warmup=500,
            cycles=2000,
            cable_fails_at=fails,
            **GIVEN,
        )
        assert found.accepted[0] == pytest.approx(0.2, abs=0.03)
        assert found.link_load[0].reshape(-1, 2)[2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"routing": "polarized"}, "routing: polarized may leave the plane of a packet.*use minimal"),
        ({"routing": "ksp"}, "routing: ksp may leave the plane of a packet"),
        ({"traffic": "hot_spot"}, "traffic: hot_spot may lead to another plane.*spray.*uniform"),
    ],
)
def test_others_are_refused(network, options, message):
    with pytest.raises(InputError, match=message):
        simulate(network, delays(network), seed=1, loads=(0.1,), **options, **GIVEN)
    with pytest.raises(InputError, match=message):
        examine.simulation(network, delays(network), seed=1, **options, **GIVEN)


def test_single_endpoints_are_refused(network):
    lonely = build("leaves", leaves=2, endpoints_per_leaf=1)
    with pytest.raises(InputError, match="uniform traffic needs two endpoints in every plane"):
        simulate(lonely, delays(lonely), seed=1, loads=(0.1,), **GIVEN)
    with pytest.raises(InputError, match="no path from router"):
        routing_table(network)
