"""Rack units of devices in filled cabinets: by hand, and against the units that a plain recount leaves free."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.errors import InputError
from planner.design.placement.packing import Interior
from planner.design.placement.racks.units import units_of
from planner.domain.model import AT


def stacked(heights, at, *, routers=0, units=42, manager=None, pdu=None, **interior):
    """The units of devices of one cabinet, routers first, and the fixtures as pairs of kind and unit."""
    count = len(heights)
    inventory = SimpleNamespace(
        at=np.array([AT.get(each, each) for each in at]),
        rack=np.zeros(count, int),
        rack_unit=np.array([-1]),
        device_count=count,
        router_count=routers,
        names=np.array([f"d{n}" for n in range(count)]),
        of_part={"units": np.array(heights), "id": np.array(["box"] * count)}.get,
    )
    catalog = SimpleNamespace(
        cabinet=SimpleNamespace(units=units),
        pdu=pdu and SimpleNamespace(id="pdu", units=pdu),
        manager=manager and SimpleNamespace(units=manager),
    )
    found = units_of(inventory, catalog, Interior(**interior))
    return found.unit.tolist(), list(zip(found.fixture_kind.tolist(), found.fixture_unit.tolist(), strict=True))


def test_switch_trays_between_two_halves_of_compute_trays():
    """A rack as NVIDIA builds it: nine switch trays in the middle, nine compute trays below and nine above."""
    found, _ = stacked([1] * 9 + [1] * 18, [20] * 9 + ["bottom"] * 18, units=48, reserve_bottom_units=10)
    assert found[:9] == list(range(20, 29))
    assert found[9:] == [*range(11, 20), *range(29, 38)]


def test_a_node_is_above_what_it_does_not_fit_under():
    found, _ = stacked([1, 8, 2], [5, "bottom", "bottom"])
    assert found == [5, 6, 1]


def test_the_middle_is_centered():
    assert stacked([2, 2, 1], ["middle", "middle", "bottom"], units=10)[0] == [4, 6, 1]
    # Where it is taken, the nearest free units are used, of two equally near ones the lower.
    assert stacked([2, 4], ["middle", 4], units=10)[0] == [2, 4]
    assert stacked([2, 4], ["middle", 3], units=10)[0] == [7, 3]


def test_routers_at_the_top_are_below_their_managers():
    found, fixtures = stacked([1] * 5, ["top"] * 4 + ["bottom"], routers=4, manager=1, routers_per_manager=2)
    assert found == [41, 40, 38, 37, 1]
    assert fixtures == [(0, 42), (0, 39)]
    # At a rack unit, a group is stacked from it upward with its managers.
    found, fixtures = stacked([1] * 3, [10] * 3, routers=3, manager=1, routers_per_manager=2)
    assert (found, fixtures) == ([11, 10, 13], [(0, 12), (0, 14)])


def test_upright_devices_take_no_units_and_pdus_are_below():
    found, fixtures = stacked([0, 0, 4], ["bottom"] * 3, pdu=1, reserve_bottom_units=2)
    assert found == [0, -1, 5]
    assert fixtures == [(1, 3), (1, 4)]


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ([40, 40, 40], "cabinet 1 has no 6 free units from unit 40 up for d0 and 2 others"),
        ([3, 4, "top"], "cabinet 1 has no 2 free units from unit 4 up for d1"),
        ([50, "top", "top"], "cabinet 1 has no 2 free units from unit 50 up for d0"),
    ],
)
def test_units_that_are_not_free_are_refused(at, message):
    with pytest.raises(InputError, match=message):
        stacked([2, 2, 2], at)


PLACES = st.sampled_from(["bottom", "top", "middle", 7, 21])


@given(st.lists(st.tuples(st.integers(1, 6), PLACES), min_size=1, max_size=12), st.integers(0, 12), st.integers(0, 2))
def test_no_unit_is_taken_twice(drawn, routers, manager):
    heights, at = zip(*drawn, strict=True)
    try:
        found, fixtures = stacked(heights, at, routers=min(routers, len(at)), manager=manager)
    except InputError:
        assert sum(heights) + manager * len(heights) > 10  # a nearly empty cabinet holds everything
        return
    taken = [unit + n for unit, height in zip(found, heights, strict=True) for n in range(height)]
    taken += [unit + n for _, unit in fixtures for n in range(manager)]
    assert len(set(taken)) == len(taken)
    assert set(taken) <= set(range(1, 43))
