"""What becomes of devices and cables from one schedule to another."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from shared.schedules import PLACES, row, schedules

from planner.view.schedule import ADDED, KINDS, MOVED, RELABELED, REMOVED, REPLUGGED, SAME, Device, changes, difference

MIRROR = {REMOVED: ADDED, ADDED: REMOVED}


def kinds(found):
    return [(each.kind, each.old and each.old.number, each.new and each.new.number) for each in found.cables]


def test_every_kind_by_hand():
    old = [
        row(1, ("R0", 1), ("R1", 1)),
        row(2, ("R0", 2), ("R2", 1)),
        row(3, ("R0", 3), ("R3", 1), labels=("a", "b")),
        row(4, ("R1", 2), ("R2", 2)),
        row(5, ("R5", 1), ("R3", 2)),
        row(6, ("R2", 3), ("R3", 3), trays="row A > row B"),
    ]
    places = PLACES | {"R5": ("B07", 3)}
    new = [
        row(1, ("R1", 1), ("R0", 1)),
        row(2, ("R0", 2), ("R4", 1)),
        row(3, ("R0", 3), ("R3", 1), labels=("a", "c")),
        row(4, ("R5", 1), ("R3", 2), places=places),
        row(5, ("R6", 1), ("R1", 3)),
        row(6, ("R3", 3), ("R2", 3), trays="row C > row A"),
    ]
    found = difference(old, new)
    assert kinds(found) == [
        (SAME, 1, 1), (REPLUGGED, 2, 2), (RELABELED, 3, 3), (MOVED, 5, 4), (ADDED, None, 5), (MOVED, 6, 6), (REMOVED, 4, None),
    ]  # fmt: skip
    one, other = found.plug(found.cables[1])
    assert (found.cables[1].end, one.device, other.device) == (1, "R2", "R4")
    assert found.trays(found.cables[5]) == ("row B > row A", "row C > row A")
    assert {(each.kind, each.new or each.old, each.old_place, each.new_place) for each in found.changed_devices} == {
        (MOVED, "R5", "A02 U6", "B07 U3"), (ADDED, "R4", "", "A02 U5"), (ADDED, "R6", "", "A02 U7"),
    }  # fmt: skip
    # Links R0-R2 and R1-R2 are gone: cables 2 and 4 leave a port in any case.
    assert found.lower_bound == 2


def test_a_device_with_another_name_keeps_its_cables():
    places = PLACES | {"leaf1": PLACES["R0"]}
    old = [row(1, ("R0", 1), ("R1", 1)), row(2, ("R0", 2), ("R2", 1))]
    new = [row(1, ("leaf1", 1), ("R1", 1), places=places), row(2, ("R2", 1), ("leaf1", 2), places=places)]
    found = difference(old, new)
    assert found.changed_devices == [(RELABELED, "R0", "leaf1", "A01 U1", "A01 U1")]
    assert found.count(SAME) == (2, 2)
    # With a cable in another port it is another device, into which both cables are plugged.
    other = difference(old, [new[0]._replace(a=new[0].a._replace(port=3)), new[1]])
    assert (other.count(REMOVED), other.count(REPLUGGED)) == ((1, 0), (0, 2))


def test_a_device_of_another_model_is_removed_and_added_and_its_cables_follow_it():
    rows = [row(1, ("R0", 1), ("R1", 1)), row(2, ("R1", 2), ("R2", 1))]
    before = {"R0": Device("A01 U1", "switch-a"), "spare": Device("A01 U9", "switch-a")}
    after = {"R0": Device("A01 U1", "switch-b"), "spare": Device("A01 U9", "switch-a")}
    found = difference(rows, rows, before, after)
    assert [each.kind for each in found.changed_devices] == [REMOVED, ADDED]
    assert kinds(found) == [(MOVED, 1, 1), (SAME, 2, 2)]
    assert found.count(SAME)[0] == 3
    assert difference(rows, rows, before, before).is_empty


def test_another_length_between_the_same_ports_is_one_line_of_the_list():
    old, new = [row(1, ("R0", 1), ("R1", 1))], [row(1, ("R0", 1), ("R1", 1), stock_mm=5000)]
    found = difference(old, new)
    assert kinds(found) == [(ADDED, None, 1), (REMOVED, 1, None)]
    assert [(each.kind, each.what) for each in changes(found)] == [("other length", "stock 3\u00a0m → 5\u00a0m")]


@pytest.mark.slow
@given(schedules(renamed=True))
@settings(max_examples=100, deadline=None)
def test_a_schedule_and_itself_do_not_differ(built):
    found = difference(built.rows, built.rows)
    assert found.is_empty
    assert found.lower_bound == 0
    assert changes(found) == []


@pytest.mark.slow
@given(schedules(), schedules(renamed=True))
@settings(max_examples=200, deadline=None)
def test_the_difference_mirrors_that_of_exchanged_schedules(one, other):
    there, back = difference(one.rows, other.rows), difference(other.rows, one.rows)
    for kind in KINDS:
        assert there.count(kind) == back.count(MIRROR.get(kind, kind))

    def pairs(found, first):
        return {
            (each.kind if each.old and each.new else "", *(side and side.number for side in (each.old, each.new)[::first]))
            for each in found.cables
        }

    assert pairs(there, 1) == pairs(back, -1)
    devices = {(each.old, each.new) for each in there.devices}
    assert devices == {(each.new, each.old) for each in back.devices}


def is_key(connection):
    """A row as a set of ends, whatever its number and the order of its ends."""
    ends = sorted((end.device, end.port, end.cabinet, end.unit, end.label) for end in connection.ends)
    turned = connection.a.device != ends[0][0] or connection.a.port != ends[0][1]
    trays = connection.trays.split(" > ")
    return (*ends, connection.part, connection.stock_mm, tuple(trays[::-1] if turned else trays))


@pytest.mark.slow
@given(schedules(), schedules(renamed=True))
@settings(max_examples=200, deadline=None)
def test_the_changes_applied_to_the_old_schedule_give_the_new_one(one, other):
    found = difference(one.rows, other.rows)
    rows = {each.number: each for each in one.rows}
    names = {each.old: each.new for each in found.changed_devices if each.kind == RELABELED}
    for each in found.cables:
        if each.kind != SAME and each.old is not None:
            del rows[each.old.number]
    made = []
    for each in rows.values():
        a, b = (end._replace(device=names.get(end.device, end.device)) for end in each.ends)
        made.append(each._replace(a=a, b=b))
    made += [each.new for each in found.cables if each.kind != SAME and each.new is not None]
    assert Counter(map(is_key, made)) == Counter(map(is_key, other.rows))


@pytest.mark.slow
@given(schedules(), schedules())
@settings(max_examples=200, deadline=None)
def test_no_change_unplugs_less_than_the_bound(one, other):
    found = difference(one.rows, other.rows)
    assert found.lower_bound <= found.count(REMOVED)[1] + found.count(REPLUGGED)[1]
