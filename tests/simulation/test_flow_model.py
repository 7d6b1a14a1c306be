"""The flow-level model: closed formulas by hand, properties, agreement with the engine, and what it refuses."""

import math
from itertools import pairwise

import numpy as np
import pytest

from planner.core import registry
from planner.core.errors import InputError
from planner.domain.model import Plan
from planner.network.topology import build, from_links
from planner.simulation import simulate
from planner.simulation.fluid import ROUTINGS, demand, estimate, flow_model, flows, model_settings, throughput
from planner.simulation.fluid.waits import Constants, Queues, queue_tail, queue_wait, waits
from planner.simulation.network import Network
from planner.simulation.patterns import table_of
from planner.simulation.routers import PRESETS


def model(topology, loads=(0.1,), **given):
    delay = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    return flow_model(topology, delay, seed=1, loads=loads, **({"preset": "caminos"} | given))


def flows_of(topology, traffic="uniform", *, valiant=False):
    network = Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))
    expected = demand.traffic_of(topology, traffic, table_of(traffic, None, topology, 1))
    return (
        flows.valiant_flows(network, expected, None) if valiant else flows.minimal_flows(network, expected, None, adaptive=True)
    )


def alone(endpoints):
    return from_links("edges", {"name": "alone"}, 1, np.zeros((0, 2), np.int64), endpoints=endpoints)


@pytest.mark.parametrize("load", [0.1, 0.5, 0.9])
def test_one_router_has_a_queue_per_endpoint(load):
    """Each endpoint's cable is a queue M/D/1 that all other endpoints share; the source sends phit by phit."""
    topology = alone(4)
    found = flows_of(topology)
    # Traffic inside the router arrives from four endpoints alike.
    assert found.ejection_contention[0] == pytest.approx(1 - 1 / 4)
    assert found.hops[0] == pytest.approx(4)
    at = waits(found, Queues(4, 2, 4, 1), load)
    assert at.ejection == pytest.approx([load] * 4)
    constants = Constants()
    tail = float(queue_tail(np.array([load]))[0])
    expected = constants.delta * tail ** (2 * 4 - 1) * 0.75 * load / (2 * (1 - load))
    assert at.injection[0] == pytest.approx(expected)


def test_the_tail_of_a_queue_solves_its_equation():
    load = np.linspace(0.05, 0.95, 10)
    root = 1 / queue_tail(load)
    assert (root > 1).all()
    np.testing.assert_allclose(np.exp(load * (root - 1)), root, rtol=1e-9)
    assert queue_wait(np.array([0.5]))[0] == pytest.approx(0.5)


@pytest.mark.parametrize(("routers", "endpoints"), [(5, 2), (9, 3)])
def test_links_of_a_complete_graph_carry_the_traffic_of_a_pair(routers, endpoints):
    topology = build("hyperx", sizes=(routers,), endpoints_per_router=endpoints)
    found = flows_of(topology)
    pair = endpoints**2 / (routers * endpoints - 1)
    np.testing.assert_allclose(found.flow, pair, rtol=1e-6)
    assert not found.turn.any()
    # Only the endpoints of a router compete for its links.
    np.testing.assert_allclose(found.contention[0], 1 - 1 / endpoints)
    # Under Valiant routing a packet takes two links, and one of the others is its intermediate.
    via = flows_of(topology, valiant=True)
    np.testing.assert_allclose(via.flow, pair, rtol=1e-6)
    np.testing.assert_allclose(via.ejected[:, 1], pair, rtol=1e-6)


def test_links_of_a_ring_carry_the_mean_distance():
    """On a ring of 7 routers each link direction carries (1 + 2 + 3) / 6 of an endpoint's traffic."""
    found = flows_of(build("torus", sizes=(7,), endpoints_per_router=1))
    np.testing.assert_allclose(found.flow.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.flow, [[3 / 6, 2 / 6, 1 / 6]] * 14)
    # A packet meets only new packets of its router: 3/6 of the flow comes from it, 3/6 from the port behind.
    np.testing.assert_allclose(found.contention[0], 1 - 2 * 0.5**2)


