"""The catalog rows behind the figures, with their confidence."""

from __future__ import annotations

from planner.domain.model import Plan
from planner.domain.parts import Row
from planner.view.tables.table import Column, Place, Table, each


def sources(plan: Plan) -> list[Row]:
    """Return the rows of catalog, room and bill that the plan uses, those with estimates first."""
    rows = (plan.catalog.rows if plan.catalog is not None else ()) + (plan.room.sources if plan.room is not None else ())
    rows += plan.inventory.rows if plan.inventory is not None else ()
    rows += plan.bill.rows if plan.bill is not None else ()
    return sorted(rows, key=lambda row: not row.estimated)


def estimated_figures(row: Row) -> str:
    """Return the names of a row's estimated values."""
    return "the whole row" if row.confidence == "D" and not row.estimates else ", ".join(row.estimates)


_FILE_AND_PAPER: tuple[Place, ...] = ("file", "paper")

COLUMNS = (
    Column("row", "row", "id of the catalog row", each(lambda row: row.id), shown=_FILE_AND_PAPER, width=26),
    Column("confidence", "confidence", "A to D, see the report", each(lambda row: row.confidence), shown=_FILE_AND_PAPER,
           short="conf.", align="center"),
    Column("estimated", "estimated", "names of its estimated figures", each(estimated_figures), shown=_FILE_AND_PAPER, width=40),
    Column("source", "source", "source", each(lambda row: row.source), shown=_FILE_AND_PAPER, width=60),
    Column("date", "date", "date of the source", each(lambda row: row.date), shown=_FILE_AND_PAPER),
    Column("note", "note", "note", each(lambda row: row.note), shown=_FILE_AND_PAPER, width=60),
)  # fmt: skip

ASSUMPTIONS = Table("assumptions", "One row per catalog row in use.", sources, COLUMNS)
