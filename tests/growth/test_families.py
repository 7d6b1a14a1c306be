"""Families that grow: no cable moves where the old member is inside the new one."""

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.network.growth import grow, plan, ports, step
from planner.network.growth.ports import first_ports
from planner.network.metrics import distances
from planner.network.topology import build

UNITS = {"rails": 2, "spines_per_pod": 4, "cores": 4, "uplinks": 4, "core_uplinks": 4}
HEREDITARY = [
    ("hyperx", {"sizes": [8, 8, 8]}, {"sizes": [9, 8, 8]}),
    ("hyperx", {"sizes": [4, 6, 6]}, {"sizes": [6, 6, 6]}),
    ("mesh", {"sizes": [4, 4]}, {"sizes": [5, 6]}),
    ("hypercube", {"dimensions": 4}, {"dimensions": 6}),
    ("dragonfly", {"a": 8, "h": 4, "groups": 16, "max_groups": 33}, {"groups": 17}),
    ("dragonfly", {"a": 8, "h": 4, "groups": 17, "max_groups": 33, "arrangement": "relative"}, {"groups": 20}),
    ("dragonfly", {"a": 8, "h": 4, "groups": 20, "max_groups": 33, "arrangement": "absolute"}, {"groups": 33}),
    ("dragonfly", {"a": 4, "h": 2, "groups": 5, "max_groups": 9, "arrangement": "circulant"}, {"groups": 8}),
    ("megafly", {"rho": 2, "a": 4, "groups": 3, "max_groups": 5}, {"groups": 5}),
    ("swapped_dragonfly", {"k": 4, "m": 4}, {"k": 5}),
    ("swapped_dragonfly", {"k": 4, "m": 4}, {"m": 6}),
    ("swapped_dragonfly", {"k": 8, "m": 4, "cabinets": [0, 1, 2]}, {"cabinets": [0, 1, 2, 3, 4]}),
    ("otis", {"nucleus": "hyperx", "nucleus_parameters": {"sizes": [4]}}, {"nucleus_parameters": {"sizes": [5]}}),
    ("otis", {"nucleus": "mesh", "nucleus_parameters": {"sizes": [2, 3]}}, {"nucleus_parameters": {"sizes": [2, 4]}}),
    ("biswapped", {"nucleus": "mesh", "nucleus_parameters": {"sizes": [2, 3]}}, {"nucleus_parameters": {"sizes": [3, 4]}}),
    ("fattree", {"k": 4, "levels": 3, "clos": True, "subtrees": [5]}, {"subtrees": [8]}),
    ("fattree", {"k": 4, "levels": 3, "clos": True, "subtrees": [3]}, {"subtrees": [4]}),
    ("fattree", {"k": 4, "levels": 3, "clos": True, "subtrees": [5]}, {"subtrees": []}),
    ("fattree", {"k": 4, "levels": 3, "clos": True, "subtrees": [8, 3]}, {"subtrees": [8]}),
    ("fattree", {"k": 4, "levels": 3, "subtrees": [3]}, {"subtrees": [4]}),
    ("leafspine", {"leaves": 8, "spines": 4, "uplinks": 4}, {"leaves": 12}),
    ("leafspine", {"leaves": 8, "spines": 4, "uplinks": 8, "leaves_per_unit": 4}, {"leaves": 12}),
    ("leafspine", {"leaves": 6, "spines": 4, "uplinks": 6}, {"leaves": 8}),
    ("threelevel", UNITS | {"units": 4, "units_per_pod": 2}, {"units": 6}),
    ("hpn", {"segments": 2, "rails": 2, "spines_per_plane": 2, "pods": 2, "cores_per_plane": 4, "core_uplinks": 4}, {"pods": 3}),
    ("galaxyfly", {"clusters": 2, "q": 5, "a": 2}, {"clusters": 3}),
    (
        "multiplane",
        {"planes": 2, "plane": "mesh", "plane_parameters": {"sizes": [2, 2]}},
        {"plane_parameters": {"sizes": [2, 3]}},
    ),
    ("polarstar", {"q": 3, "supernode_degree": 0}, {"supernode_degree": 3}),
    ("polarstar", {"q": 3, "supernode_degree": 3}, {"supernode_degree": 4}),
    ("polarstar", {"q": 3, "supernode_degree": 4}, {"supernode_degree": 7}),
    ("polarstar", {"q": 3, "supernode_degree": 7}, {"supernode_degree": 8}),
    ("kautz", {"d": 4, "diameter": 3}, {"d": 5}),
    ("polarfly", {"q": 7}, {"clusters": 2}),
    ("polarfly", {"q": 7}, {"quadrics": 1, "clusters": 1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "first", "more"), HEREDITARY)
def test_nothing_moves(family, first, more):
    old = build(family, **first)
    new = grow(old, **more)
    change = step(old, new)
    assert new.family == family
    assert new.router_count > old.router_count
    assert len(change.moved) == 0
    # Old routers are what they were.
    assert (new.endpoints_of[: old.router_count] > 0).tolist() == (old.endpoints_of > 0).tolist()
    assert [new.role_names[role] for role in new.role[: old.router_count]] == [old.role_names[role] for role in old.role]
    # Links that stay keep their ports.
    assert (first_ports(old)[change.kept[:, 0]] == first_ports(new)[change.kept[:, 1]]).all()


@pytest.mark.parametrize(
    ("first", "more"),
    [({"q": 3, "supernode_degree": 3}, {"supernode_degree": 4}), ({"q": 3, "supernode_degree": 4}, {"supernode_degree": 7})],
)
def test_published_link_counts_of_polarstar(first, more):
    """364 and 520 links stay, all of them."""
    old = build("polarstar", **first)
    change = step(old, grow(old, **more))
    assert len(change.kept) == old.link_count == {3: 364, 4: 520}[first["supernode_degree"]]


def test_published_link_counts():
    """Kautz graphs by a symbol, HyperX by a coordinate, and supernodes of two routers, which become eight."""
    steps = [
        ("kautz", {"d": 4, "diameter": 3}, {"d": 5}, 310),
        ("hyperx", {"sizes": [8, 8, 8]}, {"sizes": [9, 8, 8]}, 5376),
        ("polarstar", {"q": 3, "supernode_degree": 0}, {"supernode_degree": 3}, 52),
    ]
    for family, first, more, links in steps:
        old = build(family, **first)
        assert len(step(old, grow(old, **more)).kept) == old.link_count == links


def test_phases_of_their_own_name_routers_alike():
    """A fat tree with one more pod has other ids; without growth, too, its 96 links are seen to stay."""
    phases = [build("fattree", k=4, levels=3, clos=True, subtrees=[pods]) for pods in (3, 4)]
    assert len(step(*phases).kept) < 96
    growth = plan(phases, method="none")
    assert len(growth.steps[0].kept) == phases[0].link_count == 96
    assert growth.networks[1].link_count == phases[1].link_count


def test_polarstar_by_pairs_of_routers():
    """PS-IQ(11, 3) from 1,330 to 5,320 endpoints: diameter 3 at every phase, and nothing moves."""
    network = build("polarstar", q=11, supernode_degree=3, supernode_routers=2)
    found = []
    for routers in (4, 6, 8):
        found.append(
            (network.router_count, network.endpoint_count, distances(network).diameter, round(distances(network).mean, 3))
        )
        larger = grow(network, supernode_routers=routers)
        assert len(step(network, larger).moved) == 0
        network = larger
    assert found == [(266, 1330, 3, 2.411), (532, 2660, 3, 2.657), (798, 3990, 3, 2.737)]
    assert (network.router_count, network.endpoint_count) == (1064, 5320)
    assert network.link_count == build("polarstar", q=11, supernode_degree=3).link_count


def test_pairs_need_an_involution():
    with pytest.raises(InputError, match="does not form pairs"):
        build("polarstar", q=3, supernode_degree=2, supernode="paley", supernode_routers=2)
    with pytest.raises(InputError, match="no even number"):
        build("polarstar", q=3, supernode_degree=3, supernode_routers=3)


def test_polarfly_by_clusters():
    """Routers, ports and mean hops of the published rule: n = q² + q + 1 + (q + 1) r0 + q r1, at most 2 r0 + r1 more ports."""
    old = build("polarfly", q=11)
    quadrics = grow(old, quadrics=1)
    assert (quadrics.router_count, quadrics.degree.max(), distances(quadrics).diameter) == (133 + 12, 12 + 2, 2)
    assert distances(quadrics).mean == pytest.approx(1.9103, abs=5e-5)
    clusters = grow(old, clusters=3)
    assert (clusters.router_count, distances(clusters).diameter) == (133 + 33, 3)
    assert clusters.degree.max() <= 12 + 3 + 1
    assert distances(clusters).mean < 2
    again = grow(grow(old, clusters=1), clusters=2)
    assert again.router_count == clusters.router_count
    with pytest.raises(InputError, match="odd q"):
        grow(build("polarfly", q=4), clusters=1)


@pytest.mark.slow
def test_xpander_lifts():
    """A crossed link moves one cable."""
    old = build("xpander", degree=16, lifts=4)
    for crossed in (0.4, 0.5):
        new = grow(old, crossed=crossed)
        assert (new.router_count, set(new.degree.tolist())) == (544, {16})
        assert len(step(old, new).moved) == round(crossed * old.link_count)
        assert distances(new).connected


def test_dln_inserts_routers():
    """A router breaks one link of the ring and half of one of each matching."""
    old = build("dln", routers=64, matchings=4)
    new = grow(old, routers=80)
    change = step(old, new)
    assert len(change.moved) == 16 + 4 * 8
    assert set(new.degree.tolist()) == {6}
    assert (new.link_class == 0).sum() == 80
    ring = new.links[new.link_class == 0]
    assert set(np.bincount(ring.ravel()).tolist()) == {2}
    larger = grow(new, routers=120)
    assert larger.router_count == 120
    assert set(larger.degree.tolist()) == {6}
    with pytest.raises(InputError, match="even number"):
        grow(old, routers=65)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["jellyfish", "mddp"])
