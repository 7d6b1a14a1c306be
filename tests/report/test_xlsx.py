"""The spreadsheet, read back."""

from __future__ import annotations

from dataclasses import replace

import openpyxl
import pytest
from small_plans import lonely, make_plan

from planner.model import Plan, Violation, Violations
from planner.report import write, xlsx
from planner.report._schedule import COLUMNS, schedule


@pytest.fixture(scope="module")
def book(plan, tmp_path_factory):
    return openpyxl.load_workbook(write(plan, tmp_path_factory.mktemp("book"), "xlsx"))


def rows(sheet) -> list[tuple]:
    """The rows below the header, empty cells as empty text."""
    return [tuple("" if cell is None else cell for cell in row) for row in sheet.iter_rows(min_row=2, values_only=True)]


def test_one_row_per_cable_with_the_schedule_s_values(plan, book):
    sheet = book["cables"]
    header = [cell.value for cell in sheet[1]]
    assert header == [*COLUMNS, "installed"]
    found = [row[: len(COLUMNS)] for row in rows(sheet)]
    assert len(found) == plan.cables.cable_count
    assert found == list(schedule(plan))


def test_columns_agree_with_the_records(plan, book):
    header = [cell.value for cell in book["cables"][1]]
    column = {name: [row[place] for row in rows(book["cables"])] for place, name in enumerate(header)}
    assert column["run_mm"] == plan.cables.run_mm.tolist()
    assert column["stock_mm"] == plan.cables.stock_mm.tolist()
    assert column["label_b"] == plan.cables.label_b.tolist()
    assert {name for name in column["end_part_b"] if name} == {"module"}
    assert set(column["installed"]) == {""}


def test_every_sheet_has_a_frozen_header_and_a_filter(book):
    assert book.sheetnames == ["cables", "cabinets", "bill", "quantities", "violations", "assumptions"]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions


def test_figures_are_those_of_the_plan(plan, book):
    assert {name: (value, unit) for name, value, unit in rows(book["quantities"])} == {
        name: (entry["value"], entry["unit"]) for name, entry in plan.quantities.items()
    }
    total = rows(book["bill"])[-1]
    assert total[0] == "total"
    assert total[5] == plan.quantities["cost_cents"]["value"] == sum(row[5] for row in rows(book["bill"])[:-1])
    cabinets = rows(book["cabinets"])
    assert len(cabinets) == plan.placement.cabinet_count
    assert sum(row[2] for row in cabinets) == plan.topology.router_count
    assert sum(row[6] for row in cabinets) == plan.cables.cable_count
    used = (*plan.catalog.rows, *plan.room.sources, *plan.bill.rows)
    assert {row[0] for row in rows(book["assumptions"])} == {row.id for row in used}


def test_violations_are_listed_and_text_stays_text(plan, tmp_path):
    item = Violation("labels_unique", "=1+1", 2.5, 1.0, "cable ends", "error", "http://example.org")
    broken = replace(plan, violations=Violations(("labels_unique",), (item,)))
    book = openpyxl.load_workbook(write(broken, tmp_path, "xlsx"))
    cells = book["violations"][2]
    assert [cell.value for cell in cells] == ["error", "labels_unique", "=1+1", 2.5, 1.0, "cable ends", "http://example.org"]
    assert cells[2].data_type == "s"
    assert cells[6].hyperlink is None


def test_two_writes_are_the_same_bytes(plan, tmp_path):
    xlsx.write(plan, tmp_path / "one.xlsx")
    xlsx.write(plan, tmp_path / "two.xlsx")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


@pytest.mark.parametrize("plan", [Plan("bare", "", {}), make_plan(simulate=False, network=lonely())], ids=["bare", "lonely"])
def test_plans_without_cables_are_written(plan, tmp_path):
    book = openpyxl.load_workbook(write(plan, tmp_path, "xlsx"))
    assert rows(book["cables"]) == []
    assert len(rows(book["quantities"])) == len(plan.quantities)
