"""Cable schedule as comma-separated text, one row per cable."""

from __future__ import annotations

from pathlib import Path

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report.tables import TABLES
from planner.spreadsheet import Writer


def write(plan: Plan, path: Path) -> None:
    """Write the cable schedule; lengths in millimeters, UTF-8.

    Raises
    ------
    InputError
        When the plan has no cables yet.
    """
    if plan.cables is None:
        raise InputError(Problem("", "the plan has no cables", "run the study to its end"))
    cables = TABLES["cables"]
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(column.name for column in cables.planned)
        rows.writerows(cables.rows(plan))
