"""Files of a difference: JSON, workbook, PDF, page."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from shared import paper
from shared.odd_names import oddly_named
from shared.small_plans import make_plan

from planner import formats
from planner.core.spreadsheet import FORMULA
from planner.fabric.baseline import Planned
from planner.studies.diff import outputs
from planner.studies.diff.run import compared, comparison
from planner.view import schedule
from planner.view.schedule import KINDS

PROJECT = {"client": "University", "drawing": "N-12", "revision": "C"}


def planned(plan, name="plan"):
    return Planned(schedule.of_plan(plan), Path(name), plan)


@pytest.fixture(scope="module")
def found():
    """A Slim Fly whose first cable gets another port and whose last cable is longer; one device is elsewhere."""
    old = make_plan(q=5, endpoints_per_router=2, simulate=False)
    port, stock_mm, unit = old.cables.port.copy(), old.cables.stock_mm.copy(), old.placement.unit.copy()
    port[0, 0] = old.inventory.part_of(0).ports
    stock_mm[-1] += 1000
    # The two highest devices of the first cabinet exchange their places.
    one, other = (old.placement.cabinet == old.placement.cabinet[7]).nonzero()[0][:2]
    unit[[one, other]] = unit[[other, one]]
    cable_unit = unit[old.cables.device]
    new = replace(
        old, title="A changed network", study={**old.study, "project": PROJECT}, placement=replace(old.placement, unit=unit),
        cables=replace(old.cables, port=port, stock_mm=stock_mm, unit=cable_unit),
    )  # fmt: skip
    return comparison(planned(old, "old"), planned(new, "new"))


@pytest.fixture(scope="module")
def written(found, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    return {path.name: path for path in outputs.write(found, folder)}


@pytest.mark.slow
def test_equal_differences_give_equal_bytes(found, written, tmp_path):
    again = outputs.write(found, tmp_path)
    assert [path.name for path in again] == list(written)
    for path in again:
        assert path.read_bytes() == written[path.name].read_bytes(), path.name


def test_the_keys_of_the_json(found, written):
    content = json.loads(written["difference.json"].read_text())
    for name, which in (("devices", 0), ("cables", 1)):
        assert {kind: content[name][kind] for kind in KINDS} == {kind: found.found.count(kind)[which] for kind in KINDS}
        listed = [each["kind"] for each in content[name]["changes"]]
        assert {kind: listed.count(kind) for kind in KINDS if kind != "kept"} == {
            kind: content[name][kind] for kind in KINDS if kind != "kept"
        }
    assert content["devices"]["moved"] == 2
    assert content["reused_cables"] == len(content["reuse"]) == 1
    assert content["lower_bound"] == 0
    assert content["cost_cents"] == found.bill.cents
    replugged = next(each for each in content["cables"]["changes"] if each["kind"] == "replugged")
    assert (replugged["end"], replugged["old"]["cable"], replugged["new"]["cable"]) == ("a", 1, 1)
    assert replugged["new"]["a"]["port"] == 16
    docs = (Path(__file__).parents[2] / "docs" / "diff.md").read_text(encoding="utf-8")
    assert not [key for key in content if f"`{key}`" not in docs]
    assert not [name for name in written if f"`{name}`" not in docs]


def test_the_workbook_has_the_work_order_to_tick_off(found, written):
    book = openpyxl.load_workbook(written["difference.xlsx"])
    assert book.sheetnames == ["summary", "work order", "devices", "cables", "re-use", "bill", "left over"]
    rows = list(book["work order"].values)
    assert rows[0][-3:] == ("done", "by", "remark")
    assert len(rows) == 1 + len(found.actions)
    assert len(list(book["devices"].values)) == 1 + 2
    changed = sum(each.kind != "kept" for each in found.found.cables)
    assert len(list(book["cables"].values)) == 1 + changed


def test_the_sheets_have_both_floors_and_the_work_order(written):
    made = paper.read(written["difference.pdf"])
    assert made.faults == ()
    text = " ".join(" ".join(made.pages).split())
    for words in ("Difference of two plans", "Bill of the change", "Before the change", "After the change", "Work order",
                  "1 re-plugged", "2 devices moved", "Sign-off", "Plugs that go to another port"):  # fmt: skip
        assert words in text, words
    for number, page in enumerate(made.pages, 1):
        assert f"page {number} of {len(made.pages)}" in page
        assert re.search(r"drawing\s+N-12", page)


def test_the_page_has_both_floors_and_loads_nothing(written):
    text = written["difference.html"].read_text()
    assert text.count("<svg ") == 2
    assert "After the change: A changed network" in text
    addresses = {address for address in re.findall(r"https?://[^\s\"'<>]+", text)}
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_no_difference_is_said(found, tmp_path):
    same = comparison(found.old, found.old)
    paths = {path.name: path for path in outputs.write(same, tmp_path)}
    assert "no difference" in " ".join(paper.read(paths["difference.pdf"]).pages)
    assert "The plans do not differ." in paths["difference.html"].read_text()
    assert "no difference" in "\n".join(outputs.lines(same))


@pytest.mark.slow
def test_schedules_have_all_outputs_but_floors(found, tmp_path):
    csv = [formats.write(each.plan, tmp_path / name, "csv") for each, name in ((found.old, "a"), (found.new, "b"))]
    book = formats.write(found.new.plan, tmp_path, "xlsx")
    for new in (csv[1], book):
        same = compared(csv[0], new)
        assert [same.found.count(kind) for kind in KINDS] == [found.found.count(kind) for kind in KINDS]
        paths = {path.name: path for path in outputs.write(same, tmp_path / "out")}
        text = paths["difference.html"].read_text()
        assert "Schedules have no floor" in text
        assert "<svg" not in text
        assert json.loads(paths["difference.json"].read_text())["cost_cents"] is None


HOSTILE = '=HYPERLINK("http://x")'


def test_names_of_strangers_are_text_everywhere(found, tmp_path):
    def renamed(given, mark):
        rows = [
            each._replace(
                a=each.a._replace(device=HOSTILE if each.a.device == "R000" else each.a.device, label=f"{HOSTILE}{mark}"),
                b=each.b._replace(cabinet="<script>alert(1)</script>\x1b[2J"), part="@SUM(A1)",
            )
            for each in given.rows[:40]
        ]  # fmt: skip
        return Planned(rows, Path("=x"))

    hostile = comparison(renamed(found.old, ""), renamed(found.new, "2"))
    assert hostile.actions
    paths = {path.name: path for path in outputs.write(hostile, tmp_path)}
    book = openpyxl.load_workbook(paths["difference.xlsx"])
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert any(HOSTILE in cell.value for cell in cells)
    assert not [cell.value for cell in cells if cell.data_type == "f" or cell.value[:1] in FORMULA]
    with zipfile.ZipFile(paths["difference.xlsx"]) as archive:
        assert not [name for name in archive.namelist() if "externalLink" in name]
    text = paths["difference.html"].read_text()
    assert "<script>alert" not in text
    assert "\x1b" not in text
    assert "\x1b" not in "\n".join(outputs.lines(hostile))
    assert paper.read(paths["difference.pdf"]).pages


@pytest.mark.slow
def test_odd_names_of_a_room(tmp_path):
    old = make_plan(q=3, endpoints_per_router=2, simulate=False, change_room=oddly_named)
    new = make_plan(q=5, endpoints_per_router=2, simulate=False, change_room=oddly_named)
    paths = {path.name: path for path in outputs.write(comparison(planned(old), planned(new)), tmp_path)}
    assert paper.read(paths["difference.pdf"]).pages
    assert "&lt;b&gt;&amp;amp;" in paths["difference.html"].read_text()
