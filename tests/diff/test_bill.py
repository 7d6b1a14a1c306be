"""The bill of a change, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from shared.small_plans import make_plan

from planner.fabric.baseline import Planned
from planner.studies.diff.run import comparison
from planner.view import schedule


def planned(plan, name="plan"):
    return Planned(schedule.of_plan(plan), Path(name), plan)


@pytest.fixture(scope="module")
def rings():
    """Rings of three and of four switches with a node each, in one cabinet."""
    return [planned(make_plan(family="torus", sizes=(size,), simulate=False)) for size in (3, 4)]


def with_labor(given, **rates):
    plan = given.plan
    return planned(replace(plan, catalog=replace(plan.catalog, labor=replace(plan.catalog.labor, **rates))))


def test_what_a_longer_ring_costs(rings):
    """Four servers need a unit more: E000 is out of reach of its 1 m cable, which then closes the ring."""
    found = comparison(*rings)
    assert [found.found.count(kind) for kind in schedule.KINDS] == [(3, 2), (3, 2), (0, 1), (0, 1), (2, 3), (0, 0)]
    assert [(each.old.number, each.new.number) for each in found.reuse] == [(4, 2)]
    lines = {(line.category, line.stock_mm): (line.quantity, line.cents) for line in found.bill.lines}
    # Plugs: 4 out, 8 in, and one from port to port; 250 cents are a whole cable.
    assert lines == {
        ("routers", 0): (1, 2_000_000), ("cables", 1000): (1, 11_000), ("cables", 1500): (1, 11_500),
        ("labels", 0): (12, 0), ("labor", 0): (14, 14 * 125),
    }  # fmt: skip
    assert found.bill.cents == 2_000_000 + 11_000 + 11_500 + 1750
    assert found.bill.unpriced == [("server", 1)]
    assert found.bill.removed == []
    assert found.bill.labor_s is None


def test_what_a_shorter_ring_leaves_over(rings):
    found = comparison(*reversed(rings))
    # The only removed cable that could serve, cable 5 of 1.5 m, serves as the new cable of E000.
    assert [(each.old.number, each.need_mm) for each in found.reuse] == [(2, 956)]
    assert found.bill.removed == [
        ("server", "device", 0, 1), ("switch-16", "device", 0, 1), ("dac", "cable", 1000, 1), ("dac", "cable", 1500, 1),
    ]  # fmt: skip
    assert {line.category for line in found.bill.lines} == {"labels", "labor"}


def test_labor_in_time(rings):
    rates = {"in_cabinet_s": 40, "between_cabinets_s": 100, "pull_s_per_m": 6, "label_s": 10, "test_s": 5}
    old, new = rings
    found = comparison(old, with_labor(new, **rates))
    # 14 halves of a cable, 12 labels, 9 plugs that are tested; nothing leaves the cabinet.
    assert found.bill.labor_s == 7 * 40 + 12 * 10 + 9 * 5
    paid = comparison(old, with_labor(new, hour_cents=6000, **rates)).bill
    assert [(line.description, line.quantity, line.cents) for line in paid.lines if line.category == "labor"] == [
        ("person-hour", 1, 6000)
    ]


def test_a_plan_and_itself_cost_nothing(rings):
    found = comparison(rings[0], rings[0])
    assert found.found.is_empty
    assert (found.bill.cents, found.bill.lines, found.bill.removed, found.actions, found.reuse) == (0, [], [], [], [])


def test_schedules_have_no_bill(rings):
    old, new = (Planned(each.rows, each.path) for each in rings)
    found = comparison(old, new)
    assert found.bill is None
    assert [note for note in found.notes if note.startswith("no bill of the change: prices and floors")]
    # The folder of one plan is not enough.
    assert comparison(rings[0], new).bill is None


def test_another_room_and_another_machine_are_noted(rings):
    other = make_plan(family="torus", sizes=(4,), simulate=False, change_room=lambda room: replace(room, title="Basement"))
    assert any("the rooms differ" in note and "Basement" in note for note in comparison(rings[0], planned(other)).notes)
    rows = [each._replace(a=each.a._replace(device=f"X{each.a.device}"), b=each.b._replace(device=f"X{each.b.device}"))
            for each in rings[1].rows]  # fmt: skip
    notes = comparison(Planned(rings[0].rows, Path("a")), Planned(rows, Path("b"))).notes
    assert any("no device name in common" in note for note in notes)
