"""Bisection: as good as the best cuts that others found, never worse than plain Kernighan-Lin, the same from the same seed."""

import numpy as np
import pytest

from benchmarks.metrics import COMPARED, kernighan_lin
from planner.core import registry
from planner.network import metrics, topology

FAMILIES = [name for name in registry.names("topology") if name != "file"]

FOUND_ELSEWHERE = {
    ("swapped_dragonfly", 260): {"k": 5, "m": 7},
    ("polarstar", 1290): {"q": 7, "supernode_degree": 7},
    ("projective", 231): {"q": 8},
    ("mddp", 242): {"routers": 200, "degree": 9},
    ("bundlefly", 717): {"p": 5, "s": 7},
    ("cayley253", 292): {},
    ("polarfly", 906): {"q": 16},
}
"""Cuts by eight seconds of Kernighan-Lin in NumPy, from outside this repository."""


@pytest.mark.slow
@pytest.mark.parametrize(("family", "cut"), FOUND_ELSEWHERE)
def test_no_larger_than_cuts_found_elsewhere(family, cut):
    """A sixth of the usual starts is enough."""
    network = topology.build(family, **FOUND_ELSEWHERE[family, cut])
    found = metrics.bisection(network, starts=4)
    assert found.lower <= found.upper <= cut
    assert found.upper == metrics.cut_links(network, found.side)
    assert abs(2 * int(found.side.sum()) - network.router_count) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_larger_than_plain_kernighan_lin(family):
    network = topology.build(family, **registry.load("topology", family).EXAMPLE)
    found = metrics.bisection(network, starts=4)
    plane = metrics.planes(network)
    # Planes that are not joined are halved one by one.
    cut = 0
    for number in range(plane.max() + 1):
        one = metrics.plane_of(network, plane == number) if plane.any() else network
        rival = kernighan_lin(one, seed=1)
        cut += min(next(rival) for _ in range(20)) if one.link_count else 0
    assert found.lower <= found.upper <= cut
    assert found.upper == metrics.cut_links(network, found.side)


@pytest.mark.slow
@pytest.mark.parametrize("planes", [2, 5])
def test_planes_have_the_bisection_of_one_each(planes):
    """Of four leaves with a link to each of two spines, two leaves and a spine on each side cut four links, the minimum."""
    plane = {"leaves": 4, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 2}
    one = metrics.bisection(topology.build("leafspine", **plane))
    assert (one.lower, one.upper, one.plane.tolist()) == (3, 4, [0] * 6)
    network = topology.build("multiplane", planes=planes, plane="leafspine", plane_parameters=plane)
    found = metrics.bisection(network)
    assert (found.lower, found.upper, found.spectral) == (3 * planes, 4 * planes, pytest.approx(one.spectral * planes))
    assert np.bincount(found.plane, found.side).tolist() == [3] * planes
    assert metrics.cut_links(network, found.side) == found.upper
    figures = metrics.figures(network, effort="high")
    assert (figures["bisection_lower"], figures["bisection_upper"]) == (found.lower, found.upper)


def test_unlike_planes_and_planes_without_links():
    assert metrics.bisection(topology.build("leaves", leaves=3, endpoints_per_leaf=2)).upper == 0
    network = topology.build("hpn", segments=2, rails=2, hosts_per_segment=4, spines_per_plane=4)
    found = metrics.bisection(network)
    # Of a plane: four leaves with a link to each of four spines; a half has two of each, and cuts half of the sixteen links.
    assert (found.lower, found.upper) == (16, 16)


def test_the_benchmark_has_every_family():
    joined = {name for name in FAMILIES if getattr(registry.load("topology", name), "JOINED", True)}
    assert {name for name, _ in COMPARED} == joined


@pytest.mark.slow
def test_the_same_seed_gives_the_same_cut():
    network = topology.build("jellyfish", routers=200, degree=7)
    first, second = (metrics.bisection(network, seed=5, starts=6) for _ in range(2))
    assert np.array_equal(first.side, second.side)
    assert first.found == second.found


def test_progress_names_the_best_cut_so_far():
    ticks = []
    network = topology.build("jellyfish", routers=60, degree=5)

    def progress(stage, done, total, **facts):
        ticks.append((done, total, facts["links"]))

    found = metrics.bisection(network, starts=3, progress=progress)
    cuts = [links for *_, links in ticks]
    assert [done for done, *_ in ticks] == list(range(1, ticks[0][1] + 1))
    assert cuts == sorted(cuts, reverse=True)
    assert cuts[-1] == found.upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "links"),
    [
        ("fattree", {"k": 4}, 32),
        ("fattree", {"k": 8}, 256),
        ("leafspine", {"leaves": 16, "spines": 8, "uplinks": 16, "endpoints_per_leaf": 16}, 128),
        ("leafspine", {"leaves": 8, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 8}, 8),
    ],
)
def test_halves_of_the_endpoints_of_a_tree_are_joined_by_a_link_for_each_or_each_uplink(family, parameters, links):
    """By definition: full bisection bandwidth, N / 2 links, or the uplinks of half of the leaves where there are fewer."""
    assert metrics.endpoint_cut(topology.build(family, **parameters)) == links


@pytest.mark.slow
def test_where_all_routers_have_endpoints_both_bisections_are_one():
    found = metrics.figures(topology.build("slimfly", q=5))
    assert found["endpoint_bisection_upper"] == found["bisection_upper"]
