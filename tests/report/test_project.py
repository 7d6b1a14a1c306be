"""Title block, sheet index, sign-off, and the list of changes since an older plan."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from shared.paper import printed
from shared.small_plans import make_plan

from planner import formats
from planner.core.errors import InputError
from planner.formats import pdf
from planner.studies import study
from planner.view import schedule
from planner.view.schedule import Connection, End

PROJECT = {
    "client": "University of Anywhere", "project": "Extension 2", "site": "Room 0.12", "drawing": "N-0012", "revision": "B",
    "date": "2026-11-23", "drawn": "A. Adams", "checked": "B. Brown", "approved": "C. Clark", "signers": ["client: D. Dean"],
    "revisions": [{"revision": "A", "date": "2026-10-01", "text": "First issue", "approved": "C. Clark"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def plan():
    """A small Slim Fly with a project."""
    made = make_plan(q=3, endpoints_per_router=2, simulate=False)
    return replace(made, study={**made.study, "project": PROJECT})


@pytest.fixture(scope="module")
def paper(plan, tmp_path_factory):
    return printed(plan, tmp_path_factory.mktemp("paper"))


@pytest.mark.slow
def test_every_sheet_has_the_title_block(paper):
    assert paper.faults == ()
    for number, text in enumerate(paper.pages, 1):
        for name in ("client", "project", "site", "drawing", "revision", "date", "drawn", "checked", "approved"):
            assert re.search(rf"{name}\s+{re.escape(PROJECT[name])}", text), (number, name)
        assert f"page {number} of {len(paper.pages)}" in text
        assert "0123456789abcdef" in text


@pytest.mark.slow
def test_the_sheet_index_lists_every_sheet_once(paper):
    listed: list[int] = []
    index = paper.chapter("Contents").split("read down the columns.")[1]
    kinds = "title|text|drawing|table|figures|schedule|index"
    for first, last in re.findall(rf"(?:^|(?:{kinds}) )(\d+)(?:–(\d+))? (?=.*?(?:{kinds}))", index, re.MULTILINE):
        listed += range(int(first), int(last or first) + 1)
    assert sorted(listed) == [*range(1, len(paper.pages) + 1)]
    assert "Floor plan: Laboratory" in index
    assert {"title", "drawing", "table", "schedule", "index"} <= set(index.split())


def test_the_sign_off_sheet_has_roles_names_and_history(paper):
    text = paper.chapter("Revision and sign-off")
    for word in ("drawn", "A. Adams", "checked", "B. Brown", "approved", "C. Clark", "client", "D. Dean", "signature"):
        assert word in text
    assert re.search(r"A\s+2026-10-01\s+First issue\s+C\. Clark", text)


@pytest.mark.slow
def test_sheets_with_a_title_block_are_the_same_bytes(plan, tmp_path):
    pdf.write(plan, tmp_path / "one.pdf")
    pdf.write(plan, tmp_path / "two.pdf")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    assert b"/CreationDate (D:20000101" in (tmp_path / "one.pdf").read_bytes()


def test_wrong_facts_are_reported_together():
    given = {"date": "2026-13-01", "drawn": "x" * 81, "signs": "nobody", "revisions": [{"revision": "A"}, {"revision": ""}]}
    with pytest.raises(InputError) as caught:
        study.check({"topology": {"family": "slimfly", "q": 5}, "project": given})
    found = {problem.place for problem in caught.value.problems}
    assert {"project.date", "project.drawn", "project.signs", "project.revisions.1.revision"} <= found
    with pytest.raises(InputError, match=r"project\.revisions\.1\.revision: there are two revisions 'A'"):
        study.check({"topology": {"family": "slimfly", "q": 5}, "project": {"revisions": [{"revision": "A"}] * 2}})


@pytest.mark.slow
def test_floor_drawings_have_the_facts(plan, tmp_path):
    svg = formats.write(plan, tmp_path, "svg_floor").read_text(encoding="utf-8")
    dxf = formats.write(plan, tmp_path, "dxf_floor").read_text(encoding="utf-8")
    for name in ("client", "project", "site", "drawing", "revision", "date", "drawn", "checked", "approved"):
        assert f"{name} {PROJECT[name]}" in svg
        assert f"{name} {PROJECT[name]}" in dxf


# -- changes ------------------------------------------------------------------------------------


def row(number, a, b, *, part="dac", stock_mm=3000, trays="", places=(("A01", 1), ("A01", 2))):
    ends = (End(device, port, str(port), *place) for (device, port), place in zip((a, b), places, strict=True))
    return Connection(number, number, "", "link", *ends, part, ("", ""), "copper", stock_mm, stock_mm - 100, trays, "", "")


def test_changes_by_hand():
    old = [
        row(1, ("R1", 1), ("R2", 1)),
        row(2, ("R1", 2), ("R3", 1)),
        row(3, ("R1", 3), ("R4", 1), trays="row A > row B"),
        row(4, ("R5", 1), ("R6", 1)),
        row(5, ("R7", 1), ("R8", 1)),
        row(6, ("R7", 2), ("R8", 2), trays="row A > row B"),
    ]
    new = [
        row(1, ("R2", 1), ("R1", 1)),
        row(2, ("R1", 4), ("R3", 1)),
        row(3, ("R1", 3), ("R4", 1), trays="row A > row C", stock_mm=5000),
        row(4, ("R5", 1), ("R9", 1)),
        row(5, ("RA", 1), ("RB", 1)),
        row(6, ("R8", 2), ("R7", 2), trays="row B > row A", part="aoc"),
    ]
    found = schedule.changes(schedule.difference(old, new))
    assert [(each.kind, each.old and each.old.number, each.new and each.new.number) for each in found] == [
        ("added", None, 5),
        ("removed", 5, None),
        ("re-plugged", 2, 2),
        ("re-plugged", 4, 4),
        ("other part", 6, 6),
        ("other length", 3, 3),
    ]
    assert found[2].what == "A01 U1, R1 2 → A01 U1, R1 4"
    assert found[3].what == "A01 U2, R6 1 → A01 U2, R9 1"
    assert found[4].what == "dac → aoc"
    assert found[5].what == "stock 3 m → 5 m; row A > row B → row A > row C".replace(" m", "\u00a0m")


def test_devices_that_move_are_listed_and_cables_that_follow_them_are_not():
    old = [row(1, ("R1", 1), ("R2", 1)), row(2, ("R1", 2), ("R3", 1))]
    moved = (("A07", 9), ("A01", 2))
    new = [row(1, ("R1", 1), ("R2", 1), places=moved), row(2, ("R1", 2), ("R3", 1), places=moved)]
    found = schedule.difference(old, new)
    moved = [each for each in found.devices if each.kind == schedule.MOVED]
    assert moved == [("moved", "R1", "R1", "A01 U1", "A07 U9")]
    assert schedule.changes(found) == []


def test_a_schedule_read_back_is_that_of_the_plan(plan, tmp_path):
    own = schedule.of_plan(plan)
    assert len(own) == plan.cables.cable_count
    assert schedule.read(formats.write(plan, tmp_path, "csv")) == own
    assert schedule.difference(own, own).is_empty


@pytest.mark.slow
def test_changes_are_printed_with_both_schedules(plan, tmp_path):
    older = formats.write(plan, tmp_path, "csv")
    cables = plan.cables
    # The first cable gets a port that was free, the last a longer stock length.
    port, stock_mm = cables.port.copy(), cables.stock_mm.copy()
    port[0, 0] = plan.inventory.part_of(0).ports
    stock_mm[-1] += 1000
    changed = replace(plan, cables=replace(cables, port=port, stock_mm=stock_mm))
    text = " ".join(printed(changed, tmp_path, since=older).chapter("Revision and sign-off").split())
    assert "0 devices moved; 2 cables changed: 1 re-plugged, 1 other length." in text
    before, after = (f"{stock_mm[-1] / 1000 - less:g} m" for less in (1, 0))
    assert f"stock {before} → {after}" in text
    assert (tmp_path / f"small.since-{older.name.replace('.csv', '')}.csv.pdf").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "has no column cable, a_unit"),
        ("", "has no column cable"),
        ("{header}\nx,1,1,1,1,1,1,A,R,B,S,p,t\n", "column cable: 'x' is not a whole number from 0"),
        ("{header}\n1,1,1,1,1,9999999999999999999999,1,A,R,B,S,p,t\n", "column stock_mm: '9+' is not a whole number from 0"),
        ("{header}\n1,1,1,1,1,-5,1,A,R,B,S,p,t\n", "column stock_mm: '-5' is not a whole number from 0"),
        ("{header}\n1,1,1,1,1,5,1,A,R,B,S,p,t,more\n", "has 14 cells for 13 columns"),
        ('{header}\n1,"unclosed\n', "is not"),
    ],
)
def test_files_that_are_no_schedule_are_refused(content, message, tmp_path):
    header = "cable,a_unit,a_port,b_unit,b_port,stock_mm,run_mm,a_cabinet,a_device,b_cabinet,b_device,part,trays"
    (tmp_path / "old.csv").write_text(content.format(header=header))
    with pytest.raises(InputError, match=message):
        formats.examine_older_plan(tmp_path / "old.csv")


def test_folders_without_a_plan_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"contains no finished plan: room\.npz, inventory\.npz"):
        formats.examine_older_plan(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        formats.examine_older_plan(Path(tmp_path) / "nowhere")


@pytest.mark.slow
def test_plans_without_a_project_have_no_title_block(tmp_path):
    paper = printed(make_plan(family="torus", sizes=(2,), simulate=False), tmp_path)
    assert "drawn" not in paper.pages[0]
    assert "Revision and sign-off" not in paper.chapters
    assert np.all([f"page {number} of" in text for number, text in enumerate(paper.pages, 1)])
