"""The walk over minimal ports against a plain twin that follows every pair by itself."""

import numpy as np
import pytest

from planner.kernels.flow import waits
from planner.kernels.routing.steps import hashed
from planner.simulation.flow import demand, flows
from planner.simulation.network import Network
from planner.simulation.patterns import table_of
from planner.topology import build


def network_of(family, **parameters):
    topology = build(family, **parameters)
    return Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))


def plain(network, amounts, channels, share):
    """Follow the flow of each pair of routers, amounts[source, target], port by port; return flow, turns and what is ejected."""
    topology, hops = network.topology, network.distance.astype(int)
    ports = len(topology.indices)
    flow, ejected = np.zeros((ports, channels)), np.zeros((ports, channels))
    turn = np.zeros((ports, channels, int(topology.degree.max())))

    def follow(router, target, channel, amount, before):
        if router == target:
            ejected[before, channel - 1] += amount
            return
        first = topology.indptr[router]
        own = range(first, topology.indptr[router + 1])
        minimal = [port for port in own if hops[topology.indices[port], target] < hops[router, target]]
        for port, part in zip(minimal, share(router, target, minimal, channel), strict=True):
            if not part:
                continue
            flow[port, channel] += amount * part
            if before is not None:
                turn[before, channel - 1, port - first] += amount * part
            follow(topology.indices[port], target, channel + 1, amount * part, port)

    for source, target in zip(*np.nonzero(amounts), strict=True):
        if source != target:
            follow(source, target, 0, amounts[source, target], None)
    return flow, turn, ejected


def even(router, target, minimal, channel):
    return [1 / len(minimal)] * len(minimal)


def one(router, target, minimal, channel):
    chosen = hashed(router, target, 0, len(minimal))
    return [float(number == chosen) for number in range(len(minimal))]


@pytest.mark.slow
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(
    ("family", "parameters"),
    [("torus", {"sizes": (3, 4)}), ("fattree", {"k": 4}), ("jellyfish", {"routers": 14, "degree": 4, "endpoints_per_router": 2})],
)
def test_the_walk_agrees_with_following_every_pair(family, parameters, single):
    network = network_of(family, **parameters)
    endpoints = network.topology.endpoints_of
    traffic = demand.traffic_of(network.topology, "uniform", table_of("uniform", None, network.topology, 1))
    found = flows.minimal_flows(network, traffic, None, adaptive=True, single=single)
    amounts = np.outer(endpoints, endpoints) / (endpoints.sum() - 1)
    flow, turn, ejected = plain(network, amounts, network.diameter, one if single else even)
    np.testing.assert_allclose(found.flow, flow, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(found.turn, turn, atol=1e-5)
    np.testing.assert_allclose(found.ejected, ejected, rtol=1e-5, atol=1e-7)


def test_weights_divide_the_flow():
    network = network_of("torus", sizes=(4, 4))
    traffic = demand.traffic_of(network.topology, "tornado", table_of("tornado", None, network.topology, 1))
    random = np.random.default_rng(1)
    weights = random.uniform(0.5, 2, (len(network.topology.indices), network.diameter))

    def weighted(router, target, minimal, channel):
        return weights[minimal, channel] / weights[minimal, channel].sum()

    amounts = np.zeros((16, 16))
    amounts[traffic.source, traffic.target] = traffic.amount
    found = flows.minimal_flows(network, traffic, weights, adaptive=True)
    flow, turn, _ = plain(network, amounts, network.diameter, weighted)
    np.testing.assert_allclose(found.flow, flow, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(found.turn, turn, atol=1e-5)


def test_sampled_turns_carry_the_whole_flow_of_a_queue(monkeypatch):
    network = network_of("jellyfish", routers=60, degree=6, endpoints_per_router=2)
    traffic = demand.traffic_of(network.topology, "uniform", table_of("uniform", None, network.topology, 1))
    whole = flows.minimal_flows(network, traffic, None, adaptive=True)
    monkeypatch.setattr(flows, "_TURN_TARGETS", 20)
    found = flows.minimal_flows(network, traffic, None, adaptive=True)
    np.testing.assert_array_equal(found.flow, whole.flow)
    drawn = found.turn.sum(axis=2)
    used = drawn > 0
    assert 0 < used.sum() <= (whole.turn.sum(axis=2) > 0).sum()
    np.testing.assert_allclose(drawn[used], (whole.flow - whole.ejected)[used], rtol=1e-5, atol=1e-7)
    assert (whole.turn[found.turn > 0] > 0).all()


def test_contention_sums_squares_by_port_and_by_channel():
    random = np.random.default_rng(2)
    turn = random.uniform(0, 1, (4, 3, 2)).astype(np.float32)
    head = np.array([0, 2, 0, 2])
    by_port, by_channel = np.zeros(4), np.zeros((4, 3))
    waits.contention(turn, head, by_port, by_channel)
    for port in range(4):
        inputs = [i for i in range(4) if head[i] == port // 2 * 2]
        place = port % 2
        assert by_port[port] == pytest.approx(sum(turn[i, :2, place].sum() ** 2 for i in inputs), rel=1e-5)
        for channel in (1, 2):
            assert by_channel[port, channel] == pytest.approx(sum(turn[i, channel - 1, place] ** 2 for i in inputs), rel=1e-5)


def test_the_wait_of_heads_is_a_mean_limited_by_the_rest_of_each_link():
    turn = np.array([[[0.2, 0.3]]], np.float32)
    wait, link, out = np.array([0.5, 9.0]), np.array([0.9, 0.8]), np.zeros(1)
    waits.wait_of_heads(turn, 0, np.array([0]), wait, link, 1.0, out)
    # Of the second link 0.5 is used by others, so that the queue waits for it at most 0.5 / (1 - 0.5).
    assert out[0] == pytest.approx((0.2 * 0.5 + 0.3 * 1.0) / 0.5, rel=1e-6)
