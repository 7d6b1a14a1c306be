"""Multi-core fiber against the published counts of bundles."""

from __future__ import annotations

import numpy as np
import pytest
from shared.cable_sets import cable_set

from planner.design.cabling.bundling import bundle
from planner.network import topology

BEST = [(3, 3), (5, 3), (7, 4), (11, 7)]
"""q and d' of PolarStar with Inductive-Quad supernodes."""


@pytest.mark.parametrize(("q", "inner"), BEST)
def test_polarstar(q, inner):
    """PolarStar, section 8: 2 (d* - q) links between adjacent supernodes, which share one fiber.

    The paper prints q (q + 1)² fibers, "same as the non-self-loop edges in ER_q": ER_q has q (q + 1)² / 2 of these,
    the print counts both directions.
    """
    network = topology.build("polarstar", q=q, supernode_degree=inner, endpoints_per_router=0)
    degree = q + 1 + inner
    cables = cable_set(network, network.group[:, 0])
    bundles = bundle(cables, "multicore", cores=2 * (degree - q), fan_out_db=0.0)
    assert bundles.direct == 0
    assert bundles.count == q * (q + 1) ** 2 // 2
    assert bundles.links.tolist() == [2 * (degree - q)] * bundles.count
    assert int(cables.between.sum()) == bundles.count * 2 * (degree - q)
    # A fiber of half the cores: two for each pair.
    assert bundle(cables, "multicore", cores=degree - q, fan_out_db=0.0).count == q * (q + 1) ** 2


@pytest.mark.parametrize(("q", "inner"), BEST)
def test_polarstar_clusters(q, inner):
    """PolarStar, section 8: q + 1 clusters, about q bundles between any two of them.

    ER_q has q + 1 links from the cluster of the quadrics to each other one, and q - 2 between two others (PolarFly, SC22).
    """
    network = topology.build("polarstar", q=q, supernode_degree=inner, endpoints_per_router=0)
    cables = cable_set(network, network.group[:, 0])
    bundles = bundle(cables, "multicore", cores=2 * (inner + 1), fan_out_db=0.0)
    cluster_of = np.zeros(cables.cabinet.max() + 1, int)
    cluster_of[network.group[:, 0]] = network.group[:, 1]
    assert len(set(cluster_of.tolist())) == q + 1
    pair = np.sort(cluster_of[bundles.cabinet], axis=1)
    across = pair[:, 0] != pair[:, 1]
    pairs, counts = np.unique(pair[across], axis=0, return_counts=True)
    assert len(pairs) == (q + 1) * q // 2
    assert sorted(set(counts.tolist())) == [q - 2, q + 1]
    assert int((counts == q + 1).sum()) == q


@pytest.mark.slow
@pytest.mark.parametrize(("q", "inner"), [(9, 4), (16, 8)])
def test_polarstar_reduces_cables_by_two_thirds_of_the_radix(q, inner):
    """PolarStar, section 8: global cables fall by a factor of about 2 d*/3, where q + 1 is about 2 d*/3."""
    network = topology.build("polarstar", q=q, supernode_degree=inner, endpoints_per_router=0)
    degree = q + 1 + inner
    cables = cable_set(network, network.group[:, 0])
    bundles = bundle(cables, "multicore", cores=2 * (degree - q), fan_out_db=0.0)
    assert int(cables.between.sum()) / bundles.count == pytest.approx(2 * degree / 3, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(("p", "s"), [(5, 3), (5, 5), (13, 3), (9, 4)])
def test_bundlefly(p, s):
    """Bundlefly: adjacent modules share p links, one fiber; the number of pairs is that of the links of MMS(s)."""
    network = topology.build("bundlefly", p=p, s=s, endpoints_per_router=0)
    outer = topology.build("slimfly", q=s, endpoints_per_router=0)
    bundles = bundle(cable_set(network, network.group[:, 0]), "multicore", cores=p, fan_out_db=0.0)
    assert (bundles.count, set(bundles.links.tolist())) == (outer.link_count, {p})


@pytest.mark.parametrize(("sizes", "axis"), [((4, 5), 0), ((4, 5), 1), ((3, 3, 4), 2), ((3, 4, 2), 0)])
def test_hyperx_lines(sizes, axis):
    """Lines along an axis of length n: two of them that differ in one other coordinate share n links."""
    network = topology.build("hyperx", sizes=sizes, endpoints_per_router=0)
    others = [size for place, size in enumerate(sizes) if place != axis]
    line = np.ravel_multi_index(np.delete(network.coords, axis, axis=1).T, others)
    bundles = bundle(cable_set(network, line), "multicore", level=f"x{axis}", cores=sizes[axis], fan_out_db=0.0)
    pairs = np.prod(others) * sum(size - 1 for size in others) // 2
    assert (bundles.count, set(bundles.links.tolist())) == (pairs, {sizes[axis]})


@pytest.mark.parametrize("q", [5, 7, 9])
def test_slimfly_groups(q):
    """Slim Fly (SC14, section 6): q groups of 2q routers, any two of which share 2q links."""
    network = topology.build("slimfly", q=q, endpoints_per_router=0)
    bundles = bundle(cable_set(network, network.group[:, 0]), "multicore", cores=2 * q, fan_out_db=0.0)
    assert len(np.unique(network.group[:, 0])) == q
    assert bundles.count == q * (q - 1) // 2
    assert set(bundles.links.tolist()) == {2 * q}


def test_dragonfly_saves_nothing():
    """The largest Dragonfly has one link between two groups (PolarStar, section 1)."""
    network = topology.build("dragonfly", a=4, h=2, endpoints_per_router=0)
    cables = cable_set(network, network.group[:, 0])
    bundles = bundle(cables, "multicore", fan_out_db=0.0)
    assert bundles.count == int(cables.between.sum())
    assert set(bundles.links.tolist()) == {1}


@pytest.mark.parametrize("cores", [1, 3, 4, 7, 8, 100])
def test_fibers_for_m_links_of_c_cores(cores):
    """ceil(m / c) for each pair of groups."""
    network = topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=0)
    bundles = bundle(cable_set(network, network.group[:, 0]), "multicore", cores=cores, fan_out_db=0.0)
    assert bundles.count == 24 * -(-8 // cores)
    each = bundle(cable_set(network, network.group[:, 0]), "multicore", cores=cores * 8, cores_per_link=8, fan_out_db=0.0)
    assert each.count == bundles.count


def test_groups_that_span_cabinets_have_fibers_by_cabinet():
    """8 links between two supernodes, each in two cabinets: fibers never split between cabinets."""
    network = topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=0)
    cables = cable_set(network, 2 * network.group[:, 0] + np.arange(network.router_count) % 2)
    bundles = bundle(cables, "multicore", cores=8, fan_out_db=0.0)
    own = np.sort(bundles.cabinet[bundles.bundle[bundles.reason == 0]], axis=1)
    assert (own == np.sort(cables.cabinet[bundles.reason == 0], axis=1)).all()
    assert 24 < bundles.count <= 24 * 4
