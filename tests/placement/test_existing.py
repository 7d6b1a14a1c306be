"""Placement around what is in the room already: nothing of it is moved, and the reserve stays free."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared.plans import planned

from planner.check.existing import fixed_devices_stay, reserve_is_kept, taken_places_stay_free
from planner.core.errors import Infeasible
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.design.placement.packing import PLAIN, fit
from planner.design.placement.packing.cabinets.obstacles import Obstacle, Shelf, Waiting
from planner.design.placement.racks.around import Around
from planner.design.placement.racks.units import Units, units_of
from planner.domain import catalog
from planner.domain.model import Equipment, Existing, FixedDevice, KeepFree, Plan
from planner.hall.floor import Lengths, Slack
from planner.network import topology

NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)
SMALL = topology.build("slimfly", q=3, endpoints_per_router=2)
ALGORITHMS = ("identity", "random", "anneal", "tabu", "assignment")


def in_use(room, taken=(), boxes=(), fixed=(), **keep):
    """A room with cabinets of others, boxes of others (slot, low, count), and fixed devices (name, slot, unit)."""
    equipment = [Equipment("cabinet", "other", slot) for slot in taken]
    equipment += [Equipment("units", "other", slot, low, count) for slot, low, count in boxes]
    devices = tuple(FixedDevice(*each) for each in fixed)
    return replace(room, existing=Existing(tuple(equipment), fixed=devices, keep_free=KeepFree(**keep)))


def placed(network, parts, room, algorithm="random", **options):
    lengths = Lengths(room, parts.cabinet, Slack())
    effort = {"moves": 2000} if algorithm == "anneal" else {}
    found = place(network, parts, lengths, seed=1, algorithm=algorithm, bounds=False, **effort, **options)
    return Plan("p", "P", {}, catalog=parts, room=room, topology=network, inventory=inventory(network, parts), placement=found)


def units_by_cabinet(plan):
    """Units of every cabinet that hold a box, with the number of boxes."""
    heights, seen = plan.inventory.of_part("units"), {}
    places = np.column_stack([plan.placement.cabinet, plan.placement.unit, plan.inventory.part, heights])
    for cabinet, unit, _, height in np.unique(places, axis=0).tolist():
        for step in range(height):
            seen[cabinet, unit + step] = seen.get((cabinet, unit + step), 0) + 1
    return seen


def kept(plan):
    return [*taken_places_stay_free(plan), *fixed_devices_stay(plan), *reserve_is_kept(plan)]


# -- one network -------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.sets(st.integers(0, 15), max_size=10), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_taken_slots_are_never_used(edr, lab, taken, seed):
    room = in_use(lab, taken)
    packing = fit(NETWORK, room, edr, seed=seed)
    assert not set(packing.slot_of.tolist()) & taken
    assert not packing.allowed[:, sorted(taken)].any()


@pytest.mark.slow
@given(st.data())
@settings(max_examples=25)
def test_no_box_is_where_others_are(edr, lab, data):
    slots = data.draw(st.lists(st.integers(0, 15), unique=True, max_size=6))
    taken = data.draw(st.sets(st.integers(0, 15), max_size=5)) - set(slots)
    units = [(slot, low := data.draw(st.integers(1, 42)), data.draw(st.integers(1, 43 - low))) for slot in slots]
    room = in_use(lab, taken, units)
    try:
        plan = placed(NETWORK, edr, room)
    except Infeasible:
        assume(False)
    assert not set(plan.placement.slot_of.tolist()) & taken
    busy = {(slot, unit) for slot, low, count in units for unit in range(low, low + count)}
    own = units_by_cabinet(plan)
    assert set(own.values()) == {1}
    assert not {(int(plan.placement.slot_of[cabinet]), unit) for cabinet, unit in own} & busy
    assert all(1 <= unit <= 42 for _, unit in own)
    assert kept(plan) == []


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("endpoints", ["together", "apart"])
def test_every_algorithm_leaves_fixed_routers(edr, lab, algorithm, endpoints):
    # A number with more digits is that of a plan of a larger network.
    fixed = [("R000", 5, 30), ("R001", 5, 20), ("R00017", 9, 42), ("Z1", 3, 3, "a file")]
    room = in_use(lab, {0, 1, 15}, [(5, 1, 6), (9, 40, 2)], fixed)
    plan = placed(SMALL, edr, room, algorithm, endpoints=endpoints)
    placement = plan.placement
    for name, slot, unit in fixed[:3]:
        router = int(name[1:])
        assert (placement.slot_of[placement.cabinet[router]], placement.unit[router]) == (slot, unit)
    assert kept(plan) == []
    assert set(units_by_cabinet(plan).values()) == {1}


def test_a_fixed_device_that_is_no_device_is_found_by_the_verifier(edr, lab):
    plan = placed(SMALL, edr, lab)
    room = in_use(lab, fixed=[("R999", 3, 3)])
    assert [item.where for item in fixed_devices_stay(replace(plan, room=room))] == ["R999"]


@pytest.mark.parametrize(("share", "left"), [(0.5, 8), (0.6, 6), (0.69, 4)])
def test_a_share_of_the_slots_stays_free(edr, lab, share, left):
    room = in_use(lab, slots=share)
    count = fit(NETWORK, lab, edr).cabinet_count
    if count <= left:
        assert fit(NETWORK, room, edr).cabinet_count == count
    else:
        kept_free = 16 - left
        with pytest.raises(Infeasible, match=rf"{count} cabinets needed, but keep_free keeps {kept_free} of the 16 slots"):
            fit(NETWORK, room, edr)


def test_taken_slots_do_not_count_as_free_for_growth(edr, lab):
    count = fit(NETWORK, lab, edr).cabinet_count
    enough = in_use(lab, range(16 - count - 4), slots=0.25)
    assert fit(NETWORK, enough, edr).cabinet_count == count
    with pytest.raises(Infeasible, match="1 slots too few"):
        fit(NETWORK, in_use(lab, range(16 - count - 3), slots=0.25), edr)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_a_share_of_the_units_stays_free_in_every_cabinet(edr, lab, share):
    plan = placed(NETWORK, edr, in_use(lab, units=share))
    used = np.bincount([cabinet for cabinet, _ in units_by_cabinet(plan)])
    assert (42 - used >= 42 * share).all()
    assert kept(plan) == []


def test_fuller_cabinets_than_the_reserve_allows_are_found(edr, lab):
    plan = placed(NETWORK, edr, lab)
    used = np.bincount([cabinet for cabinet, _ in units_by_cabinet(plan)])
    found = [*reserve_is_kept(replace(plan, room=in_use(lab, units=0.4)))]
    assert len(found) == (42 - used < 17).sum() > 0
    assert {(item.limit, item.unit) for item in found} == {(17, "units")}
    assert sorted(item.value for item in found) == sorted(42 - used[42 - used < 17])


def test_power_and_mass_of_others_leave_less_for_the_plan(edr, lab):
    packing = fit(NETWORK, lab, edr)
    slot = int(packing.slot_of[0])
    heavy = Equipment("units", "other", slot, 1, 1, power_mw=29_900_000)
    room = replace(lab, existing=Existing((heavy,)))
    assert slot not in fit(NETWORK, room, edr).slot_of
    massive = replace(heavy, power_mw=0, mass_g=1_400_000)
    assert slot not in fit(NETWORK, replace(lab, existing=Existing((massive,))), edr).slot_of


def test_messages_name_cabinets_of_others(edr, lab):
    with pytest.raises(Infeasible, match="14 are excluded by existing cabinets"):
        fit(NETWORK, in_use(lab, range(14)), edr)


@given(st.sets(st.integers(1, 42)), st.integers(1, 6), st.booleans())
def test_a_shelf_takes_the_first_gap(edr, taken, height, top):
    shelf = Shelf.of(PLAIN, edr, Obstacle("A01", frozenset(taken)))
    fits = [unit for unit in range(1, 44 - height) if not taken & set(range(unit, unit + height))]
    if not fits:
        with pytest.raises(Infeasible, match="cabinet A01: no gap"):
            shelf.place(height, top=top)
        return
    assert shelf.place(height, top=top) == (max(fits) if top else min(fits))
    assert not any(set(gap) & taken for gap in shelf.gaps())


# -- filled cabinets ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filled():
    return planned("several networks")


def around(plan, room):
    stacked = units_of(plan.inventory, plan.catalog, PLAIN)
    return Around(room, plan.inventory, plan.catalog, PLAIN, stacked), stacked


def everywhere(plan):
    return np.ones((plan.placement.cabinet_count, plan.room.slot_count), bool)


def rack_of(plan, name):
    return int(plan.inventory.rack[plan.inventory.names.tolist().index(name)])


@pytest.mark.slow
def test_without_others_nothing_changes(filled):
    found, stacked = around(filled, filled.room)
    assert found.allowed(everywhere(filled)).all()
    assert found.stacked(np.arange(filled.placement.cabinet_count)) is stacked


def test_slots_that_hold_filled_cabinets(filled):
    units = filled.catalog.cabinet.units
    room = in_use(filled.room, {0}, [(1, 1, 6), (2, 1, units), (3, 3, units - 16)], [("dgx002", 4, 20)])
    allowed = around(filled, room)[0].allowed(everywhere(filled))
    one, two = rack_of(filled, "dgx005"), rack_of(filled, "dgx001")
    assert not allowed[:, [0, 2]].any()
    # Only the cabinet of the node that must not move is not allowed over six units in use.
    assert np.flatnonzero(~allowed[:, 1]).tolist() == [two]
    # Fourteen units at the top hold all cabinets with up to 14 units: that of one node, not that of two.
    needed = np.bincount(filled.inventory.rack, filled.inventory.of_part("units"))
    others = np.arange(len(needed)) != two
    assert np.array_equal(allowed[others, 3], needed[others] <= 14)
    assert allowed[one, 3]
    # The cabinet of the node that must not move is in its slot alone.
    assert np.flatnonzero(allowed[two]).tolist() == [4]


@given(st.data())
@settings(max_examples=20)
def test_devices_fit_around_others(filled, data):
    units = filled.catalog.cabinet.units
    blocks = data.draw(st.lists(st.tuples(st.integers(1, units), st.integers(1, 6)), max_size=4))
    room = in_use(filled.room, boxes=[(7, low, min(count, units - low + 1)) for low, count in blocks])
    found, stacked = around(filled, room)
    allowed = found.allowed(everywhere(filled))
    rack = data.draw(st.integers(0, filled.placement.cabinet_count - 1))
    if not allowed[rack, 7]:
        return
    slot_of = np.arange(10, 10 + filled.placement.cabinet_count)
    slot_of[rack] = 7
    made = found.stacked(slot_of)
    own, height = np.flatnonzero(filled.inventory.rack == rack), filled.inventory.of_part("units")
    held = [unit for n in own.tolist() for unit in range(made.unit[n], made.unit[n] + height[n])]
    assert len(set(held)) == len(held)
    assert set(held) <= set(range(1, units + 1)) - set(room.existing.units_in(7))
    free = [n for n in own.tolist() if not set(range(stacked.unit[n], stacked.unit[n] + height[n])) & room.existing.units_in(7)]
    if len(free) == len(own):
        assert np.array_equal(made.unit, stacked.unit)
    others = filled.inventory.rack != rack
    assert np.array_equal(made.unit[others], stacked.unit[others])


def test_fixtures_move_too(filled):
    base = units_of(filled.inventory, filled.catalog, PLAIN)
    stacked = Units(base.unit, np.array([1]), np.array([rack_of(filled, "dgx005")]), np.array([20]))
    pdu = replace(next(iter(catalog.rows("pdu"))), units=1)
    found = Around(in_use(filled.room, boxes=[(7, 20, 1)]), filled.inventory, replace(filled.catalog, pdu=pdu), PLAIN, stacked)
    slot_of = np.arange(10, 10 + filled.placement.cabinet_count)
    slot_of[rack_of(filled, "dgx005")] = 7
    assert found.stacked(slot_of).fixture_unit.tolist() == [9]


@given(st.sets(st.integers(1, 42), max_size=30), st.lists(st.integers(1, 4), max_size=12))
def test_boxes_of_unlike_heights_take_gaps_in_order_or_tall_ones_first(edr, taken, heights):
    shelf = Shelf.of(PLAIN, edr, Obstacle("A01", frozenset(taken)))
    waiting = [Waiting("unit_of", number, height, top=True) for number, height in enumerate(heights)]

    def fits(order):
        free, found = set(range(1, 43)) - taken, {}
        for one in order:
            gaps = [unit for unit in sorted(free, reverse=True) if free.issuperset(range(unit, unit + one.height))]
            if not gaps:
                return None
            found[one.array, one.number] = gaps[0]
            free -= set(range(gaps[0], gaps[0] + one.height))
        return found

    wanted = fits(waiting) or fits(sorted(waiting, key=lambda one: -one.height))
    if wanted is None and waiting:
        with pytest.raises(Infeasible, match="cabinet A01: no gap"):
            shelf.places(waiting)
    else:
        assert shelf.places(waiting) == (wanted or {})
