"""Workbook of the plan: a guide, the work in the order of pulling, and all tables; the crew fills it in."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.core.errors import InputError, Problem
from planner.core.units import system, unit
from planner.domain.model import Plan
from planner.formats.workbook.guide import write_guide
from planner.formats.workbook.written import Rows, day_of, write_rows
from planner.view.project import project_of
from planner.view.rows import Sheet, sheets
from planner.view.selection import WHOLE, Selection
from planner.view.tables import Column

Notes = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_EARLIEST = date(2000, 1, 1)

_FIRST = 3
"""Line of the first row of a sheet, below its headers."""

_ROWS = 1_048_574
"""Maximum rows of a sheet below its headers."""

_A3, _A4 = 8, 9
"""Paper sizes by their number in spreadsheets."""

_WIDE = {"cables": _A3, "work": _A3}

_LONGEST_MM = 10_000_000
"""Longest length that a cell takes, as in the rules of catalogs."""

_RULE = {"error_title": "Check the value"}

_CREW = {"bg_color": "#FFFBEF", "border": 1, "border_color": "#D9D2BC"}


def write(plan: Plan, path: Path, *, selection: Selection = WHOLE) -> None:
    """Write the workbook in the units of the project, and prices in the currency of the bill.

    Every sheet has a hidden first row with machine-readable column names, so that `planner.formats.workbook.read` can read back
    the plan and the notes of the crew.

    Parameters
    ----------
    selection
        Which cables; the workbook then has only the sheets of cables, and of the cabinets, devices, ports and bundles that they
        touch.

    Raises
    ------
    InputError
        When a table is too long for a sheet, or the plan lacks the part of the selection.
    """
    write_filled(plan, path, None, selection=selection)


def write_filled(plan: Plan, path: Path, notes: Notes | None, *, selection: Selection = WHOLE) -> None:
    """Write the workbook with columns of the crew filled in.

    Parameters
    ----------
    notes
        Function from the name of a sheet and the planned values of a row, by column, to the values of columns of the crew: text,
        whole numbers in the unit of the plan, dates, and True for a tick. None leaves all of them empty.
    """
    content = sheets(plan, selection)
    problems = [
        Problem(
            f"sheet {sheet.table.name}",
            f"{len(sheet.rows):,} rows, a sheet holds {_ROWS:,}",
            "take the format csv for so large a plan",
        )
        for sheet in content
        if len(sheet.rows) > _ROWS
    ]
    if problems:
        raise InputError(problems)
    # Text stays text: a name that begins with = is not a formula, and no name is a link.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    template = BytesIO()
    book = xlsxwriter.Workbook(template, options)
    book.set_properties({"title": plan.title or plan.name, "created": _EPOCH})
    looks = Looks(book, plan.bill.currency if plan.bill is not None else "")
    write_guide(book, plan, selection, content)
    cabinets = next((len(sheet.rows) for sheet in content if sheet.table.name == "cabinets"), 0)
    for sheet in content:
        page = book.add_worksheet(sheet.table.name)
        _set_up(page, plan, sheet)
        _validate(page, sheet, cabinets)
        _head(page, sheet, looks)
    book.close()
    filled = {number: Rows(sheet.table.on("file"), _rows(sheet, notes)) for number, sheet in enumerate(content, 2) if sheet.rows}
    write_rows(template, path, filled, _FIRST)


class Looks:
    """Formats of cells; equal formats are one."""

    def __init__(self, book: Any, currency: str):
        self._book = book
        self._found: dict[str, Any] = {}
        self._unit = f' "{currency}"' if re.fullmatch(r"\w{1,8}", currency) else ""

    def header(self, column: Column) -> Any:
        """Return the format of a heading; columns of the crew are yellow."""
        color = "#FCE9B6" if column.crew else "#DCE8F1"
        return self._of({"bold": True, "bg_color": color, "bottom": 1, "text_wrap": True, "valign": "top"})

    def cell(self, column: Column) -> Any:
        """Return the format of the cells of a column."""
        if column.content == "text":
            # Indent text after a number.
            return self._of({"indent": 1})
        number = "yyyy-mm-dd" if column.content == "date" else self._number(column)
        return self._of((_CREW if column.crew else {}) | ({"num_format": number} if number else {}))

    def _number(self, column: Column) -> str:
        _, decimals, _ = column.common
        if column.content == "number":
            return f"#,##0.{'0' * column.decimals}" if column.decimals else ""
        if column.content != "whole":
            return ""
        if column.divisor == 1 or not decimals:
            return "#,##0"
        return f"#,##0.{'0' * decimals}{self._unit if column.unit == 'cents' else ''}"

    def _of(self, wanted: dict[str, Any]) -> Any:
        key = str(wanted)
        if key not in self._found:
            self._found[key] = self._book.add_format(wanted)
        return self._found[key]


def _set_up(page: Any, plan: Plan, sheet: Sheet) -> None:
    """Set headings that stay on screen and on every printed page, filters, and paper."""
    table, last = sheet.table, 1 + len(sheet.rows)
    page.freeze_panes(2, table.keys)
    page.autofilter(1, 0, last, len(table.on("file")) - 1)
    # Formats of columns reach beyond the last row.
    page.print_area(0, 0, last, len(table.on("file")) - 1)
    page.set_landscape()
    page.set_paper(_WIDE.get(table.name, _A4))
    page.fit_to_pages(1, 0)
    page.repeat_rows(1)
    page.set_margins(left=0.4, right=0.4, top=0.7, bottom=0.6)
    project = project_of(plan)
    revision = f"revision {project.revision}, " if project is not None and project.revision else ""
    stamp = f"{revision}plan {str(plan.provenance.get('plan', ''))[:16]}"
    title, stamp = (text.replace("&", "&&") for text in ((plan.title or plan.name)[:70], stamp[:110]))
    page.set_header(f"&L{title}&C{table.name}&R{stamp}")
    page.set_footer("&Rpage &P of &N")
    page.set_row(0, None, None, {"hidden": True})
    page.set_row(1, 45)
    # Names of ports and devices may be digits.
    page.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})


def _validate(page: Any, sheet: Sheet, cabinets: int) -> None:
    """Let cells of the crew take only what can be read back; other cabinets than the planned ones after a warning."""
    last = 1 + len(sheet.rows)
    for place, column in enumerate(sheet.table.on("file")):
        rule = _rule(column, cabinets) if column.crew else None
        if rule is not None and sheet.rows:
            page.data_validation(2, place, last, place, rule)


def _rule(column: Column, cabinets: int) -> dict[str, Any] | None:
    if column.content == "tick":
        return {"validate": "list", "source": ["yes", "no"]}
    if column.content == "date":
        return _RULE | {"validate": "date", "criteria": ">=", "value": _EARLIEST, "error_message": "Write it as 2026-05-31."}
    if column.unit == "mm":
        own = unit("mm")
        limits = {"criteria": "between", "minimum": 0, "maximum": math.floor(_LONGEST_MM / own.size)}
        return _RULE | {"validate": "decimal", **limits, "error_message": f"Write it in {'feet' if system().feet else 'meters'}."}
    if column.name.endswith("_cabinet") and cabinets:
        source = f"=cabinets!$A$3:$A${cabinets + 2}"
        about = {"error_type": "warning", "error_message": "The plan has no such cabinet."}
        return _RULE | {"validate": "list", "source": source, **about}
    return None


def _head(page: Any, sheet: Sheet, looks: Looks) -> None:
    """Write the headings, the formats of the columns, and a row of empty cells for `write_rows`."""
    columns, planned = sheet.table.on("file"), len(sheet.table.planned)
    for place, column in enumerate(columns):
        look = looks.cell(column) if sheet.rows or not column.crew else None
        empty = place < planned and bool(sheet.rows) and all(row[place] in (None, "") for row in sheet.rows)
        page.set_column(place, place, _width(column), look, {"level": 1, "hidden": True} if column.collapsed or empty else {})
    page.write_row(0, 0, [column.cell_name for column in columns])
    for place, column in enumerate(columns):
        page.write_string(1, place, column.header, looks.header(column))
    if sheet.rows:
        for place, column in enumerate(columns):
            page.write_blank(1 + len(sheet.rows), place, None, looks.cell(column))


def _rows(sheet: Sheet, notes: Notes | None) -> Iterator[tuple[Any, ...]]:
    """Yield the planned values of each row, and those of the crew."""
    own = [column.name for column in sheet.table.on("file") if column.crew]
    if notes is None or not own:
        yield from sheet.rows
        return
    names = [column.name for column in sheet.table.planned]
    for row in sheet.rows:
        filled = notes(sheet.table.name, dict(zip(names, row, strict=True)))
        yield (*row, *(_cell(filled.get(name)) for name in own))


def _cell(value: Any) -> Any:
    """Return a value of the crew as cells hold it."""
    if isinstance(value, bool):
        return "yes" if value else None
    return day_of(value) if isinstance(value, date) else value


def _width(column: Column) -> int:
    """Return a column width for common contents; headers wrap."""
    longest = max(len(word) for word in column.header.split())
    return column.width or max(9, longest + 3)
