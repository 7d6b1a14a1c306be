"""Large networks of data/golden.json: distances, girth, spectrum and bundles against numbers computed outside this package."""

import re

import numpy as np
import pytest
from shared.golden import GOLDEN

from planner.network import metrics, topology

NAMES = (
    (r"LPS\((\d+),(\d+)\)", lambda p, q: ("spectralfly", {"p": int(p), "q": int(q)})),
    (r"BF\((\d+),(\d+)\)", lambda p, s: ("bundlefly", {"p": int(p), "s": int(s)})),
    (r"SF\((\d+)\)", lambda q: ("slimfly", {"q": int(q)})),
    (r"DF\((\d+)\)-(\w+)", lambda a, r: ("dragonfly", {"a": int(a), "h": 1, "arrangement": r})),
    (r"DF\(a=(\d+),h=(\d+)\)-(\w+)", lambda a, h, r: ("dragonfly", {"a": int(a), "h": int(h), "arrangement": r})),
)


@pytest.mark.parametrize("name", GOLDEN["large_metrics_only"])
@pytest.mark.slow
def test_large_networks(name):
    expected = GOLDEN["large_metrics_only"][name]
    family, parameters = next(read(*m.groups()) for pattern, read in NAMES if (m := re.fullmatch(pattern, name)))
    network = topology.build(family, **parameters)
    assert (network.router_count, network.link_count) == (expected["n"], expected["edges"])
    hops = metrics.distances(network)
    assert hops.diameter == expected["diameter"]
    assert hops.routers[1:].tolist() == expected["dist_hist"]
    assert hops.mean == pytest.approx(expected["aspl"], abs=6e-5)
    assert metrics.girth(network) == expected["girth"]
    if "lambda2" in expected:
        found = metrics.spectrum(network)
        assert found.lambda2 == pytest.approx(expected["lambda2"], abs=2e-3)
        assert found.mu1_signed == pytest.approx(expected["mu1"], abs=6e-5)
        assert found.ramanujan == expected["ramanujan"]
    if "groups" in expected:
        ends = np.sort(network.group[network.links, 0], axis=1)
        between = ends[ends[:, 0] != ends[:, 1]]
        assert len(np.unique(between, axis=0)) == expected["bundles"]
        assert len(between) == expected["inter_group_links"]
