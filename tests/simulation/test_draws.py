"""Draws of routings: independent from hop to hop, packet to packet, source to source and target to target."""

from collections import Counter
from itertools import product

import numba
import numpy as np
import pytest
from scipy.stats import chisquare
from shared.routing_walks import ONE, Walk, lengths

from planner.core import registry
from planner.kernels.routing import steps
from planner.network.topology import build

OBLIVIOUS = {"adaptive": False}


def even_split(topology, sent):
    """Return what each port carries when every router splits what is bound for a target evenly over the ports that lead nearer.

    `sent` is what goes from router to router, float64 (R, R); the result has a place for each entry of ``topology.indices``.
    """
    distance, carried = lengths(topology), np.zeros(len(topology.indices))
    for target in range(topology.router_count):
        here = sent[:, target].copy()
        for router in sorted(range(topology.router_count), key=lambda router: -distance[router][target]):
            ports = range(topology.indptr[router], topology.indptr[router + 1])
            nearer = [port for port in ports if distance[topology.indices[port]][target] < distance[router][target]]
            for port in nearer:
                carried[port] += here[router] / len(nearer)
                here[topology.indices[port]] += here[router] / len(nearer)
    return carried


JOINED = [
    name for name in registry.names("topology") if name != "leaves" and getattr(registry.load("topology", name), "JOINED", True)
]


@pytest.mark.slow
@pytest.mark.parametrize("family", JOINED)
def test_oblivious_minimal_routing_splits_loads_evenly_on_every_family(family):
    walk = Walk(build(family, **registry.load("topology", family).EXAMPLE), "minimal", OBLIVIOUS)
    topology, load, cycles = walk.topology, 0.2, 20_000
    endpoints = topology.endpoints_of.astype(np.float64)
    sent = np.outer(endpoints, endpoints) / (endpoints.sum() - 1)
    np.fill_diagonal(sent, 0)
    expected = even_split(topology, sent) * load / 16 * cycles
    measures = walk.run(load, cycles=cycles)
    assert measures.delivered == pytest.approx(measures.generated, rel=0.01)
    counted = measures.sent[walk.network.network_port] / 16
    assert counted[expected == 0].sum() == 0
    deviation = (counted - expected)[expected > 0] / expected[expected > 0] ** 0.5
    # Packets come nearly at random, so that a count varies by its square root.
    assert np.abs(deviation).max() < 5.5
    assert (deviation**2).mean() < 1 + 6 * (2 / len(deviation)) ** 0.5


TREES = [
    ("fattree", {"k": 2, "levels": 3}),
    ("fattree", {"k": 4, "levels": 3}),
    ("fattree", {"k": 4, "levels": 3, "clos": True}),
    ("fattree", {"k": 3, "levels": 4}),
    ("megafly", {"rho": 2, "a": 4}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "parameters"), TREES)
def test_oblivious_minimal_routing_carries_as_much_as_source_routing_on_trees(family, parameters):
    """In a tree a port drawn at each router and a path drawn at the source are the same distribution."""
    topology = build(family, **parameters)
    accepted = {}
    for routing, settings in (("minimal", OBLIVIOUS), ("source", {})):
        measures = Walk(topology, routing, settings).run(0.9, warmup=3000, cycles=12_000)
        accepted[routing] = measures.delivered
    assert accepted["minimal"] == pytest.approx(accepted["source"], rel=0.05)


@pytest.mark.parametrize("routing", ["single_path", "ecmp"])
def test_fixed_paths_do_not_collapse_on_trees(routing):
    """A hash that is alike at successive hops leaves a quarter of the tops; drawn alone, few flows share a link by chance."""
    topology = build("fattree", k=4, levels=3)
    best = Walk(topology, "source").run(0.9, warmup=2000, cycles=3000).delivered
    assert Walk(topology, routing).run(0.9, warmup=2000, cycles=3000).delivered > 0.5 * best


@pytest.fixture(scope="module")
def tree():
    return build("fattree", k=4, levels=3)


