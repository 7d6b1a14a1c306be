"""Metrics of known networks against numbers computed outside this package."""

import re

import numpy as np
import pytest
from shared.golden import GOLDEN, INSTANCES

from planner.network import metrics, topology

ROUNDED = 6e-5
CUTS = GOLDEN["metis_cuts_best_found"] | {
    f"PS-IQ({name})": cuts for name, cuts in GOLDEN["polarstar_bisection"]["examples_metis_vs_struct"].items()
}
RATIOS = GOLDEN["disconnection_ratio_median_100"]
SHORT_NAMES = (
    (r"LPS\((\d+),(\d+)\)", "spectralfly", ("p", "q"), {}),
    (r"SF\((\d+)\)", "slimfly", ("q",), {}),
    (r"PS-IQ\((\d+),(\d+)\)", "polarstar", ("q", "supernode_degree"), {}),
    (r"PS-Pal\((\d+),(\d+)\)", "polarstar", ("q", "supernode_degree"), {"supernode": "paley"}),
    (r"BF\((\d+),(\d+)\)", "bundlefly", ("p", "s"), {}),
    (r"DF\((\d+),(\d+)\)(?:-palmtree)?", "dragonfly", ("a", "h"), {"arrangement": "palmtree"}),
    (r"DF\((\d+)\)", "dragonfly", ("a",), {"h": 1}),
    (r"HX\(9,9,8\)", "hyperx", (), {"sizes": (9, 9, 8)}),
    (r"Torus4\^4", "torus", (), {"sizes": (4, 4, 4, 4)}),
    (r"D3\((\d+),(\d+)\)", "swapped_dragonfly", ("k", "m"), {}),
    (r"MF\((\d+),(\d+)\) endpoints", "megafly", ("rho", "a"), {}),
    (r"FT\((\d+),(\d+)\) endpoints", "fattree", ("k", "levels"), {}),
)


def network_of(short: str):
    for pattern, family, names, more in SHORT_NAMES:
        if match := re.fullmatch(pattern, short):
            return topology.build(family, **dict(zip(names, map(int, match.groups()), strict=True)), **more)
    raise AssertionError(short)


def having(key: str):
    return [param for param in INSTANCES if key in param.values[2]]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "parameters", "expected"), INSTANCES)
def test_distances_girth_and_moore_bounds(family, parameters, expected):
    network = topology.build(family, **parameters)
    hops = metrics.distances(network)
    assert hops.connected
    assert hops.routers[1:].tolist() == expected["dist_hist"]
    assert hops.diameter == expected["diameter"]
    assert hops.mean == pytest.approx(expected["aspl"], abs=ROUNDED)
    assert metrics.girth(network) == expected["girth"]
    routers, degree = network.router_count, expected["max_degree"]
    assert metrics.min_diameter(routers, degree) == expected["moore_diameter_lb"]
    assert metrics.min_mean(routers, degree) == pytest.approx(expected["moore_aspl_lb"], abs=ROUNDED)
    assert metrics.moore_efficiency(routers, degree, hops.diameter) == pytest.approx(expected["moore_efficiency"], abs=ROUNDED)
    if "endpoint_router_aspl" in expected:
        assert hops.endpoint_diameter == expected["endpoint_router_diameter"]
        assert hops.endpoint_mean == pytest.approx(expected["endpoint_router_aspl"], abs=ROUNDED)


@pytest.mark.slow
@pytest.mark.parametrize(("family", "parameters", "expected"), having("lambda2"))
def test_spectrum(family, parameters, expected):
    network = topology.build(family, **parameters)
    found = metrics.spectrum(network)
    assert found.lambda2 == pytest.approx(expected["lambda2"], abs=ROUNDED)
    assert found.lambda_min == pytest.approx(expected["lambda_min"], abs=ROUNDED)
    assert found.lambda_g == pytest.approx(expected["lambda_G"], abs=ROUNDED)
    assert found.mu1 == pytest.approx(expected["mu1"], abs=ROUNDED)
    assert found.mu1_signed == pytest.approx(expected["mu1_signed"], abs=ROUNDED)
    assert found.ramanujan == expected["ramanujan"]
    assert found.connectivity * network.router_count / 4 == pytest.approx(expected["fiedler_bisection_lb"], abs=6e-3)


@pytest.mark.parametrize(("family", "parameters", "expected"), having("max_minpaths"))
@pytest.mark.slow
def test_path_diversity_and_channel_load(family, parameters, expected):
    network = topology.build(family, **parameters)
    routers = network.router_count
    found = metrics.channel_load(network, np.full((routers, routers), 1 / (routers - 1)))
    assert found.maximum == pytest.approx(expected["uniform_min_ecmp_max_channel_load"], abs=ROUNDED)
    assert found.load.sum() == pytest.approx(routers * metrics.distances(network).mean)
    for diversity in (found.diversity, metrics.path_diversity(network)):
        assert diversity.mean == pytest.approx(expected["mean_minpaths_per_ordered_pair"], abs=ROUNDED)
        assert diversity.maximum == expected["max_minpaths"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "expected"), [param for param in having("bundles") if param.values[0] != "hyperx"]
)
def test_bundles(family, parameters, expected):
    level = metrics.bundles(topology.build(family, **parameters))[0]
    assert level.count == expected["bundles"]
    assert {str(size): count for size, count in level.histogram.items()} == expected["links_per_bundle_hist"]
    assert (int(level.sizes.sum()), level.inside) == (expected["inter_group_links"], expected["intra_group_links"])


LONG = {"LPS(23,13)", "LPS(29,13)", "PS-IQ(11,7)", "PS-IQ(16,7)", "PS-IQ(19,11)"}
"""Networks whose families have smaller members here."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name in LONG else name for name in CUTS if name != "_note"]
)
@pytest.mark.slow
def test_bisection_is_no_worse_than_the_best_cut_known(name):
    """A sixth of the usual starts is enough."""
    network = network_of(name)
    found = metrics.bisection(network, starts=4)
    assert found.lower <= found.upper <= np.min(CUTS[name])
    assert abs(int(found.side.sum()) * 2 - network.router_count) <= 1
    assert metrics.cut_links(network, found.side) == found.upper


def test_bisection_of_polarstar():
    expected = GOLDEN["polarstar_bisection"]["ps_iq_11_3"]
    found = metrics.bisection(network_of("PS-IQ(11,3)"), starts=0)
    assert found.found["structure"] == expected["structural"]
    assert found.spectral == pytest.approx(expected["fiedler_lb"], abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", RATIOS)
def test_disconnection_ratio(name):
    found = metrics.degradation(network_of(name))
    assert found.median == pytest.approx(RATIOS[name], abs=0.02)
    assert found.mean[0] <= found.mean[-1]
