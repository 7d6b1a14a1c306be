"""Cable schedule as comma-separated text, one row per cable."""

from __future__ import annotations

from pathlib import Path

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._schedule import COLUMNS, schedule
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
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        rows.writerows(schedule(plan))
