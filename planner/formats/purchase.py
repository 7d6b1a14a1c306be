"""Purchase file as a workbook: a summary, and one line per orderable part."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.domain.model import Plan, PurchaseLine
from planner.view.purchase import SECTIONS, Field, bill_of, fields, not_to_be_ordered, summary

ENDING = ".purchase.xlsx"

ORDERS = True

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_NUMBERS = {"whole": "#,##0", "money": "#,##0.00", "length": "0.###", "percent": "0 %", "rate": "0.######"}
"""Number formats by kind of column."""

_A4 = 9


def write(plan: Plan, path: Path) -> None:
    """Write the workbook: a summary, a sheet of parts, and sheets of services and of energy where the bill has them.

    Raises
    ------
    InputError
        When the plan has no bill.
    """
    columns, lines = fields(plan)[1:], bill_of(plan).purchase
    # Text stays text: a name that begins with = is not a formula, and no name is a link.
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(str(path), options)
    book.set_properties({"title": f"Purchase: {plan.title or plan.name}", "created": _EPOCH})
    looks = {kind: book.add_format({"num_format": number}) for kind, number in _NUMBERS.items()}
    looks["text"] = book.add_format({})
    header = book.add_format({"bold": True, "bg_color": "#DCE8F1", "bottom": 1, "text_wrap": True, "valign": "top"})
    _summarize(book.add_worksheet("summary"), plan, looks, header)
    for section, title in SECTIONS.items():
        own = [line for line in lines if line.section == section]
        if own:
            _fill(book.add_worksheet(section), title, columns, own, looks, header)
    book.close()


def _summarize(page: Any, plan: Plan, looks: dict[str, Any], header: Any) -> None:
    page.set_column(0, 0, 50)
    page.set_column(1, 1, 40)
    for place, title in enumerate(("summary of the purchase", "value")):
        page.write_string(0, place, title, header)
    warning = not_to_be_ordered(plan)
    if warning:
        page.write_string(0, 0, warning, header)
    for line, (what, value, kind) in enumerate(summary(plan), 1):
        page.write_string(line, 0, what)
        _cell(page, line, 1, value, looks[kind])
    page.set_paper(_A4)
    page.fit_to_pages(1, 0)


def _fill(
    page: Any, title: str, columns: tuple[Field, ...], lines: list[PurchaseLine], looks: dict[str, Any], header: Any
) -> None:
    for place, column in enumerate(columns):
        page.set_column(place, place, column.width)
        page.write_string(0, place, column.title, header)
    for number, line in enumerate(lines, 1):
        for place, column in enumerate(columns):
            _cell(page, number, place, column.of(line), looks[column.kind])
    page.freeze_panes(1, 5)
    page.autofilter(0, 0, len(lines), len(columns) - 1)
    page.set_landscape()
    page.set_paper(_A4)
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    page.set_header(f"&L{title}")


def _cell(page: Any, line: int, place: int, value: Any, look: Any) -> None:
    if isinstance(value, str):
        if value:
            page.write_string(line, place, value, look)
    elif value is not None:
        page.write_number(line, place, value, look)
