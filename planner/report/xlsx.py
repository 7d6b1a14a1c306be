"""Workbook of the plan: cables, cabinets, routers, ports, bundles, trays, bill and quantities; the crew fills it in."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._xlsx.tables import Row, tables
from planner.workbook.columns import SHEETS, Column, Sheet

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_ROWS = 1_048_574
"""Maximum rows of a sheet below its headers."""

_A3, _A4 = 8, 9
"""Paper sizes by their number in spreadsheets."""

_WIDTHS = {
    "label_a": 24, "label_b": 24, "label": 24, "part": 26, "end_part": 26, "end_part_b": 26, "trays": 36, "row": 26, "source": 60,
    "note": 60, "estimated": 40, "description": 36, "where": 40, "message": 50, "rule": 30, "quantity": 28, "item": 20,
    "value": 20, "remark": 40, "group": 24, "installer": 18, "serial_number": 20, "kind": 18, "stage": 16, "tray": 18,
    "category": 14, "severity": 10,
}  # fmt: skip

_DETAILS = {
    "end_part", "end_part_b", "medium", "run_mm", "rise_a_mm", "drop_a_mm", "tray_mm", "drop_b_mm", "rise_b_mm",
    "slack_ends_mm", "slack_loops_mm", "slack_share_mm", "override_mm", "margin_mm", "a_side", "b_side", "a_jumper_mm",
    "b_jumper_mm",
}  # fmt: skip
"""Columns of the cables that are collapsed at first, so that the rest fits screen and paper."""


def write(plan: Plan, path: Path) -> None:
    """Write the workbook; values are integers in the units of the records, as in the other files.

    Every sheet has a hidden first row with machine-readable column names, so that `planner.workbook.read` can read back the
    plan and the notes of the crew.

    Raises
    ------
    InputError
        When a table is too long for a sheet.
    """
    content = tables(plan)
    problems = [
        Problem(f"sheet {name}", f"{len(rows):,} rows, a sheet holds {_ROWS:,}", "take the format csv for so large a plan")
        for name, rows in content.items()
        if len(rows) > _ROWS
    ]
    if problems:
        raise InputError(problems)
    # Text stays text: a name that begins with = is not a formula, and no name is a link.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(str(path), options)
    book.set_properties({"title": plan.title or plan.name, "created": _EPOCH})
    formats = {
        "header": book.add_format({"bold": True, "bg_color": "#DCE8F1", "bottom": 1, "text_wrap": True, "valign": "top"}),
        "crew header": book.add_format({"bold": True, "bg_color": "#FCE9B6", "bottom": 1, "text_wrap": True, "valign": "top"}),
        "text": book.add_format({"indent": 1}),
        "crew": book.add_format({"bg_color": "#FFFBEF", "border": 1, "border_color": "#D9D2BC"}),
        "date": book.add_format({"bg_color": "#FFFBEF", "border": 1, "border_color": "#D9D2BC", "num_format": "yyyy-mm-dd"}),
    }
    for name, rows in content.items():
        _fill(book.add_worksheet(name), SHEETS[name], rows, formats)
    book.close()


def _fill(page: Any, sheet: Sheet, rows: list[Row], formats: dict[str, Any]) -> None:
    last = 1 + len(rows)
    for place, column in enumerate(sheet.columns):
        folded = sheet.name == "cables" and column.name in _DETAILS
        # Indent text after a number.
        look = formats["text"] if column.content == "text" else None
        page.set_column(place, place, _width(column), look, {"level": 1, "hidden": True} if folded else {})
        if column.content == "tick" and rows:
            page.data_validation(2, place, last, place, {"validate": "list", "source": ["yes", "no"]})
    page.freeze_panes(2, sheet.keys)
    page.autofilter(1, 0, last, len(sheet.columns) - 1)
    page.set_landscape()
    page.set_paper(_A3 if sheet.name == "cables" else _A4)
    page.fit_to_pages(1, 0)
    page.repeat_rows(1)
    page.set_row(0, None, None, {"hidden": True})
    page.write_row(0, 0, [column.name for column in sheet.columns])
    page.set_row(1, 45)
    for place, column in enumerate(sheet.columns):
        page.write_string(1, place, column.header, formats["crew header" if column.crew else "header"])
    blank = [
        (place, formats["date" if column.content == "date" else "crew"])
        for place, column in enumerate(sheet.columns)
        if column.crew
    ]
    text, number = page.write_string, page.write_number
    for line, row in enumerate(rows, 2):
        for place, value in enumerate(row):
            if isinstance(value, str):
                if value:
                    text(line, place, value)
            elif value is not None:
                number(line, place, value)
        for place, look in blank:
            page.write_blank(line, place, None, look)


def _width(column: Column) -> int:
    """Return a column width for common contents; headers wrap."""
    longest = max(len(word) for word in column.header.split())
    return _WIDTHS.get(column.name, max(9, longest + 3))
