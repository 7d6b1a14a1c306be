"""Routings against published figures: path lengths, dead ends, and throughput."""

import numpy as np
import pytest
from shared.routing_walks import ONE, Walk

from planner.core.errors import PlannerWarning
from planner.network.topology import build
from planner.simulation.embedding import embed_given
from planner.simulation.network import Network
from planner.simulation.routing import polarized
from planner.simulation.routing.tables import path_tables
from planner.simulation.traffic import adversarial, uniform

pytestmark = pytest.mark.slow


def plain(topology):
    return Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))


@pytest.mark.parametrize(
    ("q", "degree", "supernode"),
    [
        (2, 0, "iq"),
        (2, 3, "iq"),
        (3, 3, "iq"),
        (3, 4, "iq"),
        (4, 3, "iq"),
        (2, 7, "iq"),
        (2, 2, "paley"),
        (3, 4, "paley"),
        (4, 2, "paley"),
    ],
)
def test_polarstar_algebra_is_minimal(q, degree, supernode):
    """Every port that it offers, for all pairs, leads nearer by breadth-first distance; PolarStar paper, section 9.2."""
    topology = build("polarstar", q=q, supernode_degree=degree, supernode=supernode, **ONE)
    walk = Walk(topology, "polarstar")
    distance = walk.network.distance
    routers = range(topology.router_count)
    for router in routers:
        for target in routers:
            if router != target:
                for hop in walk.options(router, router, target):
                    assert distance[hop.to, target] == distance[router, target] - 1
    assert distance.max() <= 3


# (diameter, pairs with dead ends, longest route without fallback) from exhaustive search by other code.
POLARIZED = [
    ("torus", {"sizes": (10,)}, 0, 9),
    ("mesh", {"sizes": (6,)}, 20, None),
    ("mesh", {"sizes": (4, 4)}, 92, None),
    ("hyperx", {"sizes": (8,)}, 0, 2),
    ("hyperx", {"sizes": (5, 5)}, 0, 4),
    ("slimfly", {"q": 5}, 0, 4),
    ("slimfly", {"q": 4}, 0, 4),
    ("slimfly", {"q": 7}, 0, 5),
    ("polarfly", {"q": 5}, 0, 4),
    ("polarfly", {"q": 4}, 0, 4),
    ("projective", {"q": 5}, 0, 5),
    ("kautz", {"d": 3, "diameter": 3}, 0, 9),
    ("dragonfly", {"a": 12, "h": 1, "arrangement": "palmtree"}, 0, 6),
    ("dragonfly", {"a": 8, "h": 4, "arrangement": "absolute"}, 342, None),
    ("dragonfly", {"a": 8, "h": 4, "arrangement": "palmtree"}, 0, 9),
    ("swapped_dragonfly", {"k": 3, "m": 4}, 324, None),
    ("polarstar", {"q": 5, "supernode_degree": 3}, 0, 8),
    ("spectralfly", {"p": 11, "q": 7}, 0, 9),
    ("mesh", {"sizes": (4, 4)}, 92, None),
]


@pytest.mark.parametrize(("family", "parameters", "failed", "longest"), POLARIZED)
def test_polarized_routes_and_dead_ends(family, parameters, failed, longest):
    network = plain(build(family, **parameters, **ONE))
    made = polarized.reach(network)
    assert made.trapped_pairs == failed
    if longest is not None:
        assert made.longest == longest
    assert polarized.polarized_safe(network) == (failed == 0)
    if family not in ("torus", "hyperx"):
        assert polarized.prepare(network).virtual_channels == made.longest


def test_dead_ends_of_polarized_routes_are_reported():
    mesh = build("mesh", sizes=(4, 4), endpoints_per_router=1)
    delays = np.ones(mesh.link_count + mesh.endpoint_count, np.int64)
    given = {"router_delay_ps": 0, "rate_gbps": 100, "routing": "polarized"}
    with pytest.warns(PlannerWarning, match="routes of 92 of 240 router pairs lead into dead ends"):
        embed_given(mesh, delays, **given)
    torus = build("torus", sizes=(4, 4), endpoints_per_router=1)
    embed_given(torus, np.ones(torus.link_count + torus.endpoint_count, np.int64), **given)


