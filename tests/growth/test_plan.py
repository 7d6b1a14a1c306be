"""Phases planned together, parts of a network, and networks that shrink."""

import numpy as np
import pytest

from planner.core.errors import Infeasible, InputError
from planner.network.growth import partition, plan, shrink, subnetwork
from planner.network.topology import build


def test_five_groups_instead_of_four():
    growth = plan([build("dragonfly", a=4, h=2, groups=g, max_groups=9) for g in (4, 5, 9)], names=["2026", "2027", "2029"])
    assert [len(change.moved) for change in growth.steps] == [0, 0]
    assert [max(bound) for bound in growth.bounds] == [0, 0]
    assert growth.phase_of_router.tolist() == [0] * 16 + [1] * 4 + [2] * 16
    rows = list(growth.rows())
    assert [row["links"] for row in rows] == [network.link_count for network in growth.networks]
    assert [row["moved"] for row in rows] == [0, 0, 0]
    assert growth.table().count("\n") == 3


@pytest.mark.slow
@pytest.mark.parametrize("method", ["block", "swaps", "inside", "none"])
def test_moved_links_are_above_the_bounds(method):
    growth = plan([build("jellyfish", routers=n, degree=8) for n in (60, 80, 120)], method=method)
    for change, bound, found in zip(growth.steps, growth.bounds, growth.windows, strict=True):
        assert max(bound) <= len(change.moved)
        assert len(change.kept) + len(change.moved) == change.old.link_count
        assert (found.added >= 0).all()
    assert [network.router_count for network in growth.networks] == [60, 80, 120]


@pytest.mark.slow
def test_the_last_phase_inside_is_the_ideal_one():
    growth = plan([build("jellyfish", routers=n, degree=8) for n in (60, 80, 120)], method="inside")
    assert growth.qualities[-1].mean_hops == pytest.approx(growth.ideal_qualities[-1].mean_hops)
    reserved = plan([build("jellyfish", routers=n, degree=8) for n in (60, 80, 120)], method="inside", ports="reserve")
    assert [len(change.moved) for change in reserved.steps] == [0, 0]


def test_phases_that_do_not_fit():
    with pytest.raises(Infeasible, match="shrink"):
        plan([build("jellyfish", routers=n, degree=8) for n in (60, 40)])
    with pytest.raises(InputError, match="no growth"):
        plan([build("jellyfish", routers=n, degree=8) for n in (60, 80)], method="nonsense")
    with pytest.raises(InputError, match="choices"):
        plan([build("jellyfish", routers=n, degree=8) for n in (60, 80)], method="block", choices=8)
    with pytest.raises(Infeasible, match="at least one"):
        plan([])


def test_parts_of_a_dragonfly_keep_their_local_links():
    network = build("dragonfly", a=4, h=2)
    parts = partition(network)
    assert sum(part.network.link_count for part in parts) + sum(part.cut for part in parts) // 2 == network.link_count
    assert all(part.network.link_count == 6 and part.cut == 8 for part in parts)
    assert np.concatenate([part.routers for part in parts]).tolist() == list(range(36))


def test_subnetworks_of_a_swapped_dragonfly():
    """J cabinets and L drawers and positions are D3(J, L), link by link."""
    whole = build("swapped_dragonfly", k=5, m=4)
    part = subnetwork(whole, cabinet=[1, 3, 4], drawer=[0, 2, 3], position=[0, 2, 3])
    alone = build("swapped_dragonfly", k=5, m=4, cabinets=[1, 3, 4], positions=[0, 2, 3])
    assert part.network.links.tolist() == alone.links.tolist()
    assert part.network.link_count == build("swapped_dragonfly", k=3, m=3).link_count
    with pytest.raises(Infeasible, match="no coordinate"):
        subnetwork(whole, rack=[1])
    with pytest.raises(Infeasible, match="no router"):
        subnetwork(whole, cabinet=[9])


def test_shrinking_joins_free_ports():
    network = build("jellyfish", routers=80, degree=8)
    found = shrink(network, range(60, 80))
    assert found.after.router_count == 60
    assert len(found.kept) + len(found.removed) == network.link_count
    assert len(found.kept) + len(found.added) == found.after.link_count
    number = {router: k for k, router in enumerate(found.remaining.tolist())}
    for before, after in found.kept.tolist():
        assert [number[router] for router in network.links[before].tolist()] == found.after.links[after].tolist()
    assert (found.after.degree >= 7).all()
    assert found.after.degree.sum() >= 60 * 8 - 2


def test_a_group_leaves_a_hereditary_network():
    network = build("dragonfly", a=4, h=2, groups=6, max_groups=9)
    found = shrink(network, range(20, 24), rejoin=False)
    smaller = build("dragonfly", a=4, h=2, groups=5, max_groups=9)
    assert found.after.links.tolist() == smaller.links.tolist()
    assert len(found.added) == 0
    with pytest.raises(Infeasible, match="no router 99"):
        shrink(network, [99])
    with pytest.raises(Infeasible, match="all routers"):
        shrink(network, range(24))