def test_random_families_grow_by_block(family):
    old = build(family, routers=60, degree=8)
    new = grow(old, routers=80)
    assert new.router_count == 80
    assert new.family == f"grown {family}"
    assert len(step(old, new).moved) <= 80
    assert grow(new, routers=90).family == f"grown {family}"


def test_leaf_spine_and_fat_tree_gain_spines():
    old = build("leafspine", leaves=8, spines=4, uplinks=8)
    assert len(step(old, grow(old, leaves=16, spines=8)).moved) == 32
    tree = build("fattree", k=4, levels=3, clos=True, subtrees=[4])
    # Cores double from four pods with two links per core to more: half of the links to cores move.
    change = step(tree, grow(tree, subtrees=[6]))
    assert len(change.moved) == (tree.link_class == 1).sum() // 2


def test_absolute_arrangement_cut_short():
    """Port k of group i leads to group k, or k + 1 from group i = k on, whatever the number of groups."""
    a, h, groups = 4, 2, 6
    network = build("dragonfly", a=a, h=h, groups=groups, max_groups=9, arrangement="absolute")
    whole = build("dragonfly", a=a, h=h, arrangement="absolute")
    globals_of = {tuple(link) for link in whole.links[whole.link_class == 1].tolist() if max(link) < groups * a}
    assert {tuple(link) for link in network.links[network.link_class == 1].tolist()} == globals_of
    with pytest.raises(InputError, match="max_groups"):
        build("dragonfly", a=4, h=2, groups=6, arrangement="absolute")
    with pytest.raises(InputError, match="exceed max_groups"):
        build("dragonfly", a=4, h=2, groups=6, max_groups=5)


def test_ports_stay_through_gaps():
    """A port that loses its cable is given to the next link that comes; no other number changes."""
    old = build("jellyfish", routers=30, degree=6)
    new = grow(old, routers=40)
    change = step(old, new)
    before = first_ports(old) * 2
    after = ports(change, before)
    assert (after[change.kept[:, 1]] == before[change.kept[:, 0]]).all()
    for router in range(40):
        own = np.concatenate([after[new.links[:, end] == router, end] for end in (0, 1)])
        assert len(set(own.tolist())) == len(own) == new.degree[router]
