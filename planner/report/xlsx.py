"""Workbook of the plan: cables, cabinets, routers, ports, bundles, trays, bill and quantities; the crew fills it in."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report.tables import Column, Table, tables_of

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_ROWS = 1_048_574
"""Maximum rows of a sheet below its headers."""

_A3, _A4 = 8, 9
"""Paper sizes by their number in spreadsheets."""


def write(plan: Plan, path: Path) -> None:
    """Write the workbook; values are integers in the units of the records, as in the other files.

    Every sheet has a hidden first row with machine-readable column names, so that `planner.workbook.read` can read back the
    plan and the notes of the crew.

    Raises
    ------
    InputError
        When a table is too long for a sheet.
    """
    content = {name: table.rows(plan) for name, table in tables_of(plan).items()}
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
        _fill(book.add_worksheet(name), tables_of(plan)[name], rows, formats)
    book.close()


def _fill(page: Any, table: Table, rows: list[tuple[Any, ...]], formats: dict[str, Any]) -> None:
    last, columns = 1 + len(rows), table.on("file")
    for place, column in enumerate(columns):
        # Indent text after a number.
        look = formats["text"] if column.content == "text" else None
        page.set_column(place, place, _width(column), look, {"level": 1, "hidden": True} if column.collapsed else {})
        if column.content == "tick" and rows:
            page.data_validation(2, place, last, place, {"validate": "list", "source": ["yes", "no"]})
    page.freeze_panes(2, table.keys)
    page.autofilter(1, 0, last, len(columns) - 1)
    page.set_landscape()
    page.set_paper(_A3 if table.name == "cables" else _A4)
    page.fit_to_pages(1, 0)
    page.repeat_rows(1)
    page.set_row(0, None, None, {"hidden": True})
    page.write_row(0, 0, [column.name for column in columns])
    page.set_row(1, 45)
    for place, column in enumerate(columns):
        page.write_string(1, place, column.header, formats["crew header" if column.crew else "header"])
    blank = [
        (place, formats["date" if column.content == "date" else "crew"]) for place, column in enumerate(columns) if column.crew
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
    return column.width or max(9, longest + 3)
