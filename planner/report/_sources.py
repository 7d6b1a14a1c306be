"""Sources of the plan: catalog rows and the room, with their confidence."""

from __future__ import annotations

from planner.model import Plan
from planner.parts import Row


def sources(plan: Plan) -> list[Row]:
    """Return the rows of catalog, room and bill that the plan uses, those with estimates first."""
    rows = (plan.catalog.rows if plan.catalog is not None else ()) + (plan.room.sources if plan.room is not None else ())
    rows += plan.bill.rows if plan.bill is not None else ()
    return sorted(rows, key=lambda row: not row.estimated)


def estimated_figures(row: Row) -> str:
    """Return the names of a row's estimated values."""
    return "the whole row" if row.confidence == "D" and not row.estimates else ", ".join(row.estimates)
