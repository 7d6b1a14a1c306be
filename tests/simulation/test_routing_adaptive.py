"""Adaptive routings follow the queues, and every hop the stated rule; checked against plain reckoning."""

from collections import Counter

import networkx
import numpy as np
import pytest
from shared.routing_walks import INPUT, ONE, OUTPUT, PHITS, Walk, lengths

from planner.kernels.routing import steps
from planner.kernels.routing.view import NOT_NOW
from planner.network.topology import build
from planner.simulation import simulate
from planner.simulation.traffic import router_permutation, uniform

pytestmark = pytest.mark.slow


def loaded(walk, router, port, packets=INPUT + OUTPUT):
    """Fill the queues of one port."""
    first = (int(walk.network.first_port[router]) + port) * walk.channels
    for queue in range(first, first + walk.channels):
        walk.output[queue]["credit"] = INPUT - min(packets, INPUT)
        walk.output[queue]["space"] = OUTPUT - max(0, packets - INPUT)


@pytest.mark.parametrize("queues", ["local", "path"])
def test_ugal_is_minimal_until_queues_say_otherwise(queues):
    topology = build("hyperx", sizes=(6,), **ONE)
    walk = Walk(topology, "ugal", {"queues": queues})
    direct = [hop.port for hop in walk.options(0, 0, 3)]
    assert [walk.options(0, 0, 3)[0].to] == [3]
    loaded(walk, 0, direct[0])
    vias = {walk.options(0, 0, 3, created=created)[0].to for created in range(60)}
    assert vias == {1, 2, 4, 5}
    walk = Walk(topology, "ugal", {"queues": queues, "threshold": 10_000})
    loaded(walk, 0, direct[0])
    assert walk.options(0, 0, 3)[0].to == 3


def test_ugal_compares_packets_times_hops():
    walk = Walk(build("hyperx", sizes=(6,), **ONE), "ugal", {"samples": 64})
    # All other paths have one packet per channel and 2 hops; the direct one wins up to 2 packets per channel.
    for packets, expected in ((2, True), (3, False)):
        for port in range(5):
            loaded(walk, 0, port, 1)
        loaded(walk, 0, 2, packets)
        assert (walk.options(0, 0, 3)[0].to == 3) == expected


def test_whole_paths_see_queues_that_the_source_does_not():
    """On a ring of 8 the path via 1 to 2 is congested at router 1: local queues do not show it."""
    topology = build("torus", sizes=(8,))
    port = int(np.flatnonzero(topology.indices[topology.indptr[1] : topology.indptr[2]] == 2)[0])
    chosen = {}
    for queues in ("local", "path"):
        walk = Walk(topology, "ugal", {"queues": queues, "samples": 32})
        loaded(walk, 1, port)
        chosen[queues] = {walk.options(0, 0, 2, created=created)[0].to for created in range(20)}
    assert chosen == {"local": {1}, "path": {7}}


def test_ugal_routes_are_minimal_or_valiant():
    topology = build("polarfly", q=3, **ONE)
    walk, distance, rng = Walk(topology, "ugal"), lengths(topology), np.random.default_rng(3)
    kinds = Counter()
    for created in range(12):
        walk.fill(rng)
        for source, target in walk.pairs():
            first = walk.options(source, source, target, created=created)[0]
            via = (first.label & steps.VIA) - 1
            kinds[via >= 0] += 1
            for _, hop in walk.transitions(source, target, created):
                goal = target if hop.label & steps.REACHED else via
                assert distance[hop.to][goal] == distance[hop.router][goal] - 1
    assert min(kinds.values()) > 100


def test_par_leaves_the_minimal_path_at_the_second_router():
    topology = build("dragonfly", a=4, h=1, **ONE)
    walk, group = Walk(topology, "par", {"samples": 16}), topology.group[:, 0]
    source, target = next((s, t) for s, t in walk.pairs() if len(walk.follow(s, t)) == 4)
    path = walk.follow(source, target)
    assert [group[router] for router in path] == [group[source]] * 2 + [group[target]] * 2
    gateway = path[1]
    loaded(walk, gateway, walk.options(gateway, source, target, hops=1)[0].port)
    assert walk.follow(source, target)[1] == gateway
    around = walk.follow(source, target)
    assert around[2] != path[2]
    assert len({int(group[router]) for router in around}) == 3
    # After two local hops in its group the packet has left channels 0 and 1 behind it.
    rows = walk.options(gateway, source, target, hops=1)
    assert {hop.channel for hop in rows} == {1}


@pytest.mark.parametrize("queues", ["port", "channel"])
@pytest.mark.parametrize("patient", [False, True])
def test_omnidimensional_hops_stay_in_unaligned_dimensions_within_the_budget(queues, patient):
    topology = build("hyperx", sizes=(3, 4), **ONE)
    coords = topology.coords.tolist()
    given = {"queues": queues, "patient": patient}
    for budget in (0, 1, 2):
        walk, rng = Walk(topology, "omnidimensional", {"misroutes": budget} | given), np.random.default_rng(budget)
        walk.fill(rng)
        for source, target in walk.pairs():
            states = {(source, 0, 0)} | {(hop.to, hop.hops + 1, hop.label) for _, hop in walk.transitions(source, target)}
            for router, hops, used in states:
                if router == target:
                    assert used <= budget
                    continue
                rows = {hop.to: hop for hop in walk.options(router, source, target, hops, used)}
                assert rows.keys() == expected_omni(coords, router, target, used < budget)
                left = sum(a != b for a, b in zip(coords[router], coords[target], strict=True))
                weights = {}
                for to, hop in rows.items():
                    away = sum(a != b for a, b in zip(coords[to], coords[target], strict=True)) == left
                    first = (int(walk.network.first_port[router]) + hop.port) * walk.channels
                    counted = range(first, first + walk.channels) if queues == "port" else [first + hop.channel]
                    packets = sum(INPUT + OUTPUT - int(q["credit"]) - int(q["space"]) for q in walk.output[counted])
                    # Weight = congestion x hops; of equal weights the one that aligns.
                    weights[to] = ((packets + 1) * (left + away), away)
                    assert hop.label == used + away
                order = sorted(set(weights.values()))
                for to, hop in rows.items():
                    if patient and weights[to] != order[0]:
                        assert hop.penalty == NOT_NOW
                ranks = [weights[to] for to in sorted(rows, key=lambda to: rows[to].penalty) if rows[to].penalty != NOT_NOW]
                assert ranks == sorted(ranks)


