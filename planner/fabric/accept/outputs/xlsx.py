"""The acceptance report as a workbook."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.fabric.accept._record import Acceptance
from planner.fabric.accept.outputs import tables
from planner.formats.workbook.crew import CrewSheet, write_crew_book

FILE = "acceptance.xlsx"

_SHEETS = (tables.open_points, tables.cabling, tables.moves, tables.loss, tables.ber, tables.scans)


def write(acceptance: Acceptance, plan: Plan, path: Path) -> None:
    """Write the workbook; it opens on the result and the statistics.

    Raises
    ------
    InputError
        When a table is longer than a sheet can be.
    """
    head = [("plan", acceptance.title), ("fingerprint of the plan", acceptance.fingerprint), ("result", result(acceptance))]
    figures = [(str(name), str(value)) for name, value in tables.figures(acceptance).rows]
    sheets = [CrewSheet(sheet.name, sheet.columns, (), sheet.rows) for sheet in (make(acceptance) for make in _SHEETS)]
    title = f"Acceptance of {plan.title or plan.name}"
    write_crew_book(path, title, (head, figures), sheets, remedy="accept the plan by stages: --stage")


def result(acceptance: Acceptance) -> str:
    """Return the result in words."""
    count = len(acceptance.open)
    return "accepted: 0 open points" if not count else f"not accepted: {count:,} open point{'s' * (count > 1)}"
