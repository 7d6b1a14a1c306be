"""Rules of what is in the room already: planted faults, the reserve by hand, and a second plan next to a first one."""

from dataclasses import replace

import numpy as np
import pytest
from shared.plans import STUDIES, planned, source

from planner.check import check
from planner.check.basis.existing import in_use, kept, taken_slots, units_in_use
from planner.check.cabinets import cabinets_within_limits
from planner.check.existing import fixed_devices_stay, reserve_figures, reserve_is_kept, taken_places_stay_free
from planner.check.trays import trays_within_fill
from planner.check.zones import zones_within_totals
from planner.domain.model import Equipment, Existing, FixedDevice, KeepFree, ZoneLimit
from planner.formats import xlsx
from planner.studies import pipeline, study

NAME = "in use"


@pytest.fixture(scope="module")
def plan():
    return planned(NAME)


def with_room(plan, **changes):
    return replace(plan, room=replace(plan.room, existing=replace(plan.room.existing, **changes)))


def with_placement(plan, **columns):
    return replace(plan, placement=replace(plan.placement, **columns))


@pytest.mark.slow
def test_the_plan_breaks_no_rule(plan):
    assert check(plan, source(NAME)).items == ()
    assert plan.violations.items == ()


# -- what is there -----------------------------------------------------------------------------------


def test_a_cabinet_in_a_taken_slot_is_found(plan):
    slot_of = plan.placement.slot_of.copy()
    slot_of[0] = min(taken_slots(plan.room))
    (found,) = taken_places_stay_free(with_placement(plan, slot_of=slot_of))
    assert found.where == "slot A01"
    (other,) = taken_places_stay_free(
        with_room(plan, equipment=(*plan.room.existing.equipment, Equipment("cabinet", "x", int(plan.placement.slot_of[0]))))
    )
    assert other.severity == "error"


def test_a_box_where_others_are_is_found(plan):
    cabinet = next(c for c, slot in enumerate(plan.placement.slot_of.tolist()) if units_in_use(plan.room).get(slot))
    device = int(np.flatnonzero(plan.placement.cabinet == cabinet)[-1])
    unit = plan.placement.unit.copy()
    unit[device] = 3
    height = int(plan.inventory.of_part("units")[device])
    assert len([*taken_places_stay_free(with_placement(plan, unit=unit))]) == height


def test_devices_that_moved_are_found(plan):
    unit, cabinet = plan.placement.unit.copy(), plan.placement.cabinet.copy()
    unit[0] -= 1
    (found,) = fixed_devices_stay(with_placement(plan, unit=unit))
    assert (found.where, found.value, found.limit) == ("R000", 39, 40)
    cabinet[0] = (cabinet[0] + 1) % plan.placement.cabinet_count
    (found,) = fixed_devices_stay(with_placement(plan, cabinet=cabinet))
    assert "must stay in A04" in found.message


def test_devices_of_files_need_not_be_part_of_the_plan(plan):
    fixed = plan.room.existing.fixed
    assert not [*fixed_devices_stay(with_room(plan, fixed=(*fixed, FixedDevice("X", 0, 1, "a.csv"))))]
    assert [item.where for item in fixed_devices_stay(with_room(plan, fixed=(*fixed, FixedDevice("X", 0, 1))))] == ["X"]


# -- limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("figure", "words"), [("power_mw", "power"), ("mass_g", "load")])
def test_figures_of_others_count_against_the_limits_of_a_cabinet(plan, figure, words):
    slot = int(plan.placement.slot_of[0])
    limit = int((plan.room.slot_power_mw if figure == "power_mw" else plan.room.slot_load_g)[slot])
    heavy = Equipment("power", "x", slot, **{figure: limit})
    found = [*cabinets_within_limits(with_room(plan, equipment=(*plan.room.existing.equipment, heavy)))]
    assert found
    assert all(words in item.message for item in found)


