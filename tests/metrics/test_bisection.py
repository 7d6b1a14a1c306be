"""Bisection: as good as the best cuts that others found, never worse than plain Kernighan-Lin, the same from the same seed."""

import numpy as np
import pytest

from benchmarks.metrics import COMPARED, kernighan_lin
from planner import metrics, registry, topology

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


@pytest.mark.parametrize("family", FAMILIES)
def test_no_larger_than_plain_kernighan_lin(family):
    network = topology.build(family, **registry.load("topology", family).EXAMPLE)
    rival = kernighan_lin(network, seed=1)
    cuts = [next(rival) for _ in range(20)]
    found = metrics.bisection(network, starts=4)
    assert found.lower <= found.upper <= min(cuts)


def test_the_benchmark_has_every_family():
    joined = {name for name in FAMILIES if getattr(registry.load("topology", name), "JOINED", True)}
    assert {name for name, _ in COMPARED} == joined


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