def test_without_waits_the_delay_is_that_of_the_empty_network():
    topology = build("torus", sizes=(4, 4), endpoints_per_router=1)
    found = model(topology, loads=(1e-6,), link_cycles=5, router_delay_cycles=3, packet_phits=8)
    hops = np.mean([min(x, 4 - x) + min(y, 4 - y) for x in range(4) for y in range(4) if x or y])
    assert found.mean_hops == pytest.approx(hops)
    assert found.delay_mean[0] == pytest.approx(5 * (hops + 2) + 3 * (hops + 1) + 7, rel=1e-4)


def test_a_full_stream_is_limited_by_its_link_alone():
    """Ten endpoints of a router send to another: the link's rate alone limits them, whatever queues do."""
    topology = from_links("edges", {"name": "pair"}, 2, np.array([[0, 1]]), endpoints=10)
    found = model(topology, traffic="router_permutation")
    assert found.first_full == pytest.approx(0.1, rel=0.01)
    assert found.saturation == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize("routing", ["minimal", "valiant"])
@pytest.mark.parametrize("traffic", ["uniform", "permutation", "hot_spot", "tornado"])
def test_flows_conserve_traffic(routing, traffic):
    topology = build("jellyfish", routers=20, degree=5, endpoints_per_router=2)
    found = flows_of(topology, traffic, valiant=routing == "valiant")
    between = found.traffic.total - found.traffic.inside.sum()
    assert found.hops[1:].sum() == pytest.approx(between)
    arriving = found.flow.sum()
    leaving = found.ejected.sum() + found.turn.sum(dtype=np.float64)
    assert arriving == pytest.approx(leaving, rel=1e-5)
    assert found.flow.sum() == pytest.approx(found.injected.sum() + found.turn.sum(dtype=np.float64), rel=1e-5)
    received = np.bincount(topology.endpoint_router, found.traffic.received)
    ejected = np.bincount(found.beyond, found.ejected.sum(axis=1), topology.router_count)
    np.testing.assert_allclose(ejected + found.traffic.inside, received, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_mixture_has_the_squares_of_its_turns(share):
    topology = build("slimfly", q=3, endpoints_per_router=2)
    network = Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))
    traffic = demand.traffic_of(topology, "uniform", table_of("uniform", None, topology, 1))
    weights = np.random.default_rng(1).uniform(0.2, 1, (len(topology.indices), network.diameter))
    one, other = (flows.minimal_flows(network, traffic, each, adaptive=True) for each in (None, weights))
    mixed = flows.Mixture(one, other).at(share)
    turn = (1 - share) * one.turn.astype(float) + share * other.turn
    by_port, by_channel = mixed.squares.copy(), np.zeros(mixed.flow.shape)
    by_channel[:, 0] = mixed.squares
    pair = 0
    for start, end in pairwise(topology.indptr.tolist()):
        for port in range(start, end):
            for _ in range(start, end):
                by_port[port] += turn[:, pair].sum() ** 2
                by_channel[port, 1:] += turn[:, pair] ** 2
                pair += 1
    assert pair == turn.shape[1]
    assert not np.allclose(one.port_squares, other.port_squares)
    np.testing.assert_allclose(mixed.port_squares, by_port, rtol=1e-5)
    np.testing.assert_allclose(mixed.channel_squares, by_channel, rtol=1e-5, atol=1e-9)


def test_waits_grow_with_the_load():
    topology = build("slimfly", q=5, endpoints_per_router=4)
    found = model(topology, loads=(0.1, 0.3, 0.5, 0.6))
    assert (np.diff(found.delay_mean) > 0).all()
    assert (np.diff(found.delay_p99) > 0).all()
    assert (found.delay_p99 > found.delay_mean).all()
    assert found.saturation_range[0] < found.saturation < found.saturation_range[1]
    assert found.first_full <= found.saturation
    np.testing.assert_allclose(found.link_load[1], 3 * found.link_load[0], rtol=1e-6)


@pytest.mark.parametrize(
    ("routing", "traffic", "simulate"),
    [("minimal", "uniform", False), ("minimal", "adversarial", False), ("ugal", "uniform", True)],
)
def test_throughput_is_that_of_the_whole_estimate(routing, traffic, simulate):
    topology = build("slimfly", q=5, endpoints_per_router=4)
    found = throughput(topology, routing=routing, traffic=traffic)
    whole = model(topology, routing=routing, traffic=traffic)
    assert found[:3] == (whole.saturation, *whole.saturation_range)
    assert found.low < found.saturation < found.high
    assert found.simulate == simulate