@pytest.mark.parametrize(
    ("family", "parameters", "source", "target", "hops"),
    [
        ("polarfly", {"q": 3}, 0, 1, [2, 3, 3, 3, 3, 4, 4, 4]),
        ("polarfly", {"q": 3}, 4, 0, [2, 3, 3, 3, 4, 4, 4, 4]),
        ("swapped_dragonfly", {"k": 2, "m": 4}, 0, 31, [3, 4, 4, 4, 4, 4, 4, 5]),
        ("slimfly", {"q": 5}, 0, 7, [2, 3, 3, 3, 3, 3, 3, 4]),
        ("hyperx", {"sizes": (4, 4)}, 0, 15, [2, 2, 3, 3, 3, 3, 3, 3]),
    ],
)
def test_ksp_lengths(family, parameters, source, target, hops):
    walk = Walk(build(family, **parameters, **ONE), "ksp")
    assert [len(path) - 1 for path in path_tables.drawn(walk.network, walk.prepared, source, target)] == hops


def test_headers_of_the_swapped_dragonfly_paper():
    """Section 8: (3; γ, π, δ) takes (c, d, p) over (c, d, p + δ) and (c + γ, p + δ, d) to (c + γ, p + δ, d + π)."""
    k, m = 3, 5
    topology = build("swapped_dragonfly", k=k, m=m, **ONE)
    walk, coords = Walk(topology, "swapped_dragonfly"), topology.coords.tolist()
    for source, target in walk.pairs()[::7]:
        (c, d, p), (c2, d2, p2) = coords[source], coords[target]
        gamma, pi, delta = (c2 - c) % k, (p2 - d) % m, (d2 - p) % m
        places = [
            [c, d, (p + delta) % m],
            [(c + gamma) % k, (p + delta) % m, d],
            [(c + gamma) % k, (p + delta) % m, (d + pi) % m],
        ]
        assert places[2] == coords[target]
        path = [coords[router] for router in walk.follow(source, target)]
        assert len(path) <= 4
        left = iter([coords[source], *places])
        assert all(place in left for place in path)


def measured(topology, routing, parameters, load, traffic, table):
    measures = Walk(topology, routing, parameters).run(load, traffic, table, warmup=3000, cycles=3000)
    assert measures.deadlock == -1
    return measures


GROUPS = {"through": "group"}


def test_adversarial_traffic_on_a_dragonfly():
    """All of a group to the next: one global link for a·p endpoints; over other groups about half of all links serve them."""
    topology = build("dragonfly", a=4, h=2)
    table = adversarial.prepare(topology, 0)
    single = 1 / (4 * 2)

    def accepted(routing, parameters):
        measures = measured(topology, routing, parameters, 0.45, "adversarial", table)
        return measures.delivered * 16 / 3000 / topology.endpoint_count

    assert accepted("hierarchical", {}) == pytest.approx(single, rel=0.05)
    for routing, parameters in (("valiant", GROUPS), ("ugal", GROUPS), ("ugal", GROUPS | {"queues": "path"}), ("par", {})):
        assert accepted(routing, parameters) > 2.4 * single, (routing, parameters)


def test_adaptive_routings_take_detours_for_queues_alone():
    """Uniform traffic of low load: nearly minimal with a threshold, between minimal and Valiant without."""
    topology = build("dragonfly", a=4, h=2)
    table = uniform.prepare(topology, 0)

    def hops(routing, parameters):
        measures = measured(topology, routing, parameters, 0.15, "uniform", table)
        return measures.hops @ np.arange(256) / measures.delivered

    minimal, valiant = hops("hierarchical", {}), hops("valiant", GROUPS)
    assert valiant > 1.5 * minimal
    for routing, parameters in (("ugal", GROUPS), ("par", {})):
        assert hops(routing, parameters | {"threshold": 12}) < 1.05 * minimal
        assert 1.02 * minimal < hops(routing, parameters) < (minimal + valiant) / 2
