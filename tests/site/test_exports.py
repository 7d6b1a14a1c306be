"""What leaves the journal, and what comes back: schedules, workbooks, NetBox, JSON lines, figures, copies."""

import csv
import json
import random

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.site_events import state_of
from shared.sites import ROWS, Floor, site_of

from planner import formats
from planner.core.errors import InputError
from planner.fabric import baseline
from planner.formats import workbook
from planner.formats.netbox import connected_cables
from planner.install.site import backup, book, built, files, miswires, netbox, terminal
from planner.install.site.board import Board
from planner.install.site.cables import key
from planner.install.site.fields import AS_PLANNED
from planner.install.site.journal import Journal
from planner.install.site.writing import Value, record


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def worked(floor):
    """Some of everything on the first cables."""
    for number in (1, 2, 3):
        floor.does(number, "pulled", "yes")
        for end in "ab":
            floor.does(number, "plugged", "as planned", end)
    row = floor.site.rows[3]
    floor.does(4, "plugged", "as planned", "a", crew="red")
    floor.does(4, "plugged", f"{row.b.device} 30", "b", crew="red")
    floor.does(1, "tested", "pass")
    floor.does(1, "length_mm", str(floor.site.rows[0].stock_mm + 70))
    floor.does(2, "remark", "=HYPERLINK(1)")
    floor.does(3, "serial", "MT0001", "a")
    floor.about(row.a.device, "serial", "SN42", "device")
    floor.about(row.a.device, "asset_tag", "=A7", "device")
    floor.about(row.a.device, "installed", "yes", "device")
    floor.about(row.a.device, "remark", "rail bent", "device")
    floor.about(row.a.device, "blocked", "no power", "device")
    floor.does(5, "blocked", "no key")


# -- as built -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_as_built_has_recorded_ports_and_is_a_schedule(small, tmp_path):
    worked(small)
    assert built.write_as_built(small.board, tmp_path / "built.csv") == []
    rows = table(tmp_path / "built.csv")
    length = f"actual length {(small.site.rows[0].stock_mm + 70) / 1000:g} m"
    assert [row["deviation"] for row in rows if row["deviation"]] == [length, rows[3]["deviation"]]
    moved = small.site.rows[3].b.device
    assert rows[3]["deviation"].startswith(f"end b in {moved} 30, planned in {moved} ")
    again = baseline.read(tmp_path / "built.csv").rows
    assert (again[3].b.device, again[3].b.port) == (moved, 30)
    own = [(each.a[:2], each.b[:2], each.a.label) for each in small.site.rows]
    assert [(each.a[:2], each.b[:2], each.a.label) for each in again[:3] + again[4:]] == own[:3] + own[4:]


def test_a_port_is_in_one_row_as_built(floor):
    floor.does(1, "plugged", "R3 1", "b")
    rows, left_out = built.as_built(floor.board)
    assert left_out == [2]
    ports = [end[:2] for each in rows for end in each.row.ends]
    assert len(set(ports)) == len(ports)
    # The other cable of the exchange is recorded, too.
    floor.does(2, "plugged", "R2 1", "b")
    rows, left_out = built.as_built(floor.board)
    assert left_out == []
    assert [(each.row.b.device, each.row.b.port) for each in rows[:2]] == [("R3", 1), ("R2", 1)]


def test_a_plug_with_several_rows_moves_as_one(floor):
    floor.does(4, "plugged", "R9 7", "a")
    rows, _ = built.as_built(floor.board)
    assert [(each.row.a.device, each.row.a.port) for each in rows[3:]] == [("R9", 7), ("R9", 8)]


