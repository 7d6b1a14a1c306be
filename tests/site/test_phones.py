"""What phones load and send, and what codes and labels name."""

from pathlib import Path
from uuid import uuid4

import pytest
from shared.sites import ROWS, Floor, row, site_of

from planner.core.errors import InputError
from planner.fabric.baseline import Planned
from planner.install.site import acceptance, codes, phones, summary
from planner.install.site.board import Board
from planner.install.site.cables import Site
from planner.install.site.journal import Journal
from planner.view import schedule


@pytest.fixture
def floor(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        yield Floor(journal, site_of())


def event(cable, field="pulled", value="yes", **other):
    return {"id": str(uuid4()), "clock": 1, "phone": "p", "cable": cable, "end": "", "field": field, "value": value, **other}


def append(floor, *events, role="crew"):
    return phones.append(floor.journal, floor.site, list(events), crew="blue", role=role)


def test_facts_are_those_of_the_schedule(small_plan):
    planned = Planned(schedule.of_plan(small_plan), Path("small"), small_plan)
    site = Site.of(planned)
    found = phones.facts(planned, site)
    assert len(found["cables"]) == len(planned.rows)
    for row_, line in zip(planned.rows, found["cables"], strict=True):
        by_name = dict(zip(found["columns"], line, strict=True))
        assert (by_name["number"], by_name["a_label"], by_name["b_port"]) == (row_.number, row_.a.label, row_.b.printed)
        assert (by_name["length_mm"], by_name["b_number"]) == (row_.stock_mm, row_.b.port)
        assert by_name["task"] == site.cables[by_name["cable"]].task
    tasks = [dict(zip(found["task_columns"], line, strict=True)) for line in found["tasks"]]
    assert sum(task["cables"] for task in tasks) == (len(site.cables) if site.work_order else 0)
    for task in tasks:
        (cabinets, *others) = {tuple(c.cabinets) for c in site.cables.values() if c.task == task["task"]}
        assert others or set(cabinets) == set(task["places"].removeprefix("inside ").split(" → "))


def test_numbers_are_those_of_the_revision_that_the_phone_has(floor):
    old = floor.site
    # Cable 1 of the next revision is what was 2.
    changed = [row(1, ("R1", 2), ("R3", 1)), row(2, ("R1", 1), ("R2", 1)), *ROWS[2:]]
    floor.board = Board(floor.journal, site_of(changed))
    floor.site = floor.board.site
    assert append(floor, event(1, plan=old.revision)).new == 1
    floor.board.refresh()
    assert [number for number, each in floor.board.statuses.items() if each.is_pulled] == [2]
    assert append(floor, event(1)).new == 1
    floor.board.refresh()
    assert [number for number, each in floor.board.statuses.items() if each.is_pulled] == [1, 2]


@pytest.mark.parametrize("wrong", [
    event(99), event("1"), event(True), event(None), event(1.0), event(-1), event(1, plan="f" * 16), event(1, plan=7),
    {**event(0), "device": "R1"}, {**event(0), "device": "R99", "end": "device", "field": "installed"}, 7, None, [], "x",
])  # fmt: skip
def test_what_the_plan_does_not_have_is_refused(floor, wrong):
    good = event(2)
    receipt = append(floor, wrong, good)
    assert (receipt.new, len(receipt.refused)) == (1, 1)


def test_devices_are_known_by_their_names(floor):
    made = {**event(0, "installed", "yes", end="device"), "device": "R1"}
    assert append(floor, made).new == 1
    floor.board.refresh()
    assert phones.state(floor.board)["devices"]["R1"][0][2:4] == ["installed", "yes"]


def test_the_state_since_an_event_replaces_what_a_phone_has(floor):
    append(floor, event(1), event(4, "plugged", "as planned", end="b"), event(5, "plugged", "as planned", end="b"))
    floor.board.refresh()
    whole = phones.state(floor.board)
    kept = {line[0]: line for line in whole["cables"]}
    append(floor, event(3), event(1, value="", clock=2))
    floor.board.refresh()
    since = phones.state(floor.board, whole["seq"], whole["mark"])
    kept |= {line[0]: line for line in since["cables"]}
    assert sorted(line[0] for line in since["cables"]) == [1, 3]
    assert [kept[number] for number in sorted(kept)] == phones.state(floor.board)["cables"]
    # Plugs of a splitter are known by their rows.
    assert sorted(line[0] for line in whole["events"]) == [1, 4, 5]
    # A number of another journal leads to everything.
    assert phones.state(floor.board, 10**9)["whole"]


@pytest.mark.parametrize(("text", "found"), [
    ("1", (1, "")), ("0003A", (3, "a")), ("3 b", (3, "b")), (" #4a ", (4, "a")), ("hall/2B", (2, "b")), ("L5a", (5, "a")),
    ("HTTP://10.0.0.5:8080/C/3A", (3, "a")), ("https://site.local/c/3", (3, "")),
])  # fmt: skip
def test_codes_name_ends(text, found):
    assert codes.read(site_of(), text)[:2] == found


@pytest.mark.parametrize(
    "text",
    ["", "9", "0", "A", "3C", "3AB", "other/3A", "²", "-1", "1" * 50, "HTTP://x/C/99", "HTTP://x/K/3A", "../1", "/", "a/b/c"],
)
def test_other_texts_name_nothing(text):
    with pytest.raises(InputError):
        codes.read(site_of(), text)


def test_labels_of_two_ends_name_neither():
    site = site_of([row(1, ("R1", 1), ("R2", 1), label_a="X", label_b="X"), row(2, ("R1", 2), ("R2", 2))])
    with pytest.raises(InputError):
        codes.read(site, "X")


@pytest.mark.parametrize(
    "content", [b"", b"x", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff" * 100, b"RIFF0000WEBP", b"GIF89a" + b"\0" * 50]
)
def test_pictures_that_are_none_are_refused(content):
    pytest.importorskip("zxingcpp")
    with pytest.raises(InputError):
        codes.photographed(content)


def test_pictures_with_too_many_pixels_are_refused_unread():
    pytest.importorskip("zxingcpp")
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    with pytest.raises(InputError):
        codes.photographed(content)


def test_acceptance_takes_what_has_a_link_and_nothing_wrong(floor):
    for number in (1, 2, 3):
        floor.does(number, "plugged", "as planned", "a")
        floor.does(number, "plugged", "as planned" if number != 3 else "R9 7", "b")
        floor.does(number, "tested", "pass")
    assert acceptance.acceptable(floor.board) == [1, 2]
    assert acceptance.accept(floor.board, acceptance.acceptable(floor.board), crew="boss").new == 2
    assert acceptance.acceptable(floor.board) == []
    # One in another port may stay there, if the foreman confirms it by its number.
    assert acceptance.accept(floor.board, [3], crew="boss").new == 1
    assert floor.status(3).is_done
    assert acceptance.accept(floor.board, [1, 2, 3], crew="boss").new == 0
    for wrong in ([99], [4]):
        with pytest.raises(InputError):
            acceptance.accept(floor.board, wrong, crew="boss")


def test_the_summary_counts_what_the_board_has(floor):
    floor.does(1, "blocked", "door locked")
    floor.does(2, "plugged", "R9 7", "a")
    found = summary.content(floor.board)
    assert found["counts"] == {"wrong": 1, "blocked": 1, "conflicts": 0, "devices": 0, "unmatched": 0, "relabeled": 0}
    assert found["whole"]["cables"] == len(floor.board.statuses)
    assert sum(share["cables"] for share in found["stages"]) == len(floor.board.statuses)
    assert found["events"] == 2
    assert summary.content(floor.board) == found
