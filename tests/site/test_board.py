"""Statuses of cables, and what becomes of them when the plan changes."""

import random

import pytest
from shared.site_events import random_events
from shared.sites import ROWS, Floor, row, site_of
from shared.verifications import DATA, SCHEDULE

from planner.core.errors import InputError
from planner.fabric import baseline
from planner.fabric.verify import verified
from planner.install.site.board import Board
from planner.install.site.cables import Site, key
from planner.install.site.journal import Journal
from planner.install.site.scan import record_scan
from planner.install.site.status import STEPS
from planner.install.site.writing import Value, record, undo


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        yield journal


@pytest.fixture
def floor(journal):
    return Floor(journal, site_of())


def link(floor, number, state):
    record(floor.board, [Value(key(floor.site.rows[number - 1]), "", "link", state)], crew="fabric", phone="scan-1")
    floor.clock = max(register.clock for register in floor.journal.registers())


def test_a_cable_goes_through_all_steps(floor):
    seen = [floor.status(1).step]
    floor.does(1, "pulled", "yes")
    seen.append(floor.status(1).step)
    for end in "ab":
        floor.does(1, "plugged", "as planned", end)
        seen.append(floor.status(1).step)
    link(floor, 1, "up")
    seen.append(floor.status(1).step)
    floor.does(1, "tested", "pass")
    seen.append(floor.status(1).step)
    floor.does(1, "accepted", "yes", role="foreman")
    seen.append(floor.status(1).step)
    assert seen == list(STEPS)
    assert floor.status(1).is_done
    assert [status.cable.number for status in floor.board.remaining] == [2, 3, 4]


def test_what_was_measured_is_void_after_a_plug_was_touched(floor):
    for end in "ab":
        floor.does(1, "plugged", "as planned", end)
    link(floor, 1, "up")
    floor.does(1, "tested", "pass")
    assert floor.status(1).step == "tested"
    floor.does(1, "plugged", "", "a")
    assert floor.status(1).step == "one end"
    floor.does(1, "plugged", "as planned", "a")
    assert floor.status(1).step == "both ends"
    link(floor, 1, "up")
    assert floor.status(1).step == "link up"


def test_wrong_and_blocked_are_next_to_the_step(floor):
    floor.does(1, "plugged", "R2 7", "b")
    floor.does(1, "blocked", "tray is full", "a")
    floor.does(1, "label_ok", "no", "a")
    status = floor.status(1)
    assert status.step == "one end"
    assert status.blocked == "tray is full"
    assert status.wrong == ("end b is in R2 7, planned R2 1", "label of end a is wrong")
    floor.does(1, "plugged", "as planned", "b")
    floor.does(1, "plugged", "as planned", "a")
    floor.does(1, "blocked", "", "a")
    floor.does(1, "label_ok", "yes", "a")
    assert floor.status(1).is_done
    floor.does(1, "tested", "fail")
    assert floor.status(1).wrong == ("test failed",)
    assert not floor.status(1).is_done


def test_a_splitter_has_a_plug_for_each_branch(floor):
    assert [plug.rows for plug in floor.site.cables[4].plugs] == [(4, 5), (4,), (5,)]
    floor.does(4, "plugged", "as planned", "a")
    floor.does(4, "plugged", "as planned", "b")
    assert floor.status(4).step == "one end"
    # The shared plug of the other row is the same one.
    floor.does(5, "plugged", "", "a")
    assert floor.status(4).ends[0] is None
    floor.does(5, "plugged", "as planned", "a")
    floor.does(5, "plugged", "as planned", "b")
    assert floor.status(4).step == "both ends"


def test_a_key_with_the_ends_exchanged_is_the_same_cable(floor):
    floor.about(key(ROWS[0], turned=True), "plugged", "as planned", "a")
    assert [bool(end) for end in floor.status(1).ends] == [False, True]


def test_an_undo_restores_the_value_before_and_is_an_event(floor):
    floor.does(1, "tested", "fail")
    last = floor.does(1, "tested", "pass")
    undo(floor.board, last, crew="foreman", phone="terminal")
    assert floor.status(1).wrong == ("test failed",)
    events = [event for _, event in floor.journal.events()]
    assert len(events) == 3
    assert events[-1].undoes == last
    with pytest.raises(InputError, match="'fail' since"):
        undo(floor.board, last, crew="foreman", phone="terminal")
    remark = floor.does(1, "remark", "bent")
    with pytest.raises(InputError, match="entries stay"):
        undo(floor.board, remark, crew="foreman", phone="terminal")


def test_a_board_kept_up_to_date_equals_a_new_one(journal):
    site = site_of()
    site.register(journal)
    board = Board(journal, site)
    keys = [key(each) for each in ROWS] + ["unknown 1 - R1 9"]
    draw = random.Random(5)
    events = [{**each, "plan": site.revision, "target": draw.choice(keys)} for each in random_events(300, 5)]
    for start in range(0, 300, 7):
        assert not journal.append(events[start : start + 7], crew="blue", role="crew").refused
        board.refresh()
    fresh = Board(journal, site)
    assert board.statuses == fresh.statuses
    assert board.unmatched == fresh.unmatched
    assert list(board.unmatched) == ["unknown 1 - R1 9"]
    assert board.unmatched["unknown 1 - R1 9"].reason == "this plan has no such cable"


