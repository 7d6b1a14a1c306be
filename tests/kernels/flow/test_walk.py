"""The walk over minimal ports against a plain twin that follows every pair by itself."""

import numpy as np
import pytest

from planner.kernels.fluid import arrays, waits
from planner.kernels.routing.steps import hashed
from planner.network.topology import build, from_links
from planner.simulation.fluid import demand, flows
from planner.simulation.network import Network
from planner.simulation.patterns import table_of


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


def turns(found):
    """Return the turns as `plain` does: by sending port, channel and entry of the row of the router there."""
    graph = found.graph
    degree = np.diff(graph.indptr)
    turn = np.zeros((*found.flow.shape, int(degree.max())))
    for router, first in enumerate(graph.indptr[:-1]):
        for onward in range(degree[router]):
            for port in range(degree[router]):
                pair = graph.pairs[router] + onward * degree[router] + port
                turn[graph.reverse[first + port], : len(found.turn), onward] = found.turn[:, pair]
    return turn


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
    np.testing.assert_allclose(turns(found), turn, atol=1e-5)
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
    np.testing.assert_allclose(turns(found), turn, atol=1e-5)


def test_routers_at_either_end_examine_their_ports():
    """In a star of stars more routers are far from a target than near, in a ring half: both give the flow of every pair."""
    star = [(0, hub) for hub in range(1, 4)] + [(hub, 3 * hub + leaf) for hub in range(1, 4) for leaf in range(1, 4)]
    topology = from_links("edges", {"name": "star"}, 13, np.array([*star, (4, 7), (7, 10)]), endpoints=2)
    network = Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))
    traffic = demand.traffic_of(topology, "uniform", table_of("uniform", None, topology, 1))
    weights = np.random.default_rng(3).uniform(0.5, 2, (len(topology.indices), network.diameter))

    def weighted(router, target, minimal, channel):
        return weights[minimal, channel] / weights[minimal, channel].sum()

    for given, share in ((None, even), (weights, weighted)):
        found = flows.minimal_flows(network, traffic, given, adaptive=True)
        flow, turn, ejected = plain(network, np.full((13, 13), 4 / 25), network.diameter, share)
        np.testing.assert_allclose(found.flow, flow, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(turns(found), turn, atol=1e-5)
        np.testing.assert_allclose(found.ejected, ejected, rtol=1e-5, atol=1e-7)


def test_sampled_turns_carry_the_whole_flow_of_a_queue(monkeypatch):
    network = network_of("jellyfish", routers=60, degree=6, endpoints_per_router=2)
    traffic = demand.traffic_of(network.topology, "uniform", table_of("uniform", None, network.topology, 1))
    whole = flows.minimal_flows(network, traffic, None, adaptive=True)
    monkeypatch.setattr(flows, "SAMPLED", 60)
    monkeypatch.setattr(flows, "TURN_TARGETS", 20)
    found = flows.minimal_flows(network, traffic, None, adaptive=True)
    np.testing.assert_array_equal(found.flow, whole.flow)
    drawn = found.turned.T
    used = drawn > 0
    assert 0 < used.sum() <= (whole.turned > 0).sum()
    np.testing.assert_allclose(drawn[used], (whole.flow - whole.ejected)[used], rtol=1e-5, atol=1e-7)
    assert (whole.turn[found.turn > 0] > 0).all()
    # Drawing concentrates the turns of a queue, which is corrected: the mean chance of different inputs is the same.
    assert found.contention[0].mean() == pytest.approx(whole.contention[0].mean(), abs=0.03)
    assert (found.choice @ found.flow.sum(axis=1)) == pytest.approx(whole.choice @ whole.flow.sum(axis=1), rel=0.1)


def graph_of_two():
    """Two routers with two links between them: ports 0 and 1 of router 0, 2 and 3 of router 1; four pairs of ports each."""
    indptr, pairs = np.array([0, 2, 4]), np.array([0, 4, 8])
    return arrays.Graph(
        indptr, np.array([1, 1, 0, 0], np.uint16), np.array([2, 3, 0, 1], np.int32), pairs, np.zeros((2, 2), np.uint8)
    )


def test_contention_sums_squares_by_port_and_by_channel():
    turn, graph = np.random.default_rng(2).uniform(0, 1, (2, 8)).astype(np.float32), graph_of_two()
    by_port, by_channel = np.zeros(4), np.zeros((4, 3))
    waits.contention(turn, graph, by_port, by_channel)
    for port in range(4):
        own = turn[:, 2 * port : 2 * port + 2]
        assert by_port[port] == pytest.approx((own.sum(axis=0) ** 2).sum(), rel=1e-5)
        assert by_channel[port] == pytest.approx([0, *(own**2).sum(axis=1)], rel=1e-5)


def test_turns_are_added_up_scaled_and_connected_by_queue():
    random, graph = np.random.default_rng(4), graph_of_two()
    turn = random.uniform(0, 1, (2, 8)).astype(np.float32)
    factor, starting = random.uniform(0, 2, (3, 4)), random.uniform(0, 2, (3, 4))
    # By channel, port that is turned to, and queue; the queue behind port 0 is the one at port 2.
    queues = np.array([[2, 3], [2, 3], [0, 1], [0, 1]])
    plain = turn.reshape(2, 4, 2).copy()
    scaled = plain * factor[:2][:, queues]
    connected = scaled + factor[:2][:, queues] * starting[1:, :, None]
    waits.scale(turn, graph, factor)
    np.testing.assert_allclose(turn.reshape(2, 4, 2), scaled, rtol=1e-6)
    waits.connect(turn, graph, factor, starting)
    np.testing.assert_allclose(turn.reshape(2, 4, 2), connected, rtol=1e-6)
    totals = np.zeros((3, 4))
    waits.totals(turn, graph, totals)
    expected = [[connected[channel][queues == queue].sum() for queue in range(4)] for channel in range(2)]
    np.testing.assert_allclose(totals, [*expected, [0] * 4], rtol=1e-6)


def test_the_wait_of_heads_is_a_mean_limited_by_the_rest_of_each_link():
    graph = graph_of_two()
    turn, whole, out = np.zeros(8, np.float32), np.zeros(4), np.zeros(4)
    # The queue at port 2, which is behind port 0, turns to ports 2 and 3.
    turn[[4, 6]], whole[0] = (0.2, 0.3), 0.5
    wait, link = np.array([0.0, 0.0, 0.5, 9.0]), np.array([0.0, 0.0, 0.9, 0.8])
    waits.wait_of_heads(turn, graph, whole, wait, link, 1.0, out)
    # Of the second link 0.5 is used by others, so that the queue waits for it at most 0.5 / (1 - 0.5).
    assert out == pytest.approx([(0.2 * 0.5 + 0.3 * 1.0) / 0.5, 0, 0, 0], rel=1e-6)


def test_a_head_with_several_ports_waits_less():
    """By the formula, and as a mean over heads with one port and with two."""
    wait, gamma = 1.5, 0.42
    blocked = wait / (1 + wait)
    options = np.array([[1.0, 0.0], [0.0, 1.0], [0.25, 0.75]])
    out = np.zeros(3)
    waits.fill_of_several(np.full(3, wait), options, gamma, out)
    several = blocked ** (1 + gamma) * (1 + wait) / (1 + gamma)
    assert out == pytest.approx([wait, several, 0.25 * wait + 0.75 * several])
