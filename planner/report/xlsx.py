"""Cable schedule and all figures as a spreadsheet: cables, cabinets, bill, quantities, violations, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._schedule import COLUMNS, schedule
from planner.report._sources import estimated_figures, sources

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_WIDTHS = {
    "label_a": 24, "label_b": 24, "part": 26, "end_part": 26, "end_part_b": 26, "trays": 36, "row": 26, "source": 60, "note": 60,
    "estimated": 40, "meaning": 50, "description": 36, "where": 40, "message": 50, "rule": 30, "quantity": 28,
}  # fmt: skip

Row = Sequence[Any]


def write(plan: Plan, path: Path) -> None:
    """Write the spreadsheet; figures are whole numbers in the units of the records, as in the other files."""
    # Text stays text: a name that begins with = is no formula, and no name is a link.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    book = xlsxwriter.Workbook(str(path), options)
    book.set_properties({"title": plan.title or plan.name, "created": _EPOCH})
    header = book.add_format({"bold": True, "bg_color": "#DCE8F1", "bottom": 1})
    for name, columns, rows in _tables(plan):
        sheet = book.add_worksheet(name)
        _fill(sheet, columns, rows, header)
    book.close()


def _tables(plan: Plan) -> list[tuple[str, Row, Iterable[Row]]]:
    """Name, columns and rows of every sheet."""
    return [
        ("cables", (*COLUMNS, "installed"), schedule(plan) if plan.cables is not None else ()),
        ("cabinets", _CABINET_COLUMNS, _cabinets(plan) if plan.placement is not None else ()),
        ("bill", _BILL_COLUMNS, _bill(plan) if plan.bill is not None else ()),
        ("quantities", ("quantity", "value", "unit"), ((name, q["value"], q["unit"]) for name, q in plan.quantities.items())),
        ("violations", _VIOLATION_COLUMNS, _violations(plan) if plan.violations is not None else ()),
        ("assumptions", _ASSUMPTION_COLUMNS, _assumptions(plan)),
    ]


def _fill(sheet, columns: Row, rows: Iterable[Row], header) -> None:
    for place, column in enumerate(columns):
        sheet.set_column(place, place, _WIDTHS.get(column, max(9, len(column) + 4)))
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, columns, header)
    last = 0
    for last, row in enumerate(rows, 1):
        sheet.write_row(last, 0, row)
    sheet.autofilter(0, 0, last, len(columns) - 1)
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


_CABINET_COLUMNS = (
    "cabinet", "row", "routers", "endpoints", "used_units", "units", "cables_listed",
    "power_typical_mw", "power_max_mw", "power_limit_mw", "load_g", "load_limit_g", "floor_g", "floor_limit_g",
)  # fmt: skip


def _cabinets(plan: Plan) -> Iterable[Row]:
    for cabinet in cabinets(plan):
        yield (
            cabinet.name, cabinet.row, cabinet.count("router"), cabinet.count("endpoint"), cabinet.used_units, cabinet.units,
            cabinet.cables, cabinet.power_typical_mw, cabinet.power_max_mw, cabinet.power_limit_mw,
            cabinet.mass_g, cabinet.load_limit_g, cabinet.total_g, cabinet.floor_limit_g,
        )  # fmt: skip


_BILL_COLUMNS = (
    "category", "part", "description", "quantity", "unit_cents", "cents", "currency", "power_mw", "mass_g", "confidence",
    "stock_mm",
)  # fmt: skip


def _bill(plan: Plan) -> Iterable[Row]:
    currency = plan.bill.currency
    for line in plan.bill.lines:
        yield (
            line.category, line.part, line.description, line.quantity, line.unit_cents, line.cents, currency,
            line.power_mw, line.mass_g, line.confidence, line.stock_mm or "",
        )  # fmt: skip
    # Sums by category stand among the quantities: a filtered table must hold every cent once.
    yield ("total", "", "", "", "", plan.bill.cents(), currency, plan.bill.power_mw(), plan.bill.mass_g(), "", "")


_VIOLATION_COLUMNS = ("severity", "rule", "where", "value", "limit", "unit", "message")


def _violations(plan: Plan) -> Iterable[Row]:
    for item in plan.violations.items:
        yield (item.severity, item.rule, item.where, item.value, item.limit, item.unit, item.message)


_ASSUMPTION_COLUMNS = ("row", "confidence", "estimated", "source", "date", "note")


def _assumptions(plan: Plan) -> Iterable[Row]:
    for row in sources(plan):
        yield (row.id, row.confidence, estimated_figures(row), row.source, row.date, row.note)