# -- the plan changes ------------------------------------------------------------------------------


def changed(floor, *rows):
    return Board(floor.journal, site_of(rows))


def test_work_is_carried_over_by_devices_and_ports(floor):
    floor.does(1, "pulled", "yes")
    floor.does(2, "plugged", "as planned", "b")
    renumbered = [each._replace(number=n, piece=n) for n, each in enumerate((ROWS[2], ROWS[1], ROWS[0]), 1)]
    board = changed(floor, *renumbered)
    assert [board.statuses[n].step for n in (1, 2, 3)] == ["planned", "one end", "pulled"]
    assert not board.unmatched


def test_the_rest_is_listed(floor):
    floor.does(1, "pulled", "yes")
    floor.does(2, "pulled", "yes")
    floor.does(3, "pulled", "yes")
    rows = (
        row(1, ("R1", 1), ("R2", 1), part="fiber", stock_mm=5000),
        row(2, ("R1", 2), ("R3", 7), label_b="L2 new"),
        row(3, ("R2", 2), ("R3", 2), label_b="L3 new"),
    )
    board = changed(floor, *rows)
    assert {(each.number, each.reason) for each in board.unmatched.values()} == {
        (1, "it was dac, 3 m, and is now fiber, 5 m"),
        (2, "no cable of the plan joins these ports"),
    }
    assert board.statuses[1].step == board.statuses[2].step == "planned"
    assert board.statuses[3].step == "pulled"
    assert list(board.relabeled.values()) == [(3, ("L3a", "L3b"), ("L3a", "L3 new"))]
    # Work under the new plan counts, and confirmed labels settle what is to be relabeled.
    later = Floor(floor.journal, board.site, floor.clock)
    later.does(1, "pulled", "yes")
    assert later.status(1).step == "pulled"
    assert 1 not in {each.number for each in later.board.unmatched.values()}
    for end in "ab":
        later.does(3, "label_ok", "yes", end)
    assert not later.board.relabeled


def test_labels_carry_over_where_devices_have_other_names(floor):
    floor.does(1, "plugged", "as planned", "b")
    other = row(1, ("R7", 1), ("R8", 1))
    board = changed(floor, other)
    assert [bool(end) for end in board.statuses[1].ends] == [False, True]
    # Not where the older plan had another cable in these ports, whose label moved.
    board = changed(floor, row(1, ("R1", 2), ("R3", 1), label_a="L1a", label_b="L1b"))
    assert board.statuses[1].step == "planned"
    assert "no cable" in board.unmatched[key(ROWS[0])].reason


def test_an_offline_phone_with_the_old_plan_is_heard(floor):
    old = floor.site
    board = changed(floor, *[each._replace(number=n + 10, piece=n + 10) for n, each in enumerate(ROWS[:3])])
    floor.does(2, "pulled", "yes")
    board.refresh()
    assert floor.site is old
    assert board.statuses[11].step == "pulled"


def test_two_rows_with_one_key_are_refused():
    with pytest.raises(InputError, match="rename a device"):
        site_of([row(1, ("R1", 1), ("R2", 1)), row(2, ("R1", 1), ("R2", 1))])


# -- scans ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_scan_is_recorded_by_the_crew_fabric(journal):
    site = Site.of(baseline.read(SCHEDULE))
    board = Board(journal, site)
    source = DATA / "sf-mixed" / "ibnetdiscover.txt"
    found = verified(SCHEDULE, [source])
    receipt = record_scan(board, found, source.read_bytes())
    assert not receipt.refused
    steps = [status.step for status in board.statuses.values()]
    assert steps.count("link up") == found.right
    wrong = {number for number, status in board.statuses.items() if status.wrong}
    swapped = {cable for finding in found.findings if finding.kind in ("swapped pair", "cycle") for cable in finding.cables}
    assert swapped <= wrong
    assert {event.crew for _, event in journal.events()} == {"fabric"}
    assert record_scan(board, found, source.read_bytes()).new == 0
    clean = DATA / "sf-clean" / "ibnetdiscover.txt"
    record_scan(board, verified(SCHEDULE, [clean]), clean.read_bytes())
    assert {status.step for status in board.statuses.values()} == {"link up"}
    assert not any(status.wrong for status in board.statuses.values())


def test_a_scan_that_must_not_be_worked_by_is_not_recorded(journal, tmp_path):
    board = Board(journal, Site.of(baseline.read(SCHEDULE)))
    file = tmp_path / "links.csv"
    rows = [f"R007,{n},R008,{n + 1 if n % 4 else n - 3}\n" for n in range(1, 9)]
    file.write_text("device1,port1,device2,port2\n" + "".join(rows))
    with pytest.raises(InputError, match="do not work by this result") as caught:
        record_scan(board, verified(SCHEDULE, [file]), file.read_bytes())
    assert "nothing was recorded" in caught.value.problems[0].remedy
    assert not list(journal.events())
