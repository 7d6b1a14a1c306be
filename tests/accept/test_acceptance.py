"""Acceptance reports: what is open, the cabling record, files, the command."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from shared.built_fabrics import DATA, PLAN

from planner.commands.console import cli
from planner.core.errors import InputError
from planner.domain.model import Plan
from planner.fabric import accept
from planner.fabric.accept.outputs import tables
from planner.fabric.baseline import Planned
from planner.fabric.verify.found import Errors
from planner.fabric.verify.parts import Limits, rows_of
from planner.fabric.verify.result import Finding, Identity, PartReading, Plugged, Source, Verification
from planner.formats import workbook, xlsx
from planner.view import schedule


@pytest.fixture(scope="module")
def built(small_plan) -> Planned:
    return Planned(schedule.of_plan(small_plan), Path("small"), small_plan)


def right(planned: Planned, **changes) -> Verification:
    """A verification that found every link in its ports, with changes."""
    count = len(planned.rows)
    found = Verification(planned.rows, count, count, [], [], [], [], [], [], [], Identity({}), [])
    return replace(found, **changes)


def link(planned: Planned, number: int) -> tuple[Plugged, Plugged]:
    row = planned.rows[number - 1]
    a, b = sorted(Plugged(end.device, end.port) for end in row.ends)
    return a, b


# -- what is open -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_network_as_planned_is_accepted(built):
    report = accept.accepted(built, right(built))
    assert report.accepted
    assert {record.state for record in report.cables} == {"right"}
    assert report.loss is None
    assert report.ber == []


def test_every_finding_and_every_unknown_link_is_open(built):
    finding = Finding("missing", "No link.", link(built, 3), (3,))
    verification = right(built, dark=[link(built, 3)], unknown=[link(built, 5), link(built, 4)], findings=[finding])
    report = accept.accepted(built, verification)
    assert [(point.kind, point.cables) for point in report.open] == [("missing", (3,)), ("unknown", (4, 5))]
    assert [record.state for record in report.cables[:6]] == ["right", "right", "dark", "unknown", "unknown", "right"]


def test_a_wrong_link_takes_the_ports_of_two_planned_ones(built):
    crossed = [tuple(sorted((link(built, 1)[0], link(built, 2)[1])))]
    states = [record.state for record in accept.accepted(built, right(built, wrong=crossed)).cables]
    assert states == ["wrong", "wrong", *["right"] * (len(states) - 2)]


def test_measured_loss_is_open_where_it_fails_or_is_missing(built):
    rows = rows_of(built.plan)
    fibers = [row._replace(part="om4-mpo12-upc", end_parts=("100g-sr4-transceiver",) * 2) for row in built.rows[:3]]
    built = Planned(fibers, built.path)
    values = [(2, 1, "1", 0.3), (3, 2, "2", 9.0), (4, 2, "2", -0.2), (5, 0, "X", 1.0)]
    tests = [accept.LossTest(*value) for value in values]
    report = accept.accepted(built, right(built), loss=tests, rows=rows)
    assert [point.text for point in report.open] == [
        "the measured loss of cable 2 is 9 dB, above its limit of 1.9 dB by the modules",
        "the measured loss of cable 2 is negative: -0.2 dB; the reference was set wrongly: set it again and repeat the test",
        "line 5 measures 'X', which the plan does not have",
        "1 connections of modules and fiber have no measured loss",
    ]
    assert report.unmeasured == [3]


def test_error_ratios_are_judged_by_the_limit_of_the_acceptance(built):
    """The finding of the verification has another limit, and is not repeated."""
    port, other = link(built, 1)
    errors = {port: Errors(symbol_ber=1e-13, minutes=1e6), other: Errors(symbol_ber=0.0, minutes=0.1)}
    high = Finding("high BER", "too high", (port,), (1,))
    verification = right(built, errors=errors, findings=[high])
    kinds = {1e-12: ["BER time"], 1e-14: ["high BER", "BER time"], 1e-9: []}
    for limit, expected in kinds.items():
        report = accept.accepted(built, verification, limits=Limits.usual(symbol_ber=limit))
        assert [point.kind for point in report.open] == expected, limit


# -- cabling record -----------------------------------------------------------------------------------


def noted(plan: Plan, folder: Path, cells: dict[str, dict[int, dict[str, object]]]) -> workbook.Workbook:
    """The workbook of a plan, filled in by the crew: values by sheet, cable and column."""
    path = folder / "noted.xlsx"
    xlsx.write(plan, path)
    book = openpyxl.load_workbook(path)
    for sheet, rows in cells.items():
        page = book[sheet]
        place = {cell.value: cell.column for cell in page[1]}
        line_of = {page.cell(line, place["cable"]).value: line for line in range(3, page.max_row + 1)}
        for cable, values in rows.items():
            for name, value in values.items():
                page.cell(line_of[cable], place[name]).value = value
    book.save(path)
    return workbook.read(path)


@pytest.mark.slow
def test_the_record_has_what_the_crew_wrote_and_the_plugs_state(built, tmp_path):
    cells = {
        "cables": {
            1: {"installed": "yes", "installer": "zk", "installed_on": "2026-05-31", "remark": "tight"},
            2: {"built_a_port": "99"},
        },
        "work": {3: {"plugged_b": "yes", "initials": "am", "tested": "yes"}},
    }
    row = built.rows[0]
    part = PartReading(1, row.part, row.stock_mm, ("PN1", "PN1"), ("S1", "S1"), (2.0, 2.0), "wrong length", "30 AWG")
    report = accept.accepted(built, right(built, parts=[part]), workbook=noted(built.plan, tmp_path, cells))
    lines = [dict(zip(tables.RECORD, line, strict=True)) for line in tables.cabling(report).rows]
    names = ("ends confirmed", "by", "on", "tested", "read A", "serial B", "deviations", "remark")
    assert {name: lines[0][name] for name in names} == {
        "ends confirmed": "A and B", "by": "zk", "on": "2026-05-31", "tested": "", "read A": "PN1", "serial B": "S1",
        "deviations": "wrong length", "remark": "30 AWG; tight",
    }  # fmt: skip
    assert lines[1]["deviations"] == f"port A 99 instead of {built.rows[1].a.printed}"
    assert (lines[2]["ends confirmed"], lines[2]["by"], lines[2]["tested"]) == ("B", "am", "yes")
    assert [lines[3][name] for name in ("ends confirmed", "by", "on", "tested", "deviations", "remark")] == [""] * 6
    assert dict(report.statistics)["confirmed by the crew"].startswith("1 (")


@pytest.mark.slow
def test_the_workbook_of_another_plan_is_refused(built, tmp_path):
    other = noted(replace(built.plan, provenance={"plan": "abc"}), tmp_path, {})
    with pytest.raises(InputError, match="is that of the plan abc"):
        accept.accepted(built, right(built), workbook=other)
    alone = Planned(built.rows, Path("small.csv"))
    assert accept.accepted(alone, right(alone), workbook=other).fingerprint == "abc"
    first = built.rows[0]._replace(a=built.rows[0].a._replace(label="X"))
    changed = Planned([first, *built.rows[1:]], Path("small.csv"))
    with pytest.raises(InputError, match=r"labels cable 1 .*; the plan has X and"):
        accept.accepted(changed, right(changed), workbook=other)


# -- files --------------------------------------------------------------------------------------------


def test_files_bear_the_formats_and_times_that_were_read(tmp_path):
    path, folder = tmp_path / "scan.tar.gz", tmp_path / "lldp"
    path.write_bytes(b"scan")
    folder.mkdir()
    sources = [
        Source(f"{path}:a.txt", "ibnetdiscover", "2026-11-22T14:00:00"),
        Source(f"{path}:b.txt", "iblinkinfo", "2026-11-22T14:05:00"),
        Source(f"{folder}/R1.json", "lldpcli_json0"),
    ]
    archive, files = accept.scan_files([path, folder], sources)
    assert (archive.name, archive.tool) == ("scan.tar.gz", "iblinkinfo, ibnetdiscover")
    assert archive.time == "2026-11-22T14:00:00 to 2026-11-22T14:05:00"
    assert archive.sha256 == hashlib.sha256(b"scan").hexdigest()
    assert (files.tool, files.time, files.sha256) == ("lldpcli_json0", "", "")


def full(built: Planned) -> accept.Acceptance:
    """A report with every kind of page: open points, moves, loss, error ratios."""
    rows = [row._replace(part="om4-mpo12-upc", end_parts=("100g-sr4-transceiver",) * 2) for row in built.rows]
    planned = Planned(rows, Path("small.csv"))
    port, _ = link(planned, 1)
    verification = right(
        planned, errors={port: Errors(symbol_ber=1e-9, minutes=5.0)}, findings=[Finding("extra", "=One too many.")]
    )
    return accept.accepted(planned, verification, loss=[accept.LossTest(2, 1, "1", 9.0, 850.0, operator="=1+1")])


@pytest.mark.slow
def test_equal_reports_give_equal_bytes(built, tmp_path):
    report = full(built)
    plan = accept.plan_of(report, Planned([], Path("small.csv")))
    one, two = (accept.write(report, tmp_path / name, plan) for name in ("one", "two"))
    assert [path.name for path in one] == ["acceptance.pdf", "acceptance.xlsx", "acceptance.json"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


@pytest.mark.slow
def test_json_and_workbook_state_the_same(built, tmp_path):
    report = full(built)
    plan = accept.plan_of(report, Planned([], Path("small.csv")))
    _, sheet, file = accept.write(report, tmp_path, plan)
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["accepted"] is False
    assert [point["kind"] for point in found["open"]] == ["extra", "optical loss", "optical loss", "high BER"]
    assert len(found["cables"]) == found["fabric"]["planned"] == len(built.rows)
    assert (found["loss"][0]["verdict"], found["loss"][0]["allowed_db"], found["ber"][0]["verdict"]) == (
        "above the limit",
        1.9,
        "above",
    )
    book = openpyxl.load_workbook(sheet)
    assert book.sheetnames == ["summary", "open points", "cabling record", "moves", "optical loss", "bit errors", "scans"]
    assert book["cabling record"].max_row == len(built.rows) + 1
    # Text is never a formula.
    assert book["open points"]["C2"].value == "'=One too many."
    operator = next(cell.column for cell in book["optical loss"][1] if cell.value == "operator")
    assert book["optical loss"].cell(2, operator).value == "'=1+1"


# -- command ------------------------------------------------------------------------------------------


def run(capsys, *words) -> tuple[int, str, str]:
    code = cli.main(["accept", *map(str, words), "--quiet"])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.slow
def test_the_command_accepts_a_network_as_planned(capsys, tmp_path):
    code, out, _ = run(capsys, PLAN, DATA / "sf-clean" / "ibdiagnet2.db_csv", "--out", tmp_path)
    assert code == 0
    assert "accepted: 0 open points" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["acceptance.json", "acceptance.pdf", "acceptance.xlsx"]


@pytest.mark.slow
def test_the_command_lists_what_is_open(capsys):
    code, out, _ = run(capsys, PLAN, DATA / "sf-mixed" / "ibdiagnet2.db_csv", "--json")
    answer = json.loads((DATA / "sf-mixed" / "answer.json").read_text(encoding="utf-8"))
    found = json.loads(out)
    assert code == 1
    counts = found["fabric"]
    assert (counts["planned"], counts["found"], counts["right"]) == (answer["planned"], answer["found"], answer["right"])
    assert (counts["wrong"], counts["dark"], counts["moves"]) == (
        len(answer["wrong"]),
        len(answer["dark"]),
        answer["min_plug_moves"],
    )
    states = [cable["state"] for cable in found["cables"]]
    assert (states.count("right"), states.count("dark")) == (answer["right"], len(answer["dark"]))
    wrong = {cable["cable"] for cable in found["cables"] if cable["read"] and cable["read"]["verdict"] != "ok"}
    assert wrong == set(map(int, answer["part_of_cable"]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--columns", "loss_db=X"], "there are no measurements"),
        (["--loss", "{loss}", "--columns", "x=y"], "there is no column 'x'"),
        (["--loss", "{loss}"], "no column is the loss"),
        (["--loss", "nowhere.csv"], "nowhere.csv"),
        (["--workbook", "{loss}"], "is not a workbook"),
        (["--stage", "nowhere"], "is not in the schedule"),
    ],
)
def test_wrong_input_is_one_clear_error(capsys, tmp_path, words, message):
    loss = tmp_path / "loss.csv"
    loss.write_text("a,b\n1,2\n")
    out = tmp_path / "out"
    words = [word.format(loss=loss) for word in words]
    code, _, err = run(capsys, PLAN, DATA / "sf-clean" / "ibdiagnet2.db_csv", *words, "--out", out)
    assert code == 2
    assert message in err
    assert not re.search("Traceback|bug", err)
    assert not out.exists()


@pytest.mark.slow
def test_error_ratios_of_files_are_in_the_report(capsys, tmp_path):
    """mlxlink writes 15E-255 for a ratio of zero; 12 hours show 1e-15 at 100 Gb/s, 2 hours do not."""
    for port, minutes in ((1, 720), (2, 120)):
        counters = {"Time Since Last Clear [Min]": f"{minutes}.0", "Effective Physical BER": "15E-255", "Symbol BER": "15E-255"}
        output = {"Operational Info": {"State": "Active"}, "Physical Counters and BER Info": counters}
        (tmp_path / f"R001-{port}.json").write_text(json.dumps({"status": {"code": 0}, "result": {"output": output}}))
    code, out, _ = run(capsys, PLAN, DATA / "sf-clean" / "ibdiagnet2.db_csv", tmp_path, "--ber", "1e-15", "--json")
    found = json.loads(out)
    assert code == 1
    assert [point["kind"] for point in found["open"]] == ["BER time"]
    assert [(each["port"], each["verdict"], round(each["needed"])) for each in found["ber"]] == [
        (["R001", 1], "shown", 499),
        (["R001", 2], "too short", 499),
    ]
