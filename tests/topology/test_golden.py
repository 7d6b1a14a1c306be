"""Agreement with numbers computed outside this package; see tests/data/README.md."""

import hashlib
import re

import numpy as np
import pytest
from shared.golden import GOLDEN, INSTANCES

from planner.network import topology
from planner.network.topology.construction.field import field, prime_power
from planner.network.topology.construction.products import inductive_quad, paley, tournament
from planner.network.topology.mddp import complete_times_iq3
from planner.network.topology.slimfly import generator_sets


@pytest.mark.parametrize(("family", "parameters", "expected"), INSTANCES)
@pytest.mark.slow
def test_order_links_numbering_and_distances(family, parameters, expected):
    network = topology.build(family, **parameters)
    assert network.router_count == expected["n"]
    assert network.link_count == expected["edges"]
    degrees, counts = np.unique(network.degree, return_counts=True)
    assert {str(d): c for d, c in zip(degrees.tolist(), counts.tolist(), strict=True)} == expected["degree_hist"]
    assert fingerprint(network.links) == expected["edge_sha256"]
    assert distance_histogram(network) == expected["dist_hist"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "expected"), [p for p in INSTANCES if "groups" in p.values[2] and p.values[0] != "hyperx"]
)
def test_groups_and_bundles(family, parameters, expected):
    network = topology.build(family, **parameters)
    group = network.group[:, 0]
    assert len(np.unique(group)) == expected["groups"]
    ends = np.sort(group[network.links], axis=1)
    bundles, links = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0, return_counts=True)
    assert len(bundles) == expected["bundles"]
    sizes, counts = np.unique(links, return_counts=True)
    assert {str(s): c for s, c in zip(sizes.tolist(), counts.tolist(), strict=True)} == expected["links_per_bundle_hist"]
    if "clusters" in expected:
        cluster_sizes = np.bincount(np.bincount(network.group[:, 1]))
        assert {str(s): int(cluster_sizes[s]) for s in np.flatnonzero(cluster_sizes)} == expected["cluster_size_hist"]


def distance_histogram(network) -> list[int]:
    """Ordered pairs at distance 1, 2 …, by Boolean matrix powers."""
    n = network.router_count
    adjacency = np.zeros((n, n), np.float32)
    adjacency[network.links[:, 0], network.links[:, 1]] = 1
    adjacency += adjacency.T
    reached = np.eye(n, dtype=bool)
    counts = []
    while not reached.all():
        further = (reached.astype(np.float32) @ adjacency > 0) | reached
        counts.append(int(further.sum() - reached.sum()))
        reached = further
    return counts


def test_generator_sets_of_slim_fly():
    for q, sets in GOLDEN["mms_generator_sets"].items():
        first, second = generator_sets(int(q))
        assert first.tolist() == sorted(sets["X"])
        assert second.tolist() == sorted(sets["Xp"])


def test_supernodes():
    for degree in (3, 4):
        quad = inductive_quad(degree)
        assert quad.links.tolist() == GOLDEN["iq"][f"IQ{degree}_edges"]
        assert quad.f.tolist() == GOLDEN["iq"][f"IQ{degree}_f"]
    for name, expected in GOLDEN["topologies"].items():
        if match := re.fullmatch(r"(IQ|Paley)\((\d+)\)", name):
            node = inductive_quad(int(match[2])) if match[1] == "IQ" else paley(int(match[2]))
            assert (node.size, len(node.links)) == (expected["n"], expected["edges"])
            assert node.f.tolist() == expected.get("f", node.f.tolist())
            assert sorted(node.f.tolist()) == list(range(node.size))


def test_jellyfish_statistics():
    """RRG(720, 17): the mean distance that the Polarized paper prints, 2.640 ± 0.002."""
    network = topology.build("jellyfish", routers=720, degree=17)
    counts = distance_histogram(network)
    mean = sum(d * c for d, c in enumerate(counts, 1)) / sum(counts)
    assert 2.638 <= mean <= 2.642
    assert len(counts) == GOLDEN["statistical"]["RRG"]["n=720,d=17"]["diameter"]


def times_x(a, low, p, m):
    """Multiply by x modulo x^m + low(x), elements as base-p numbers."""
    lead, rest = divmod(a, p ** (m - 1))
    return sum((rest * p // p**i - lead * (low // p**i)) % p * p**i for i in range(m))


@pytest.mark.slow
@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 32, 49, 121, 243])
def test_fields_against_plain_arithmetic(q):
    """The modulus is the first that makes x primitive; sums are digit by digit, products follow from multiplication by x."""
    ours = field(q)
    p, m = prime_power(q)
    if m == 1:
        mul = np.outer(np.arange(q), np.arange(q)) % p
        root = next(g for g in range(1, q) if len({pow(g, k, p) for k in range(q - 1)}) == q - 1)
        powers = [pow(root, k, p) for k in range(q - 1)]
    else:
        for low in range(1, q):
            powers = [1]
            while len(powers) < q - 1 and (following := times_x(powers[-1], low, p, m)) > 1:
                powers.append(following)
            if len(powers) == q - 1 and times_x(powers[-1], low, p, m) == 1:
                break
        if str(q) in GOLDEN["field_representation"]["polys"]:
            poly = GOLDEN["field_representation"]["polys"][str(q)]["poly_low_to_high"]
            assert [low // p**i % p for i in range(m)] == poly[:-1]
        log = {element: k for k, element in enumerate(powers)}
        mul = np.array([[powers[(log[a] + log[b]) % (q - 1)] if a and b else 0 for b in range(q)] for a in range(q)])
    digits = np.arange(q)[:, None] // p ** np.arange(m) % p
    assert ours.power.tolist() == powers
    assert np.array_equal(ours.mul, mul)
    assert np.array_equal(ours.add, (digits[:, None] + digits) % p @ p ** np.arange(m))
    assert np.array_equal(ours.add[ours.sub, np.arange(q)], np.broadcast_to(np.arange(q)[:, None], (q, q)))
    assert (ours.mul[np.arange(1, q), ours.inv[1:]] == 1).all()
    assert sorted(ours.power.tolist()) == list(range(1, q))


@pytest.mark.parametrize("degree", [2, 3, 6, 10])
def test_tournament_supernodes(degree):
    expected = GOLDEN["topologies"][f"TournamentR*({degree})"]
    node = tournament(degree)
    assert node.size == expected["n"]
    assert fingerprint(node.links) == expected["edge_sha256"]


@pytest.mark.parametrize(("name", "routers"), [("K3*IQ3", 3), ("K4*IQ3", 4)])
def test_small_star_products(name, routers):
    expected = GOLDEN["topologies"][name]
    assert fingerprint(complete_times_iq3(routers)) == expected["edge_sha256"]


def test_petersen_starts_mddp():
    expected = GOLDEN["topologies"]["Petersen"]
    network = topology.build("mddp", routers=10, degree=3)
    assert network.link_count == expected["edges"]
    assert distance_histogram(network) == expected["dist_hist"]


def test_every_golden_network_is_compared():
    """Nothing of golden.json is left out."""
    elsewhere = {"Petersen", "K3*IQ3", "K4*IQ3"}
    names = {instance.id for instance in INSTANCES} | elsewhere
    assert {name for name in GOLDEN["topologies"] if not re.match(r"(IQ|Paley|TournamentR\*)\(", name)} <= names


def fingerprint(links: np.ndarray) -> str:
    text = "\n".join(f"{u} {v}" for u, v in links.tolist())
    return hashlib.sha256(text.encode()).hexdigest()