def test_power_in_use_counts_against_the_limits_of_a_zone(plan):
    every = tuple(range(plan.room.slot_count))
    own = sum(plan.placement.by_cabinet(plan.inventory.of_part("power_max_mw")).tolist())
    others = int(in_use(plan.room, "power_mw").sum())
    assert others == 2 * 9_000_000 + 1_000_000 + 7 * 500_000 + 2_000_000

    def found(limit, zone_mw=()):
        room = replace(plan.room, zones=(ZoneLimit("whole room", every, limit, None, None),))
        return [item.value for item in zones_within_totals(with_room(replace(plan, room=room), zone_mw=zone_mw))]

    assert found(own + others) == []
    assert found(own + others - 1) == [own + others]
    assert found(own + others, (5,)) == [own + others + 5]


def test_cables_of_others_count_against_the_fill(plan):
    room = plan.room
    segment = int(np.argmax(plan.cables.fill_um2))
    limit = round(room.design_fill * room.segment_mm2[segment] * 1_000_000)

    def found(used):
        tray_um2 = [0] * len(room.segments)
        tray_um2[segment] = used
        return [item.severity for item in trays_within_fill(with_room(plan, tray_um2=tuple(tray_um2)))]

    free = limit - int(plan.cables.fill_um2[segment])
    assert found(free) == []
    assert found(free + 1) == ["warning"]
    assert found(round(room.max_fill * room.segment_mm2[segment] * 1_000_000)) == ["error"]


# -- the reserve -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "total", "number"), [(0.2, 15, 3), (0.2, 16, 4), (0.7, 10, 7), (0.1, 3, 1), (0.0, 5, 0)])
def test_the_reserve_is_rounded_up(share, total, number):
    assert kept(share, total) == number == KeepFree(slots=share).of("slots", total)


def test_the_reserve_by_hand(plan):
    """16 slots, 2 taken, 3 cabinets: 11 free. 18 routers of 36 ports with 45 links and 36 endpoints use 126 of 648 ports."""
    assert (plan.room.slot_count, plan.placement.cabinet_count) == (16, 3)
    for share, broken in ((11 / 16, 0), (0.69, 1)):
        found = [*reserve_is_kept(with_room(plan, keep_free=KeepFree(slots=share)))]
        assert [(item.value, item.limit) for item in found] == [(11, 12)] * broken
    for share, broken in ((522 / 648, 0), (0.81, 1)):
        found = [*reserve_is_kept(with_room(plan, keep_free=KeepFree(ports=share)))]
        assert [(item.where, item.value, item.limit) for item in found] == [("router", 522, 525)] * broken
    used = plan.quantities["used_units"]["value"]
    others = sum(len(units_in_use(plan.room).get(slot, ())) for slot in plan.placement.slot_of.tolist())
    found = [*reserve_is_kept(with_room(plan, keep_free=KeepFree(units=1)))]
    # Two units at the top of each cabinet are reserved.
    assert sum(item.value for item in found) == 3 * 40 - used - others
    assert {item.limit for item in found} == {42}


def test_the_reserve_of_trays(plan):
    room, segment = plan.room, int(np.argmax(plan.cables.fill_um2 + np.array(plan.room.existing.tray_um2)))
    fill = int(plan.cables.fill_um2[segment]) + plan.room.existing.tray_um2[segment]
    share = fill / (int(room.segment_mm2[segment]) * 1e6)

    def severities(keep):
        found = reserve_is_kept(with_room(plan, keep_free=KeepFree(trays=keep)))
        return {item.severity for item in found}

    assert severities(1 - share / room.design_fill - 0.001) == set()
    assert severities(1 - share / room.design_fill + 0.001) == {"warning"}
    assert "error" in severities(1 - share / room.max_fill + 0.001)