# -- workbook -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_workbook_holds_the_journal_and_gives_it_back(small, small_plan, tmp_path):
    worked(small)
    path = tmp_path / "site.xlsx"
    book.write_workbook(small.board, small_plan, path)
    found = workbook.read(path)
    cables = found.tables["cables"].columns
    assert [number for number, done in zip(cables["cable"], cables["installed"], strict=True) if done] == [1, 2, 3, 4]
    assert cables["actual_mm"][0] == small.site.rows[0].stock_mm + 70
    assert cables["installer"][:4] == ("crew 1", "crew 1", "crew 1", "red")
    assert (cables["built_b_device"][3], cables["built_b_port"][3]) == (small.site.rows[3].b.device, "30")
    assert (cables["remark"][1], cables["remark"][4]) == ("=HYPERLINK(1)", "blocked: no key")
    work = list(found.tables["work"].rows("cable", "pulled", "plugged_a", "plugged_b", "tested"))
    assert {row[0]: row[1:] for row in work if row[1]} == {
        1: (True, True, True, True), 2: (True, True, True, False), 3: (True, True, True, False), 4: (True, True, True, False)
    }  # fmt: skip
    name = "devices" if "devices" in found.tables else "routers"
    crew = found.tables[name].rows(name[:-1], "serial_number", "asset_tag", "installed", "remark")
    device = small.site.rows[3].a.device
    assert [row for row in crew if any(row[1:])] == [(device, "SN42", "=A7", True, "rail bent; blocked: no power")]
    # What the journal has is not recorded again; an empty journal takes all of it.
    assert book.read_workbook(small.board, path).new == 0
    with Journal(tmp_path / "other.db") as other:
        board = Board(other, small.site)
        receipt = book.read_workbook(board, path, crew="office")
        assert receipt.new > 0
        assert not receipt.refused
        assert book.read_workbook(board, path, crew="office").new == 0
        for number in (1, 2, 3, 4):
            then, now = small.status(number), board.statuses[number]
            assert (then.step, then.wrong) == (now.step, now.wrong)
            assert [end.value for end in then.ends] == [end.value for end in now.ends]
        assert board.statuses[4].ends[1].crew == "red"
        assert board.devices[device].asset_tag == "=A7"
        assert board.devices[device].serial == "SN42"
        assert board.statuses[1].value("length_mm") == small.status(1).value("length_mm")


@pytest.mark.slow
def test_a_workbook_that_nobody_filled_in_records_nothing(small, small_plan, tmp_path):
    path = formats.write(small_plan, tmp_path, "xlsx")
    assert book.read_workbook(small.board, path)[1:] == (0, 0, ())


# -- NetBox ---------------------------------------------------------------------------------------


@pytest.fixture
def named(small, small_plan):
    """The plan, and NetBox' own list of its cables."""
    columns, rows = connected_cables(small_plan)
    return small_plan, [dict(zip(columns, row, strict=True)) for row in rows]


def test_netbox_gets_what_was_connected_as_planned(small, named, tmp_path):
    plan, all_rows = named
    worked(small)
    count, left_out = netbox.write_changes(small.board, plan, tmp_path / "new.csv")
    assert (count, left_out) == (3, [4])
    rows = table(tmp_path / "new.csv")
    assert list(rows[0]) == list(all_rows[0])
    assert [row["side_a_name"] for row in rows] == [row["side_a_name"] for row in all_rows[:3]]
    assert {row["status"] for row in rows} == {"connected"}
    assert float(rows[0]["length"]) == pytest.approx((small.site.rows[0].stock_mm + 70) / 1000)
    assert rows[2]["comments"].endswith("; serial A: MT0001")


def test_netbox_updates_its_cables_by_id(small, named, tmp_path):
    plan, all_rows = named
    worked(small)
    exported = tmp_path / "cables.csv"
    with exported.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("ID", "Label", "Status"))
        rows.writerows((700 + n, row["label"], "planned") for n, row in enumerate(all_rows) if n != 1)
    count, left_out = netbox.write_changes(small.board, plan, tmp_path / "update.csv", ids=exported)
    assert (count, left_out) == (2, [2, 4])
    assert [(row["id"], row["status"]) for row in table(tmp_path / "update.csv")] == [("700", "connected"), ("702", "connected")]
    exported.write_text("id,label\n1;DROP,x\n")
    with pytest.raises(InputError, match="not a number"):
        netbox.write_changes(small.board, plan, tmp_path / "none.csv", ids=exported)
    assert not (tmp_path / "none.csv").exists()


# -- JSON lines, CSV ------------------------------------------------------------------------------


def test_a_journal_is_rebuilt_from_its_lines(floor, tmp_path):
    worked(floor)
    path = tmp_path / "site.jsonl"
    count = files.write_lines(floor.journal, path)
    with Journal(tmp_path / "again.db") as again:
        assert files.read_lines(again, path)[1:] == (count, 0, ())
        assert [event for _, event in again.events()] == [event for _, event in floor.journal.events()]
        assert again.registers() == floor.journal.registers()
        assert again.conflicts() == floor.journal.conflicts()
        assert Board(again, floor.site).statuses == floor.board.statuses
        assert files.read_lines(again, path)[1:3] == (0, count)


