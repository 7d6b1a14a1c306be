"""Hops from the structure of a network equal those of breadth-first search."""

import dataclasses

import numpy as np
import pytest
from shared.networks import case, reference, ring, seed

from planner.core.errors import InputError
from planner.kernels.routing.hops import CAYLEY, LATTICE, STAR, TABLE
from planner.network import topology
from planner.simulation import hops
from planner.simulation.engine import Run
from planner.simulation.network import Network
from planner.simulation.routing import minimal


def net(built):
    return Network(built, np.ones(built.link_count + built.endpoint_count, np.int32))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "kind"),
    [
        ("polarstar", {"q": 3, "supernode_degree": 3}, STAR),
        ("polarstar", {"q": 5, "supernode_degree": 4}, STAR),
        ("polarstar", {"q": 4, "supernode_degree": 2, "supernode": "paley"}, STAR),
        ("polarstar", {"q": 5, "supernode_degree": 6, "supernode": "paley"}, STAR),
        ("polarstar", {"q": 4, "supernode_degree": 5, "supernode": "tournament"}, STAR),
        ("polarstar", {"q": 3, "supernode_degree": 4, "supernode": "cayley"}, STAR),
        ("polarstar", {"q": 3, "supernode_degree": 2, "supernode": "complete"}, STAR),
        ("bundlefly", {"p": 5, "s": 3}, STAR),
        ("bundlefly", {"p": 13, "s": 4}, STAR),
        ("torus", {"sizes": [4, 3, 5]}, LATTICE),
        ("torus", {"sizes": [2, 6]}, LATTICE),
        ("mesh", {"sizes": [4, 3, 5]}, LATTICE),
        ("hyperx", {"sizes": [4, 3, 5]}, LATTICE),
        ("hypercube", {"dimensions": 5}, LATTICE),
        ("spectralfly", {"p": 3, "q": 5}, CAYLEY),
        ("spectralfly", {"p": 11, "q": 7}, CAYLEY),
        ("spectralfly", {"p": 5, "q": 11}, CAYLEY),
    ],
)
def test_structure_gives_the_hops_of_all_pairs(family, parameters, kind):
    network = net(topology.build(family, **parameters, endpoints_per_router=1))
    found = hops.of_structure(network.topology)
    assert found.distances.kind == kind
    count = network.topology.router_count
    np.testing.assert_array_equal([found.row(router, count) for router in range(count)], network.distance)
    assert found.diameter == network.diameter


def test_other_networks_have_no_such_structure():
    for built in (reference("rrg96"), ring(7), topology.build("dragonfly", a=4, h=2), topology.build("slimfly", q=5)):
        assert hops.of_structure(built) is None


def test_a_star_product_with_a_link_missing_is_none():

    built = topology.build("polarstar", q=3, supernode_degree=3)
    for link in (0, built.link_count - 1):
        assert (
            hops.of_star(
                dataclasses.replace(built, links=np.delete(built.links, link, 0), link_class=np.delete(built.link_class, link))
            )
            is None
        )


def test_products_of_thousands_of_supernodes_are_not_searched(monkeypatch):
    built = topology.build("polarstar", q=3, supernode_degree=3)
    assert hops.of_star(built) is not None
    monkeypatch.setattr(hops, "MAX_SUPERNODES", 12)
    assert hops.of_star(built) is None


def test_a_group_with_a_link_missing_or_moved_is_none():
    built = topology.build("spectralfly", p=3, q=5)
    assert hops.of_matrices(built) is not None
    moved = built.coords.copy()
    moved[[5, 9]] = moved[[9, 5]]
    assert hops.of_matrices(dataclasses.replace(built, coords=moved)) is None
    assert hops.of_matrices(dataclasses.replace(built, coords=np.zeros_like(built.coords))) is None
    assert hops.of_matrices(dataclasses.replace(built, coords=built.coords % 4)) is None


@pytest.mark.parametrize(
    ("family", "parameters"),
    [("polarstar", {"q": 3, "supernode_degree": 3}), ("torus", {"sizes": [4, 5]}), ("spectralfly", {"p": 3, "q": 5})],
)
def test_packets_take_the_same_paths_by_hops_and_by_masks(monkeypatch, family, parameters):
    built = topology.build(family, **parameters, endpoints_per_router=2)
    by_masks = Run(case(built, cycles=500), 0.4, seed()).measure(lambda now: None)
    monkeypatch.setattr(minimal, "MAX_BYTES", 0)
    by_table = Run(case(built, cycles=500), 0.4, seed()).measure(lambda now: None)
    monkeypatch.setattr(hops, "TABLE_ROUTERS", 10)
    made = case(built, cycles=500)
    assert made.prepared.tables.distances.kind != TABLE
    by_structure = Run(made, 0.4, seed()).measure(lambda now: None)
    for other in (by_table, by_structure):
        np.testing.assert_array_equal(other.delays, by_masks.delays)
        np.testing.assert_array_equal(other.sent, by_masks.sent)


def test_too_large_a_network_without_structure_is_refused(monkeypatch):
    monkeypatch.setattr(hops, "TABLE_ROUTERS", 10)
    monkeypatch.setattr(minimal, "MAX_BYTES", 0)
    with pytest.raises(InputError, match="96 routers are too many for a table"):
        case(reference("rrg96"))