@pytest.mark.parametrize("input_packets", [4, 64])
def test_omnidimensional_keeps_its_throughput_beyond_saturation(input_packets):
    """OmniWAR misroutes only if that weighs less, and waits: as much as minimal under uniform traffic, more under adversarial."""
    topology = build("hyperx", sizes=(5, 5, 5), endpoints_per_router=5)
    delays = np.zeros(topology.link_count + topology.endpoint_count, np.int64)

    def accepted(routing, traffic, **parameters):
        found = simulate(
            topology, delays, seed=1, rate_gbps=100, link_cycles=1, router_delay_ps=0, router_delay_cycles=1, warmup=1500,
            loads=(0.9,), input_packets=input_packets, cycles=2000,
            traffic=traffic, routing=routing, routing_parameters=parameters,
        )  # fmt: skip
        return found.accepted[0]

    assert accepted("omnidimensional", "uniform") > 0.97 * accepted("minimal", "uniform")
    assert accepted("omnidimensional", "uniform", patient=False) < 0.8 * accepted("minimal", "uniform")
    assert accepted("omnidimensional", "adversarial") > 1.5 * accepted("minimal", "adversarial")
    assert accepted("omnidimensional", "adversarial", queues="channel") > accepted("omnidimensional", "adversarial")


def expected_omni(coords, router, target, may_misroute):
    found = set()
    for to, other in enumerate(coords):
        moved = [axis for axis in range(2) if other[axis] != coords[router][axis]]
        if len(moved) == 1 and coords[router][moved[0]] != coords[target][moved[0]]:
            aligned = other[moved[0]] == coords[target][moved[0]]
            if aligned or may_misroute:
                found.add(to)
    return found


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("slimfly", {"q": 3, **ONE}),
        ("mesh", {"sizes": (3, 3)}),
        ("polarfly", {"q": 3, **ONE}),
        ("swapped_dragonfly", {"k": 2, "m": 3, **ONE}),
    ],
)
@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("patient", [False, True])
def test_polarized_candidates_are_those_of_the_paper(family, parameters, strong, patient):
    """Conditions C1 to C3 and the weights of Algorithm 1 of the paper."""
    topology = build(family, **parameters)
    walk, d = Walk(topology, "polarized", {"strong": strong, "patient": patient}), lengths(topology)
    walk.fill(np.random.default_rng(1))
    near = networkx.Graph(topology.links.tolist())
    for s, t in walk.pairs():
        for c, hops, label in {(s, 0, 0)} | {(h.to, h.hops + 1, h.label) for _, h in walk.transitions(s, t) if h.to != t}:
            rows = {hop.to: hop for hop in walk.options(c, s, t, hops, label)}
            growth = {v: (d[v][s] - d[v][t]) - (d[c][s] - d[c][t]) for v in near[c]}
            allowed = {v for v in near[c] if growth[v] > 0}
            if not strong:
                c2 = {v for v in near[c] if growth[v] == 0 and d[c][s] < d[v][s] and d[c][s] < d[c][t]}
                c3 = {v for v in near[c] if growth[v] == 0 and d[c][t] > d[v][t] and d[c][s] >= d[c][t]}
                allowed |= c2 | c3
            if label or not allowed:
                assert rows.keys() == {v for v in near[c] if d[v][t] < d[c][t]}
                assert all(hop.label == 1 and hop.penalty == 0 for hop in rows.values())
                continue
            expected = {}
            for v in allowed:
                port = topology.indices[topology.indptr[c] : topology.indptr[c + 1]].tolist().index(v)
                queue = walk.output[(int(walk.network.first_port[c]) + port) * walk.channels + hops]
                queued = PHITS * (INPUT + OUTPUT - int(queue["credit"]) - int(queue["space"]))
                expected[v] = [0, 64, 80][max(growth[u] for u in allowed) - growth[v]] + queued
            if patient:
                expected = {v: cost if cost == min(expected.values()) else NOT_NOW for v, cost in expected.items()}
            assert {v: hop.penalty for v, hop in rows.items()} == expected
            assert all(hop.channel == hops for hop in rows.values())


def test_polarized_keeps_its_throughput_beyond_saturation():
    """The paper's figures 4 to 6: about as much as minimal for uniform traffic, more for permutations of routers."""
    topology = build("jellyfish", routers=64, degree=8, endpoints_per_router=4)
    accepted = {}
    for traffic in (uniform, router_permutation):
        table = traffic.prepare(topology, 1)
        for routing in ("minimal", "valiant", "polarized"):
            walk = Walk(topology, routing)
            measures = walk.run(0.9, traffic=traffic.__name__.rpartition(".")[2], table=table, warmup=1500, cycles=1500)
            accepted[traffic, routing] = measures.delivered
    assert accepted[uniform, "polarized"] > 0.92 * accepted[uniform, "minimal"]
    for other in ("minimal", "valiant"):
        assert accepted[router_permutation, "polarized"] > 1.1 * accepted[router_permutation, other]