def test_two_journals_merge_to_one_state_in_either_order(tmp_path):
    made = []
    for name in "xy":
        with Journal(tmp_path / f"{name}.db") as journal:
            floor = Floor(journal, site_of(), clock=0 if name == "x" else 30_000_000)
            for number in (1, 2, 3):
                floor.does(number, "tested", random.Random(f"{name}{number}").choice(["pass", "fail"]), crew=f"crew {name}")
            files.write_lines(journal, tmp_path / f"{name}.jsonl")
    for order in ("xy", "yx"):
        with Journal(tmp_path / f"{order}.db") as journal:
            for name in order:
                files.read_lines(journal, tmp_path / f"{name}.jsonl")
            made.append((state_of(journal), journal.conflicts()))
    assert made[0] == made[1]


def test_no_cell_of_the_csv_is_a_formula(floor, tmp_path):
    floor.does(1, "remark", "=cmd|' /C calc'!A0")
    floor.does(1, "blocked", "@SUM(1)", "a")
    files.write_csv(floor.journal, tmp_path / "site.csv")
    terminal.write_remaining(floor.board, tmp_path / "left.csv")
    rows = table(tmp_path / "site.csv")
    assert [row["value"][:2] for row in rows] == ["'=", "'@"]
    assert [row["crew"] for row in rows] == ["crew 1"] * 2
    left = table(tmp_path / "left.csv")
    assert [row["cable"] for row in left] == ["1", "2", "3", "4"]
    assert left[0]["blocked"] == "'@SUM(1)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 3000, "not JSON"),
        ("[]", "not an object"),
        ('{"type": "secret"}', "no type"),
        ('{"type": "plan", "id": "../x", "received": 1, "name": ""}', "revision"),
        ('{"type": "plan", "id": 7, "received": 1, "name": ""}', "not text"),
        ('{"type": "cable", "plan": "0123456789abcdef"}', "target is not text"),
        ('{"type": "event", "crew": "x"}', "received is not a clock"),
        ('{"type": "event", "crew": "", "received": 1}', "crew"),
        ('{"type": "event", "crew": "x", "received": 1, "id": "1"}', "UUID"),
        ('{"type": "event", "crew": "x", "received": 9007199254740991}', "later than now"),
        ("x" * 30_000, "bytes in a line"),
    ],
)
def test_lines_of_strangers_are_refused_as_a_whole(floor, tmp_path, line, message):
    floor.does(1, "pulled", "yes")
    path = tmp_path / "site.jsonl"
    files.write_lines(floor.journal, path)
    path.write_text(path.read_text() + line + "\n")
    with Journal(tmp_path / "again.db") as again:
        with pytest.raises(InputError, match=message):
            files.read_lines(again, path)
        assert list(again.events()) == []


def test_events_of_an_unknown_plan_are_refused(floor, tmp_path):
    floor.does(1, "pulled", "yes")
    path = tmp_path / "site.jsonl"
    files.write_lines(floor.journal, path)
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if json.loads(line)["type"] == "event"))
    with Journal(tmp_path / "again.db") as again, pytest.raises(InputError, match="is the plan of events"):
        files.read_lines(again, path)


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_damaged_lines_are_one_clear_error_or_data(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("damaged")
    with Journal(folder / "site.db") as journal:
        floor = Floor(journal, site_of())
        floor.does(1, "remark", "x")
        path = folder / "site.jsonl"
        files.write_lines(journal, path)
    draw = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 4)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    path.write_bytes(content)
    with Journal(folder / "again.db") as again:
        try:
            receipt = files.read_lines(again, path)
        except InputError:
            assert list(again.events()) == []
        else:
            assert receipt.new + receipt.known + len(receipt.refused) <= 1


# -- figures --------------------------------------------------------------------------------------


