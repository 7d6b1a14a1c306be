"""What single families promise beyond the contract and the golden numbers."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.network import topology

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())


@pytest.mark.parametrize(("q", "needed"), [(5, False), (9, True)])
def test_the_library_of_fields_is_loaded_for_extension_fields_alone(q, needed):
    """It takes longer to load than all else."""
    code = f"import sys\nfrom planner.network import topology\ntopology.build('slimfly', q={q})\nprint('galois' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(needed)]


@pytest.mark.parametrize(("chosen", "ports"), [("kappa", "ports_by_gamma"), ("kappa2", "ports_by_gamma2")])
def test_subnetworks_of_the_swapped_dragonfly_keep_their_ports(chosen, ports):
    """The port tables of the paper, with its misprints put right: real global ports of each chosen cabinet."""
    expected = GOLDEN["d3_subnetwork"]
    cabinets = tuple(expected[chosen])
    network = topology.build("swapped_dragonfly", k=expected["N"], m=3, cabinets=cabinets)
    for number, cabinet in enumerate(cabinets):
        router = int(np.flatnonzero((network.coords == [cabinet, 0, 1]).all(axis=1))[0])
        row = network.indices[network.indptr[router] + 2 : network.indptr[router + 1]]
        found = (network.coords[row, 0] - cabinet) % expected["N"]
        assert found.tolist() == expected[ports][number]
        assert np.array_equal(network.coords[row][:, 1:], np.tile([1, 0], (len(cabinets), 1)))


def test_growing_a_swapped_dragonfly_moves_no_cable():
    small = topology.build("swapped_dragonfly", k=6, m=4, cabinets=(0, 2, 3))
    large = topology.build("swapped_dragonfly", k=6, m=4, cabinets=(0, 2, 3, 5))
    links = {frozenset(map(tuple, large.coords[link].tolist())) for link in large.links}
    assert all(frozenset(map(tuple, small.coords[link].tolist())) in links for link in small.links)


def test_one_link_between_every_two_drawers():
    network = topology.build("swapped_dragonfly", k=3, m=4)
    drawers = np.sort(network.group[network.links, 0], axis=1)
    pairs = drawers[drawers[:, 0] != drawers[:, 1]]
    assert len(pairs) == len(np.unique(pairs, axis=0)) == 12 * 11 // 2


def test_parallel_links_of_hyperx_are_counted_and_share_no_port():
    single = topology.build("hyperx", sizes=(3, 4))
    double = topology.build("hyperx", sizes=(3, 4), parallel=(1, 2))
    assert single.link_count == 4 * 3 + 3 * 6
    assert double.link_count == 4 * 3 + 2 * 3 * 6
    assert set(double.degree.tolist()) == {2 + 2 * 3}


def test_fat_tree_tapering_adds_endpoints_only():
    even = topology.build("fattree", k=4)
    taper = topology.build("fattree", k=4, taper=2)
    assert np.array_equal(even.links, taper.links)
    assert taper.endpoint_count == 2 * even.endpoint_count == 2 * 4**3


def test_endpoints_of_indirect_networks_sit_on_leaves():
    megafly = topology.build("megafly", rho=2, a=4)
    assert set(megafly.coords[megafly.endpoint_router, 1].tolist()) == {0}
    tree = topology.build("fattree", k=3)
    assert set(tree.coords[tree.endpoint_router, 0].tolist()) == {0}


def test_swapped_network_over_a_complete_graph_is_d3():
    otis = topology.build("otis", nucleus="hyperx", nucleus_parameters={"sizes": [5]})
    d3 = topology.build("swapped_dragonfly", k=1, m=5)
    assert np.array_equal(otis.links, d3.links)


def test_a_wrong_nucleus_is_named():
    with pytest.raises(InputError, match="did you mean torus"):
        topology.build("otis", nucleus="toruss", nucleus_parameters={})
    with pytest.raises(InputError, match=r"nucleus_parameters\.sizes"):
        topology.build("otis", nucleus="torus", nucleus_parameters={"sizes": 4})


@pytest.mark.parametrize("kind", ["iq", "paley", "tournament", "cayley", "complete"])
def test_polarstar_has_diameter_three_with_every_supernode(kind):
    degree = {"iq": 3, "paley": 2, "tournament": 3, "cayley": 2, "complete": 2}[kind]
    network = topology.build("polarstar", q=4, supernode_degree=degree, supernode=kind)
    adjacency = np.eye(network.router_count, dtype=np.float32)
    adjacency[network.links[:, 0], network.links[:, 1]] = adjacency[network.links[:, 1], network.links[:, 0]] = 1
    within_two = adjacency @ adjacency > 0
    assert not within_two.all()
    assert (within_two.astype(np.float32) @ adjacency > 0).all()


@pytest.mark.parametrize(("clusters", "q", "a"), [(2, 3, 1), (2, 5, 2), (3, 4, 3), (4, 7, 2), (3, 9, 2), (5, 8, 1)])
def test_galaxyfly_supernodes_are_two_links_apart(clusters, q, a):
    network = topology.build("galaxyfly", clusters=clusters, q=q, a=a)
    supernodes = clusters * q
    ends = network.group[network.links, 0]
    reach = np.eye(supernodes, dtype=np.float32)
    reach[ends[:, 0], ends[:, 1]] = reach[ends[:, 1], ends[:, 0]] = 1
    assert (reach @ reach > 0).all()
    degree = (q - 1) // 2 if q % 4 == 1 else (q + 1) // 2 if q % 4 == 3 else q // 2
    outside = ends[:, 0] != ends[:, 1]
    assert outside.sum() == supernodes * (degree + clusters - 1) // 2
    assert network.degree.max() - network.degree.min() <= 1
    assert network.link_count == outside.sum() + supernodes * a * (a - 1) // 2


@pytest.mark.parametrize("arrangement", ["relative", "palmtree"])
@pytest.mark.parametrize(("a", "h"), [(4, 2), (3, 3), (5, 1), (2, 5)])
def test_a_dragonfly_of_any_number_of_groups_spreads_its_links_evenly(a, h, arrangement):
    for groups in range(2, a * h + 2):
        network = topology.build("dragonfly", a=a, h=h, groups=groups, arrangement=arrangement)
        ends = np.sort(network.links[network.link_class == 1] // a, axis=1)
        assert (ends[:, 0] != ends[:, 1]).all()
        empty = groups * a * h - 2 * len(ends)
        assert empty == (groups if groups % 2 and (a * h % (groups - 1)) % 2 else 0)
        pairs, count = np.unique(ends, axis=0, return_counts=True)
        lowest = a * h // (groups - 1)
        assert len(pairs) == groups * (groups - 1) // 2
        assert set(count.tolist()) <= {lowest, lowest + 1}


@pytest.mark.parametrize(("k", "levels"), [(2, 2), (3, 3), (4, 3), (2, 4)])
def test_folded_clos_uses_every_port(k, levels):
    """Three levels of radix R: 5R²/4 routers and R³/4 endpoints (Al-Fares et al., SIGCOMM 2008)."""
    network = topology.build("fattree", k=k, levels=levels, clos=True)
    if levels == 3:
        assert network.router_count == 5 * (2 * k) ** 2 // 4
        assert network.endpoint_count == (2 * k) ** 3 // 4
        assert len(np.unique(network.group)) == 2 * k + 1
    assert set((network.degree + network.endpoints_of).tolist()) == {2 * k}
