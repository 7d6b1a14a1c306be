"""The work order of a change, carried out step by step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from shared.schedules import PLACES, row, schedules

from planner.studies.diff.result import STEPS, Pieces
from planner.studies.diff.reuse import reused
from planner.studies.diff.work import work_order
from planner.view.schedule import REPLUGGED, difference


def order_of(old, new):
    found = difference(old, new)
    pieces = Pieces(found)
    return found, work_order(found, pieces, reused(pieces))


def carried_out(found, actions, old):
    """Carry out the actions; nothing may come into a port that is taken. Return what is in which port."""
    ports = {(end.device, end.printed): each.number for each in old for end in each.ends}
    new_number = {each.old.number: each.new.number for each in found.cables if each.old and each.new}
    goal = {(each.old.number, one.device, one.printed): other for each in found.cables if each.kind == REPLUGGED
            for one, other in [found.plug(each)]}  # fmt: skip
    held, fresh = {}, {}
    for action in actions:
        here = (action.device, action.port)
        if action.step == "unplug":
            assert ports.pop(here) == action.row.number
        elif action.step == "re-plug":
            key = (action.row.number, *here)
            if action.text.startswith("pull it and hold it"):
                held[key] = ports.pop(here)
                continue
            number = held.pop(key, None) or ports.pop(here)
            there = (goal[key].device, goal[key].printed)
            assert there not in ports
            ports[there] = number
        elif action.step == "plug":
            assert here not in ports
            assert here not in fresh
            fresh[here] = action.row.number
    assert not held
    return {port: new_number[number] for port, number in ports.items()} | fresh


@pytest.mark.slow
@given(schedules(), schedules())
@settings(max_examples=400, deadline=None)
def test_the_work_order_leads_from_the_old_plan_to_the_new_one(one, other):
    found, actions = order_of(one.rows, other.rows)
    end = {(end.device, end.printed): each.number for each in other.rows for end in each.ends}
    assert carried_out(found, actions, one.rows) == end
    steps = [list(STEPS).index(action.step) for action in actions]
    assert steps == sorted(steps)


def test_a_cycle_of_plugs_begins_with_one_that_is_held():
    old = [row(n, ("R0", n), (f"R{n}", 1)) for n in (1, 2, 3)]
    new = [row(n, ("R0", n % 3 + 1), (f"R{n}", 1)) for n in (1, 2, 3)]
    found, actions = order_of(old, new)
    assert [action.step for action in actions] == ["re-plug"] * 4
    assert actions[0].text.startswith("pull it and hold it")
    assert actions[-1].text.startswith("plug in what you hold")
    assert [sum(taken) for taken in zip(*(action.plugs for action in actions), strict=True)] == [3, 3]
    assert carried_out(found, actions, old) == {(end.device, end.printed): each.number for each in new for end in each.ends}


def test_plugs_of_a_chain_follow_the_one_that_leaves():
    old = [row(1, ("R0", 1), ("R1", 1)), row(2, ("R0", 2), ("R2", 1))]
    new = [row(1, ("R0", 2), ("R1", 1)), row(2, ("R0", 3), ("R2", 1))]
    _, actions = order_of(old, new)
    assert [(action.port, action.text.split(",")[1].split(" ")[-1]) for action in actions] == [("2", "3"), ("1", "2")]


def test_a_device_that_moves_is_unplugged_before_and_plugged_after():
    places = PLACES | {"R0": ("B01", 4)}
    old, new = [row(1, ("R0", 1), ("R1", 1))], [row(1, ("R0", 1), ("R1", 1), places=places, labels=("n", ""))]
    _, actions = order_of(old, new)
    assert [(action.step, action.cabinet, action.device) for action in actions] == [
        ("unplug", "A01", "R0"), ("devices", "A01", "R0"), ("plug", "B01", "R0"), ("label", "B01", "R0"),
    ]  # fmt: skip
    assert actions[1].text == "moved: to B01 U4"


def test_a_splitter_is_unplugged_once():
    printed = {("R0", 1): "1/1", ("R0", 2): "1/2"}
    old = [
        row(1, ("R0", 1), ("R1", 1), printed=printed),
        row(2, ("R0", 2), ("R2", 1), piece=1, printed=printed),
    ]
    _, actions = order_of(old, [row(1, ("R4", 1), ("R5", 1))])
    plugs = [(action.device, action.port) for action in actions if action.step == "unplug"]
    assert plugs == [("R2", "1"), ("R1", "1"), ("R0", "1/1")]
    assert sum(action.step == "take out" for action in actions) == 1


def test_re_used_cables_are_kept_and_named_where_they_are_pulled_in():
    _, actions = order_of([row(4, ("R0", 1), ("R1", 1))], [row(7, ("R2", 1), ("R3", 1))])
    text = {action.step: action.text for action in actions}
    assert "it serves as cable 7" in text["take out"]
    assert "cable 4 that was taken out" in text["lay"]
