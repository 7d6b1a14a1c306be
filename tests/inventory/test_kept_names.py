"""Kept names win, and new ones are written like them."""

import numpy as np
import pytest
from shared.plans import planned

from planner.design.inventory import inventory
from planner.design.inventory.attached import device_names
from planner.design.inventory.kept_names import Addresses, kept_names
from planner.domain.model import Topology
from planner.network.topology import build, from_links


def without_links(names, routers, network="compute"):
    """Devices of a network without links, the first of them routers, as a schedule knows them."""
    none = np.zeros((len(names), 0), np.int64)
    return Addresses(np.array(names), (network,), np.array([0, routers]), np.zeros(routers, int), ("leaf",), none, (), [none])


@pytest.mark.parametrize("schedule", [False, True])
def test_a_thousandth_router_renames_nothing(schedule):
    catalog = planned("plain").catalog
    old = inventory(build("mesh", sizes=[27, 37]), catalog)
    new = inventory(build("mesh", sizes=[27, 38]), catalog)
    kept = old.names.tolist()
    assert kept[:2] == ["R000", "R001"]
    names = kept_names(new, kept, None if schedule else old).tolist()
    routers = new.router_count
    assert names[:routers] != new.names.tolist()[:routers]
    assert set(kept) <= set(names)
    assert len(set(names)) == len(names)
    assert set(names[:routers]) == {f"R{number:03d}" for number in range(1026)}
    if not schedule:
        # Each router is the one of its coordinates.
        home = dict(zip(map(tuple, old.coords[:999].tolist()), kept, strict=False))
        assert all(
            names[number] == home.get(tuple(place), names[number]) for number, place in enumerate(new.coords[:routers].tolist())
        )


def test_a_tenth_node_renames_no_other():
    nine, ten = (device_names("", "dgx", count) for count in (9, 10))
    assert nine[0] == "dgx1"
    assert ten[0] == "dgx01"
    assert kept_names(without_links(ten, 0), nine, None).tolist() == [*nine, "dgx10"]
    padded = [f"leaf{number:02d}" for number in range(1, 100)]
    assert kept_names(without_links([f"leaf{n:03d}" for n in range(1, 102)], 101), padded, None).tolist() == [
        *padded, "leaf100", "leaf101",
    ]  # fmt: skip


def test_numbers_with_two_spellings_are_two_devices():
    names = ["leaf1", "leaf01", "leaf2"]
    assert kept_names(without_links(names, 3), ["leaf1", "leaf01"], None).tolist() == names


def test_of_coordinates_and_numbers_the_rule_that_keeps_more_links_counts():
    catalog = planned("plain").catalog
    ring = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])

    def network(links, coords) -> Topology:
        return from_links("ring", {}, len(coords), links, endpoints=1, coords=np.array(coords)[:, None], coord_names=("place",))

    old = inventory(network(ring, [0, 1, 2, 3]), catalog)
    turned = inventory(network(np.array([[0, 2], [1, 2], [1, 3], [0, 3]]), [0, 2, 1, 3]), catalog)
    assert kept_names(turned, old.names.tolist(), old).tolist()[:4] == ["R000", "R002", "R001", "R003"]
    other = inventory(network(ring, [0, 2, 1, 3]), catalog)
    assert kept_names(other, old.names.tolist(), old).tolist() == old.names.tolist()
