"""Cable schedule as comma-separated text, one row per cable."""

from __future__ import annotations

from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.domain.model import Plan
from planner.view.selection import WHOLE, Selection
from planner.view.tables import tables_of


def write(plan: Plan, path: Path, *, selection: Selection = WHOLE) -> None:
    """Write the cable schedule; lengths in millimeters, UTF-8.

    Parameters
    ----------
    selection
        Which cables.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.
    """
    chosen, cables = selection.cables(plan).tolist(), tables_of(plan)["cables"]
    columns = cables.cells(cables.data(plan), cables.planned)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(column.name for column in cables.planned)
        rows.writecolumns(columns, chosen)
