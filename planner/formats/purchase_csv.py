"""Purchase file as comma-separated text, one line per orderable part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.core.spreadsheet import Writer
from planner.core.units import using
from planner.domain.model import Plan
from planner.view.purchase import bill_of, fields, not_to_be_ordered

ENDING = ".purchase.csv"

ORDERS = True


def write(plan: Plan, path: Path) -> None:
    """Write one line per orderable part, then services and energy; amounts in units of their currency, lengths in meters, UTF-8.

    The first line of a plan that breaks design rules states them.

    Raises
    ------
    InputError
        When the plan has no bill.
    """
    with using("metric"), path.open("w", encoding="utf-8", newline="") as file:
        rows, columns = Writer(file), fields(plan)
        if warning := not_to_be_ordered(plan):
            rows.writerow([warning])
        rows.writerow(column.title for column in columns)
        rows.writerows([_text(column.kind, column.of(line)) for column in columns] for line in bill_of(plan).purchase)


def _text(kind: str, value: Any) -> Any:
    if value is None:
        return ""
    return f"{value:.2f}" if kind == "money" else f"{value:g}" if kind == "length" else value
