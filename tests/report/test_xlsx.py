"""The spreadsheet, read back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import openpyxl
import pytest
import xlsxwriter
from shared.plain_schedule import COLUMNS, schedule
from shared.small_plans import lonely, make_plan

from planner.core.units import metric
from planner.domain.model import Plan, Violation, Violations
from planner.formats import write, xlsx
from planner.view.rows import sheets
from planner.view.selection import WHOLE
from planner.view.tables import EVERY, TABLES


@pytest.fixture(scope="module")
def book(plan, tmp_path_factory):
    return openpyxl.load_workbook(write(plan, tmp_path_factory.mktemp("book"), "xlsx"))


SAME = ("label_a", "label_b", "a_cabinet", "a_unit", "a_device", "b_cabinet", "b_device", "part", "stock_mm", "trays", "stage")


def rows(sheet) -> list[tuple]:
    """The rows below the two headers in the units of the plan, empty cells as empty text."""
    divisors = [column.divisor for column in TABLES[sheet.title].on("file")]

    def value(cell, divisor):
        return "" if cell is None else cell if divisor == 1 else round(cell * divisor)

    return [tuple(map(value, row, divisors)) for row in sheet.iter_rows(min_row=3, values_only=True)]


@pytest.mark.slow
def test_one_row_per_cable_with_the_schedule_s_values(plan, book):
    sheet = book["cables"]
    header = [column.name for column in TABLES["cables"].on("file")]
    built = [f"built_{end}_{what}" for end in "ab" for what in ("cabinet", "device", "port", "label")]
    assert header[-13:] == ["installed", "actual_mm", "installer", "installed_on", *built, "remark"]
    places = [header.index(name) for name in COLUMNS]
    assert places == sorted(places)
    found = [tuple(row[place] for place in places) for row in rows(sheet)]
    assert len(found) == plan.cables.cable_count
    assert found == schedule(plan)


@pytest.mark.slow
def test_columns_agree_with_the_records(plan, book):
    header = [column.name for column in TABLES["cables"].on("file")]
    column = {name: [row[place] for row in rows(book["cables"])] for place, name in enumerate(header)}
    assert column["run_mm"] == plan.cables.run_mm.tolist()
    assert column["stock_mm"] == plan.cables.stock_mm.tolist()
    assert column["label_b"] == plan.cables.label_b.tolist()
    assert {name for name in column["end_part_b"] if name} == {"module"}
    assert set(column["installed"]) == {""}


@pytest.mark.slow
def test_the_first_sheet_states_what_the_workbook_is(plan, book):
    sheet = book["start"]
    assert book.active is sheet
    text = [cell.value for row in sheet for cell in row if cell.value is not None]
    assert text[0] == plan.title
    assert {plan.name, "fingerprint", "m", "kW", "kg", plan.bill.currency} <= set(map(str, text))
    links = {cell.value: cell.hyperlink.location for row in sheet for cell in row if cell.hyperlink}
    assert links == {name: f"'{name}'!A3" for name in TABLES}
    counts = {row[0].value: row[1].value for row in sheet if row[0].hyperlink}
    assert counts == {name: len(table.rows(plan)) for name, table in TABLES.items()}
    # The formulas count the ticks of the crew: the only ones in the workbook.
    formulas = {cell.value for page in book for row in page for cell in row if cell.data_type == "f"}
    place = {cell.value: cell.column_letter for cell in book["work"][1]}
    last = 2 + plan.cables.cable_count
    ticks = ("pulled", "plugged_a", "plugged_b", "tested")
    assert formulas == {f'=COUNTIF(work!${place[tick]}$3:${place[tick]}${last},"yes")' for tick in ticks}


@pytest.mark.slow
def test_the_first_sheet_and_the_headers_have_the_revision(plan, tmp_path):
    project = {"client": "R&D", "drawing": "N-7", "revision": "=B", "date": "2026-05-31"}
    made = replace(plan, study={**plan.study, "project": project}, provenance={"plan": "0123456789abcdef99"}, title="A & B" * 40)
    book = openpyxl.load_workbook(write(made, tmp_path, "xlsx"))
    facts = {row[0].value: row[1].value for row in book["start"].iter_rows(min_row=2, max_row=14)}
    assert {name: facts[name] for name in project} == project
    assert facts["fingerprint"] == "0123456789abcdef"
    assert all(cell.data_type != "f" for row in book["start"].iter_rows(max_row=14) for cell in row)
    assert book["work"].oddHeader.right.text == "revision =B, plan 0123456789abcdef"
    assert book["work"].oddFooter.right.text == "page &P of &N"


@pytest.mark.slow
def test_the_work_sheet_is_in_the_order_of_pulling(small_plan, tmp_path):
    plan = small_plan
    book = openpyxl.load_workbook(write(plan, tmp_path, "xlsx"))
    names = [column.name for column in TABLES["work"].on("file")]
    found = [dict(zip(names, row, strict=True)) for row in rows(book["work"])]
    assert [row["order"] for row in found] == list(range(1, plan.cables.cable_count + 1))
    numbers = np.array([row["cable"] for row in found]) - 1
    assert sorted(numbers) == list(range(plan.cables.cable_count))
    work = plan.work
    tasks = work.task[numbers]
    assert (np.diff(tasks) >= 0).all()
    assert [row["task"] for row in found] == (tasks + 1).tolist()
    assert [row["crew"] for row in found] == (work.crew[tasks] + 1).tolist()
    assert [row["day"] for row in found] == (work.start_s[tasks] // work.shift_s + 1).tolist()
    plain = schedule(plan)
    for row, number in zip(found, numbers.tolist(), strict=True):
        cable = dict(zip(COLUMNS, plain[number], strict=True))
        assert {name: row[name] for name in SAME} == {name: cable[name] for name in SAME}
        assert (row["a_port_name"], row["b_port_name"]) == (str(cable["a_port"]), str(cable["b_port"]))
        assert {row[name] for name in ("piece", "pulled", "plugged_a", "plugged_b", "tested", "initials", "remark")} == {""}
    page = book["work"]
    rules = {str(rule.sqref): rule for rule in page.data_validations.dataValidation}
    place = {cell.value: cell.column_letter for cell in page[1]}
    for tick in ("pulled", "plugged_a", "plugged_b", "tested"):
        assert rules[f"{place[tick]}3:{place[tick]}{page.max_row}"].formula1 == '"yes,no"'


def test_numbers_have_the_formats_of_people(plan, book):
    def cell(sheet, name):
        (place,) = (each.column for each in book[sheet][1] if each.value == name)
        return book[sheet].cell(3, place)

    assert (cell("cables", "stock_m").value, cell("cables", "stock_m").number_format) == (
        plan.cables.stock_mm[0] / 1000,
        "#,##0.000",
    )
    assert cell("cabinets", "power_max_kw").number_format == "#,##0.0"
    assert cell("bill", "unit_price").number_format == '#,##0.00 "USD"'
    assert cell("bill", "unit_price").value == plan.bill.lines[0].unit_cents / 100
    assert cell("bill", "quantity").number_format == "#,##0"


def test_every_sheet_has_frozen_headers_and_a_filter_below_the_hidden_names(book):
    assert book.sheetnames == ["start", *TABLES]
    for sheet in book.worksheets[1:]:
        spec = TABLES[sheet.title]
        assert sheet.freeze_panes == f"{'ABC'[spec.keys]}3"
        last = sheet.dimensions.split(":")[1]
        assert sheet.auto_filter.ref == f"A2:{last}"
        assert sheet.row_dimensions[1].hidden
        assert [cell.value for cell in sheet[1]] == [column.cell_name for column in spec.on("file")]
        assert len({cell.value for cell in sheet[1]}) == sheet.max_column
        assert sheet.print_title_rows == "$2:$2"
        assert sheet.page_setup.orientation == "landscape"
        assert [cell.value for cell in sheet[2]] == [column.header for column in spec.on("file")]


def test_figures_have_their_unit_in_the_header():
    units = {"m": "m", "mm": "mm", "mm2": "mm²", "kg": "kg", "kw": "kW", "percent": "%"}
    seen = set()
    for spec in EVERY.values():
        for column in spec.on("file"):
            if (end := column.cell_name.rpartition("_")[2]) in units:
                seen.add(end)
                assert f"({units[end]}" in column.header, column
            if column.content == "whole":
                assert column.divisor == (column.common[0] if column.unit in metric.SYSTEM.units else 1), column
    assert seen == set(units)


def test_ports_and_routers_agree_with_the_plan(plan, book):
    ports = rows(book["ports"])
    routers = plan.topology.router_count * plan.catalog.router.ports
    assert len(ports) == routers + plan.topology.endpoint_count
    used = {(row[0], row[1]): row for row in ports if row[6] != ""}
    assert len(used) == 2 * plan.cables.cable_count
    for row in used.values():
        far = used[row[8], row[9]]
        assert (far[8], far[9], far[6]) == (row[0], row[1], row[6])
        assert (far[3], far[4]) == (row[10], row[11])
    for row in rows(book["routers"]):
        own = [port for port in ports if port[0] == row[0]]
        assert len(own) == row[5] == row[6] + row[7] + row[8]
        assert sum(port[6] == "" for port in own) == row[8]
        assert {(port[3], port[4]) for port in own} == {(row[1], row[2])}


def test_bundles_and_trays_agree_with_the_plan(plan, book):
    bundles = rows(book["bundles"])
    assert [row[5] for row in bundles] == np.bincount(plan.cables.bundle[plan.cables.bundle >= 0]).tolist()
    trays = rows(book["trays"])
    assert [row[13] for row in trays] == plan.cables.fill_um2.tolist()
    assert sum(row[12] for row in trays) == sum(len(plan.cables.route_of(cable)) for cable in range(plan.cables.cable_count))
    limit = {row[0]: row[11] for row in trays}
    assert all(row[14] == pytest.approx(100 * row[13] / 1e6 / limit[row[0]]) for row in trays if limit[row[0]])


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


@pytest.mark.slow
def test_violations_are_listed_and_text_stays_text(plan, tmp_path):
    item = Violation("labels_unique", "=1+1", 2.5, 1.0, "cable ends", "error", "http://example.org")
    broken = replace(plan, violations=Violations(("labels_unique",), (item,)))
    book = openpyxl.load_workbook(write(broken, tmp_path, "xlsx"))
    cells = book["violations"][3]
    assert [cell.value for cell in cells] == ["error", "labels_unique", "=1+1", 2.5, 1.0, "cable ends", "http://example.org"]
    assert cells[2].data_type == "s"
    assert cells[6].hyperlink is None


ODD = ("=1+1", "a & b", ' "quoted" ', "<b", "_x0041_", "\x01", "\ttab", "line\n", "a" * 40_000, "°", "\uffff", "")


@pytest.mark.slow
def test_texts_and_numbers_are_what_the_library_writes_cell_by_cell(plan, tmp_path):
    inventory = replace(plan.inventory, names=(*ODD, *plan.inventory.names[len(ODD) :]))
    changed = replace(plan, inventory=inventory)
    theirs = xlsxwriter.Workbook(tmp_path / "theirs.xlsx", {"constant_memory": True})
    expected = sheets(changed, WHOLE)
    for sheet in expected:
        page = theirs.add_worksheet(sheet.table.name)
        divisors = [column.divisor for column in sheet.table.planned]
        for line, row in enumerate(sheet.rows, 2):
            for place, (value, divisor) in enumerate(zip(row, divisors, strict=True)):
                if isinstance(value, str):
                    page.write_string(line, place, value[:32_767])
                elif value is not None:
                    page.write_number(line, place, value / divisor)
    theirs.close()
    ours, plain = openpyxl.load_workbook(write(changed, tmp_path, "xlsx")), openpyxl.load_workbook(tmp_path / "theirs.xlsx")
    assert sum(len(sheet.rows) for sheet in expected) > 1000
    for sheet in expected:
        name, width = sheet.table.name, len(sheet.table.planned)
        found, wanted = (
            [[cell or None for cell in row] for row in book[name].iter_rows(3, 2 + len(sheet.rows), 1, width, values_only=True)]
            for book in (ours, plain)
        )
        assert found == wanted, name


def test_columns_of_the_crew_look_to_be_filled_in_and_take_only_what_can_be_read(book):
    for name, table in TABLES.items():
        page = book[name]
        spans = [(each.min, each.max, each) for each in page.column_dimensions.values()]
        yellow = {place for low, high, each in spans if each.fill.fgColor.rgb == "FFFFFBEF" for place in range(low, high + 1)}
        crew = {place for place, column in enumerate(table.on("file"), 1) if column.crew}
        assert yellow == (crew if page.max_row > 2 else set()), name
        assert all(each.border.left.style == "thin" for low, _, each in spans if low in yellow)
        assert not any(cell.has_style for row in page.iter_rows(3) for cell in row if cell.column in crew)
        # What is printed ends where the plan ends, and rules for input as well.
        assert page.print_area == f"'{name}'!$A$1:${page.cell(1, page.max_column).column_letter}${page.max_row}"
        assert {each.max_row for rule in page.data_validations.dataValidation for each in rule.sqref.ranges} <= {page.max_row}


@pytest.mark.slow
def test_a_name_like_formatted_text_stays_text(plan, tmp_path):
    inventory = replace(plan.inventory, names=("<r>bold</r>", *plan.inventory.names[1:]))
    book = openpyxl.load_workbook(write(replace(plan, inventory=inventory), tmp_path, "xlsx"))
    assert any(cell == "<r>bold</r>" for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)


@pytest.mark.slow
def test_two_writes_are_the_same_bytes(plan, tmp_path):
    xlsx.write(plan, tmp_path / "one.xlsx")
    xlsx.write(plan, tmp_path / "two.xlsx")
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("plan", [Plan("bare", "", {}), make_plan(simulate=False, network=lonely())], ids=["bare", "lonely"])
def test_plans_without_cables_are_written(plan, tmp_path):
    book = openpyxl.load_workbook(write(plan, tmp_path, "xlsx"))
    assert rows(book["cables"]) == []
    assert len(rows(book["quantities"])) == len(plan.quantities)