def test_the_price_of_the_reserve_by_hand(plan):
    """Fifth of the ports of 18 routers, 3 of 42 units of 3 cabinets, a tenth of the trays on the bill."""
    router, cabinet = plan.catalog.router, plan.catalog.cabinet
    trays = sum(line.cents for line in plan.bill.lines if line.category == "trays")
    ports = -(-648 // 5)
    cents = ports * router.price_cents / 36 + 9 * cabinet.price_cents / 42 + trays / 10
    have = {name: entry["value"] for name, entry in plan.quantities.items()}
    assert have["reserve_cents"] == round(cents)
    assert (have["reserved_slots"], have["reserved_units"], have["reserved_ports"], have["taken_slots"]) == (4, 9, ports, 2)
    area = (plan.room.segment_mm2 * plan.room.segment_mm).sum() / 1000
    assert have["reserved_tray_mm2_m"] == round(0.1 * plan.room.design_fill * area)
    assert dict(reserve_figures(plan)) == {name: have[name] for name in dict(reserve_figures(plan))}


@pytest.mark.slow
def test_plans_without_a_reserve_have_no_such_quantities():
    names = {"taken_slots", "reserved_slots", "reserved_units", "reserved_ports", "reserved_tray_mm2_m", "reserve_cents"}
    assert not names & planned("plain").quantities.keys()
    assert planned("plain").room.existing == Existing()


@pytest.mark.slow
def test_ports_of_each_role_of_each_network():
    plan = planned("several networks")
    found = {item.where: (item.value, item.limit) for item in reserve_is_kept(with_room(plan, keep_free=KeepFree(ports=1)))}
    # Eight leafs with two uplinks and 44 ports of nodes; ports for management do not count.
    part = plan.inventory.part_of(0)
    assert found["compute: leaf"] == (8 * part.ports - 16 - 44, 8 * part.ports)
    assert found["compute: spine"] == (2 * part.ports - 16, 2 * part.ports)
    assert set(found) == {"compute: leaf", "compute: spine", "inband: leaf", "inband: spine", "oob: leaf"}


# -- a second plan -----------------------------------------------------------------------------------


def made(existing, name="plain", **sections):
    given = {"name": "second", "seed": 1, **STUDIES[name], **sections}
    given = {key: value for key, value in given.items() if key not in ("simulation", "workload")}
    given["room"] = given["room"] | {"existing": existing}
    return pipeline.make(study.check(given))


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "first.xlsx"
    xlsx.write(planned("plain"), path)
    return str(path)


@pytest.mark.slow
def test_a_second_plan_next_to_the_first(book):
    first, second = planned("plain"), made({"taken_from": [book]})
    assert not set(first.placement.slot_of.tolist()) & set(second.placement.slot_of.tolist())
    assert second.violations.items == ()
    fill = first.cables.fill_um2 + second.cables.fill_um2
    assert (fill <= first.room.design_fill * first.room.segment_mm2 * 1e6).all()
    assert second.quantities["fullest_tray_percent"]["value"] == pytest.approx(
        float((fill / first.room.segment_mm2).max() / 1e4), abs=1e-6
    )


@pytest.mark.slow
def test_a_plan_in_its_own_places_is_the_plan(book):
    first, again = planned("plain"), made({"fixed_from": [book]})
    routers = first.inventory.is_router
    for column in (first.placement.cabinet, first.placement.unit):
        assert len(column) == len(routers)
    assert np.array_equal(again.placement.slot[routers], first.placement.slot[routers])
    assert np.array_equal(again.placement.unit[routers], first.placement.unit[routers])
    assert again.violations.items == ()


@pytest.mark.slow
@pytest.mark.parametrize("existing", [{"trays": {"row A": 1.0}}, {"trays": {"row A": 0.5}, "keep_free": {"trays": 0.5}}])
def test_trays_without_room_are_reported_with_a_proof(existing):
    """Row A has no room for the cables of its only cabinet, A08: a cut of its two segments proves it."""
    others = {"taken": [{"cabinet": [f"A0{n}" for n in range(1, 8)]}]}
    full = made(others | existing)
    assert full.room.slot_names[full.placement.slot_of.min()] == "A08"
    assert full.cables.bottleneck.is_cut
    assert full.cables.bottleneck.room == 0
    rule = "reserve_is_kept" if "keep_free" in existing else "trays_within_fill"
    assert {(item.rule, item.severity) for item in full.violations.items} == {(rule, "warning")}