def keys(walk, kind):
    """Yield source router, target router, endpoint and time of creation of packets that differ in one respect."""
    far = [(s, t) for s, t in walk.pairs() if walk.network.distance[s, t] == 4]
    if kind == "packet":
        for created in range(3000):
            yield *far[0], 0, created
    elif kind == "packet at full rate":
        for created in range(0, 16 * 3000, 16):
            yield *far[0], 0, created
    elif kind == "source":
        for created in range(40):
            for source, target in dict(far).items():
                for place in range(4):
                    yield source, target, 4 * walk.used.index(source) + place, 77 * created
    else:
        for source, target in far:
            yield source, target, 4 * walk.used.index(source), 77


def ports_up(walk, source, target, endpoint, created):
    """Return the first two ports of a packet's path."""
    chosen, router, label = [], source, 0
    walk.endpoint[source] = endpoint
    for hop in range(2):
        rows = walk.options(router, source, target, hop, label, created)
        assert len(rows) == 1
        chosen.append(rows[0].port)
        router, label = rows[0].to, rows[0].label
    return tuple(chosen)


DRAWN = [
    ("minimal", OBLIVIOUS, ("packet", "packet at full rate", "source")),
    ("source", {}, ("packet", "packet at full rate", "source")),
    ("all_paths", {"longer": 0}, ("packet", "packet at full rate", "source")),
    ("ksp", {"k": 16}, ("packet", "packet at full rate", "source")),
    ("single_path", {}, ("target",)),
    ("ecmp", {}, ("target",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("routing", "parameters", "kind"), [(routing, given, kind) for routing, given, kinds in DRAWN for kind in kinds]
)
def test_ports_of_successive_hops_are_independent(tree, routing, parameters, kind):
    """Going up a tree of four ports at each router all sixteen pairs of ports are equally likely."""
    walk = Walk(tree, routing, parameters)
    seen = Counter(ports_up(walk, *key) for key in keys(walk, kind))
    first, second = ({pair[hop] for pair in seen} for hop in range(2))
    assert (len(first), len(second)) == (4, 4)
    assert chisquare([seen[pair] for pair in product(first, second)]).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 16, 40])
@pytest.mark.parametrize("place", ["created", "source"])
def test_intermediates_of_successive_packets_are_independent(step, place):
    walk = Walk(build("hyperx", sizes=(6,), **ONE), "valiant")
    vias = []
    for number in range(4000):
        given = {"created": number * step} if place == "created" else {}
        walk.endpoint[0] = number * step if place == "source" else 0
        vias.append((walk.options(0, 0, 3, **given)[0].label & steps.VIA) - 1)
    pairs = Counter(zip(vias[::2], vias[1::2], strict=True))
    assert {via for pair in pairs for via in pair} == {1, 2, 4, 5}
    assert chisquare([pairs[pair] for pair in product((1, 2, 4, 5), repeat=2)]).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 16])
def test_deflections_of_a_swapped_dragonfly_are_independent(step):
    topology = build("swapped_dragonfly", k=4, m=4, **ONE)
    walk, coords = Walk(topology, "swapped_dragonfly", {"deflect": "random"}), topology.coords
    source, target = 1, topology.router_count - 1
    seen = Counter()
    for created in range(0, 4000 * step, step):
        # A hop that leads to the same router is left out; the packet then makes the one after it.
        position, cabinet = (walk.options(source, source, target, label=label, created=created)[0] for label in (5, 4))
        d = coords[position.to][2] if position.label == 4 else coords[source][2]
        seen[int(d), int(coords[cabinet.to][0])] += 1
    assert chisquare([seen[pair] for pair in product(range(4), range(4))]).pvalue > 0.001


@numba.njit
def _hashes(a, b, c, bound):
    result = np.empty(len(a), np.int64)
    for i in range(len(a)):
        result[i] = steps.hashed(a[i], b[i], c[i], bound)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("bound", [2, 3, 4, 7, 16, 41])
@pytest.mark.parametrize("strides", [(1, 0, 0), (16, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (16, 1, 0), (0, 16, 1), (1, 0, -1)])
def test_the_hash_is_even_and_its_neighbors_are_independent(bound, strides):
    """Times of creation, sources and salts go up in steps: their draws, and pairs of these, are as of dice."""
    numbers = np.arange(40 * bound**2)
    drawn = _hashes(*(5000 + stride * numbers for stride in strides), bound)
    assert chisquare(np.bincount(drawn, minlength=bound)).pvalue > 1e-4
    pairs = drawn[:-1:2] * bound + drawn[1::2]
    assert chisquare(np.bincount(pairs, minlength=bound**2)).pvalue > 1e-4