def test_an_estimate_of_a_plan_ignores_settings_of_packets():
    topology = build("hyperx", sizes=(4, 4), endpoints_per_router=2)
    given = {"traffic": "hot_spot", "traffic_parameters": {"spots": 2}, "loads": (0.2,), "cycles": 5, "preset": "caminos"}
    assert "cycles" not in model_settings(given)
    found = estimate(Plan("grid", "", {}, topology=topology), seed=1, traffic="uniform", settings=given, physical=False)
    expected = model(topology, (0.2,))
    assert found.traffic == "uniform"
    assert (found.saturation, found.delay_mean[0]) == (expected.saturation, expected.delay_mean[0])


def test_what_is_not_known_is_not_a_number():
    topology = build("slimfly", q=5, endpoints_per_router=4)
    found = model(topology, loads=(0.2, 0.75, 0.9))
    assert np.isfinite(found.delay_mean).tolist() == [True, False, False]
    assert np.isfinite(found.link_load[:, 0]).tolist() == [True, True, False]
    ratio = model(topology, routing="ugal")
    assert ratio.advice
    assert math.isnan(ratio.first_full)
    assert np.isnan(ratio.delay_mean).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names("routing"))
def test_every_routing_is_estimated_or_refused(name):
    topology = build("hyperx", sizes=(3, 3), endpoints_per_router=2)
    if name in ROUTINGS:
        assert 0 < model(topology, routing=name).saturation <= 1
        return
    with pytest.raises(InputError, match="simulate packets"):
        model(topology, routing=name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(registry.names("traffic")) - {"matrix", "jobs"}))
def test_every_traffic_pattern_is_estimated(name):
    topology = build("hyperx", sizes=(4, 4), endpoints_per_router=1)
    found = model(topology, traffic=name)
    assert 0 < found.saturation <= 1
    assert np.isfinite(found.delay_mean).all()


def test_patterns_with_parameters_are_estimated(tmp_path):
    topology = build("hyperx", sizes=(4, 4), endpoints_per_router=1)
    assert model(topology, traffic="jobs", traffic_parameters={"ranks": (8, 4)}).saturation > 0
    rates = tmp_path / "rates.csv"
    rates.write_text("source,target,rate\n0,1,2\n1,0,1\n")
    # The link between two neighbors carries one endpoint at its full rate.
    found = model(topology, traffic="matrix", traffic_parameters={"file": rates})
    assert found.link_load[0].max() == pytest.approx(0.1)


@pytest.mark.parametrize(
    "given",
    [
        {"routing": "valiant", "routing_parameters": {"through": "group"}},
        {"preset": "booksim"},
        {"loads": (1.5,)},
        {"process": "burst"},
    ],
)
def test_settings_outside_the_model_are_refused(given):
    assert "booksim" in PRESETS
    with pytest.raises(InputError):
        model(build("dragonfly", a=4, h=2), **given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "routing", "traffic", "within"),
    [
        ("slimfly", {"q": 5, "endpoints_per_router": 4}, "minimal", "uniform", 0.06),
        ("hyperx", {"sizes": (4, 4), "endpoints_per_router": 3}, "minimal", "uniform", 0.06),
        ("hyperx", {"sizes": (4, 4), "endpoints_per_router": 3}, "valiant", "uniform", 0.06),
        ("slimfly", {"q": 5, "endpoints_per_router": 4}, "minimal", "adversarial", 0.06),
    ],
)
def test_the_model_agrees_with_the_engine(family, parameters, routing, traffic, within):
    topology = build(family, **parameters)
    given = {"routing": routing, "traffic": traffic, "preset": "caminos"}
    delay = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    estimate = model(topology, **given)
    engine = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1, "cycles": 3000, **given}
    loads = (0.5 * estimate.saturation,)
    seen = simulate(topology, delay, loads=loads, saturation=True, max_cycles=12_000, **engine)
    assert estimate.saturation == pytest.approx(seen.saturation_throughput, rel=within)
    assert model(topology, loads, **given).delay_mean[0] == pytest.approx(seen.delay_mean[0], rel=0.12)


def test_settings_of_a_stored_plan_are_lists():
    assert "outages" not in model_settings({"outages": []})
    assert "outages" in model_settings({"outages": [{"at_us": 1}]})
