"""The verifier derives the same cables from the catalog as the planner, between all kinds of ports that the catalog has."""

import pytest

from planner.check.joints import Shelf, Sockets
from planner.core.errors import InputError
from planner.domain import catalog

GROUPS = {
    (group.connector, group.rate_gbps, group.ports_per_cage, group.optics): group
    for kind in ("router", "endpoint")
    for row in catalog.rows(kind)
    for group in row.groups
}


def sockets(group):
    return Sockets(0, 0, group.count, group.connector, group.rate_gbps, group.ports_per_cage, group.optics)


@pytest.mark.slow
@pytest.mark.parametrize("media", [(), ("transceiver",), ("passive copper", "AOC")])
def test_both_find_the_same_cables_with_the_same_figures(media):
    section = {"cables": [], "media": list(media), "allow_estimates": True, "loss": "nvidia-structured"}
    shelf = Shelf(catalog.rows, section, {})
    join = catalog.joints(media=media)
    joined = 0
    for a in GROUPS.values():
        for b in GROUPS.values():
            single, shared = shelf.single(sockets(a), sockets(b)), shelf.shared(sockets(a), sockets(b))
            try:
                joint = join("any", a, b)
            except InputError:
                assert single == ()
                continue
            joined += 1
            assert (single, shared) == (joint.single, joint.shared)
    assert joined > 20


def test_the_catalog_has_ports_of_all_optics():
    assert {optics for *_, optics in GROUPS} == {"", "built-in", "linear"}
