"""Slingshot groups of several kinds: the published counts of Frontier, and bundles between all groups."""

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.network.metrics import distances
from planner.network.topology import build

MACHINES = tomllib.loads((Path(__file__).parents[2] / "catalogs" / "machines" / "dragonflies.toml").read_text(encoding="utf-8"))
FRONTIER = next(machine for machine in MACHINES["machine"] if machine["id"] == "frontier")
WHOLE = {
    "kinds": ("compute", "storage", "management"),
    "groups": (74, 5, 1),
    "routers": (32, 16, 16),
    "bundles": ((2, 1, 0), (1, 5, 3), (0, 3, 0)),
    "endpoints_per_router": (16, 0, 0),
}


def test_compute_groups_of_frontier():
    network = build("slingshot", kinds=("compute",), groups=(74,), routers=(32,), bundles=((2,),))
    derived = FRONTIER["derived"]
    local, across = np.bincount(network.link_class).tolist()
    assert (local, across) == (derived["local_links_compute"], derived["global_links_compute"]) == (36_704, 10_804)
    assert across == 2 * derived["global_bundles_compute"]
    assert network.router_count == FRONTIER["facts"]["routers_compute"]
    assert network.endpoint_count == 4 * FRONTIER["facts"]["nodes_launch"] + 4 * 4 * 16
    assert distances(network).diameter == 3


def test_all_groups_of_frontier():
    network = build("slingshot", **WHOLE)
    facts = FRONTIER["facts"]
    assert (network.router_count, network.group.max() + 1) == (FRONTIER["routers"], FRONTIER["groups"])
    assert np.bincount(network.role).tolist() == [74 * 32, 5 * 16, 16]
    # Management and compute groups have no published bundles, and none here.
    bundles = 74 * 73 // 2 * facts["bundles_per_group_pair"] + 74 * 5 * facts["bundles_compute_storage"]
    bundles += 5 * 4 // 2 * facts["bundles_storage_storage"] + 5 * facts["bundles_storage_mgmt"]
    assert bundles == FRONTIER["derived"]["global_bundles_without_mgmt_compute"]
    assert (network.link_class == 1).sum() == 2 * bundles
    # 73 x 2 + 5 bundles of two links over 32 routers with 17 ports for them.
    compute = network.degree[network.role == 0] - 31
    assert set(compute.tolist()) == {8, 10}
    assert (network.degree + network.endpoints_of).max() <= 64


def test_bundles_between_groups_are_those_of_the_table():
    network = build("slingshot", **WHOLE)
    kind, group = network.coords[:, 0], network.group[:, 0]
    ends = network.links[network.link_class == 1]
    joined = Counter(map(tuple, np.sort(group[ends], axis=1).tolist()))
    first = np.searchsorted(group, np.arange(80))
    wanted = {
        (a, b): 2 * WHOLE["bundles"][kind[first[a]]][kind[first[b]]]
        for a in range(80) for b in range(a + 1, 80) if WHOLE["bundles"][kind[first[a]]][kind[first[b]]]
    }  # fmt: skip
    assert joined == wanted
    # Both links of a bundle join the same routers, at successive ports of each.
    for router in (0, 31, 2400, 2463):
        ports = slice(*network.indptr[router : router + 2])
        far, across = network.indices[ports], network.link_class[network.link[ports]] == 1
        assert across.tolist() == sorted(across.tolist())
        assert far[across][::2].tolist() == far[across][1::2].tolist()
        assert sorted(far[~across].tolist()) == sorted(set(np.flatnonzero(group == group[router]).tolist()) - {router})


def test_bundles_are_distributed_evenly_over_the_routers_of_a_group():
    network = build("slingshot", **WHOLE)
    across = np.bincount(network.links[network.link_class == 1].ravel(), minlength=network.router_count)
    for group in range(80):
        own = across[network.group[:, 0] == group]
        assert own.max() - own.min() <= 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kinds": ("a", "a", "b")}, "kinds: has a name twice"),
        ({"groups": (74, 5)}, "groups: has 2 entries for 3 kinds; give one for each kind"),
        ({"bundles": ((2, 1, 0), (0, 5, 3), (0, 3, 0))}, "bundles: is not a symmetric table"),
        ({"bundles": ((2, 1), (1, 5))}, "bundles: has 2 entries for 3 kinds"),
        ({"bundles": ((2, 1, 0), (1, 5), (0, 3, 0))}, "bundles: is not a symmetric table"),
        ({"bundles": ((2, 1, 0), (1, 5, 0), (0, 0, 0))}, "bundles: some groups cannot reach others"),
        ({"endpoints_per_router": (16, 0)}, "endpoints_per_router: has 2 entries for 3 kinds"),
        ({"routers": (32, 16, 0)}, "routers"),
        ({"groups": (50_000, 5, 1), "routers": (3000, 16, 16)}, "groups, routers and bundles|at most"),
    ],
)
def test_wrong_parameters(changed, message):
    with pytest.raises(InputError, match=message):
        build("slingshot", **WHOLE | changed)