def test_figures_of_miswires_count_each_cable_once(floor):
    floor.does(1, "plugged", "R2 9", "b", crew="red")
    floor.does(1, "plugged", "R2 8", "b", crew="red")
    for end in "ab":
        floor.does(1, "plugged", "as planned", end, crew="red")
        floor.does(2, "plugged", "as planned", end, crew="blue")
        floor.does(3, "plugged", "as planned", end, crew="blue")
    for number, state in ((1, "up"), (2, "wrong"), (3, "up")):
        record(floor.board, [Value(key(ROWS[number - 1]), "", "link", state)], crew="fabric", phone="scan-1")
    found = dict(miswires.statistics(floor.board))
    assert found["cables"] == "4"
    assert found["cables with all plugs in"] == "3"
    assert found["miswired"] == "2, 666.7 per 1,000"
    assert found["miswired, recorded by crews"] == found["miswired, found by scans"] == "1, 333.3 per 1,000"
    assert found["still wrong"] == "1, 333.3 per 1,000"
    assert (found["miswired, crew red"], found["miswired, crew blue"]) == ("1 of 1", "1 of 2")


# -- copies ---------------------------------------------------------------------------------------


def test_copies_are_complete_and_the_oldest_go(floor, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "site-20260101T000000000000Z.partial").write_bytes(b"of a process that was killed")
    made = []
    for number in (1, 2, 3):
        floor.does(number, "pulled", "yes")
        made.append(backup.backup(floor.journal, folder, keep=2))
    assert backup.copies(floor.journal, folder) == made[1:] == sorted(folder.iterdir())
    with Journal(made[-1]) as copy:
        assert copy.registers() == floor.journal.registers()
        assert [event for _, event in copy.events()] == [event for _, event in floor.journal.events()]


def test_a_copy_is_due_when_something_is_new_and_time_has_passed(floor, tmp_path, monkeypatch):
    folder = tmp_path / "copies"
    assert backup.is_due(floor.journal, folder, 3600)
    made = backup.backup(floor.journal, folder)
    now = made.stat().st_mtime
    monkeypatch.setattr("time.time", lambda: now + 3601)
    assert not backup.is_due(floor.journal, folder, 3600)
    floor.does(1, "pulled", "yes")
    assert backup.is_due(floor.journal, folder, 3600)
    monkeypatch.setattr("time.time", lambda: now + 10)
    assert not backup.is_due(floor.journal, folder, 3600)


def filled_in(path, cells):
    """Write values into cells of a workbook: sheet, key column and its value, column, value."""
    opened = openpyxl.load_workbook(path)
    for sheet, (name, wanted), column, value in cells:
        page = opened[sheet]
        place = {cell.value: cell.column for cell in page[1]}
        line = next(row for row in range(3, page.max_row + 1) if page.cell(row, place[name]).value == wanted)
        page.cell(line, place[column]).value = value
    opened.save(path)
    return path


@pytest.mark.slow
def test_a_deviation_and_the_ticks_of_its_cable_both_survive(small, small_plan, tmp_path):
    """End B of cable 5 is in another port, and both ends are ticked in the list of work."""
    row = small.site.rows[4]
    used = {end.port for each in small.site.rows for end in each.ends if end.device == row.b.device}
    free = next(port for port in range(1, 17) if port not in used)
    ticks = [("work", ("cable", 5), name, True) for name in ("pulled", "plugged_a", "plugged_b", "tested")]
    cells = [("cables", ("cable", 5), "built_b_port", str(free)), *ticks]
    path = filled_in(formats.write(small_plan, tmp_path, "xlsx"), cells)
    receipt = book.read_workbook(small.board, path)
    assert not receipt.refused
    status = small.status(5)
    assert status.is_pulled
    assert status.value("tested") == "pass"
    assert [end.value for end in status.ends] == [AS_PLANNED, f"{row.b.device} {free}"]
    assert book.read_workbook(small.board, path).new == 0


@pytest.mark.slow
def test_ports_and_devices_that_the_plan_lacks_are_refused_together(small, small_plan, tmp_path):
    row = small.site.rows[4]
    cells = [
        ("cables", ("cable", 5), "built_a_port", "99"),
        ("cables", ("cable", 6), "built_b_device", "nowhere"),
        ("cables", ("cable", 7), "built_a_port", str(small.site.rows[6].a.port)),
    ]
    path = filled_in(formats.write(small_plan, tmp_path, "xlsx"), cells)
    with pytest.raises(InputError) as found:
        book.read_workbook(small.board, path)
    assert [problem.place for problem in found.value.problems] == [
        "sheet cables, cable 5, end A as built", "sheet cables, cable 6, end B as built"
    ]  # fmt: skip
    assert f"{row.a.device} has no port '99'" in str(found.value)
    assert small.status(5).ends == small.status(6).ends
