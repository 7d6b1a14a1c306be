"""The catalog rows behind the figures, with their confidence."""

from __future__ import annotations

from planner.report._sources import estimated_figures, sources
from planner.report.tables.table import Column, Table, each

COLUMNS = (
    Column("row", "row", "id of the catalog row", each(lambda row: row.id), width=26),
    Column("confidence", "confidence", "A to D, see the report", each(lambda row: row.confidence)),
    Column("estimated", "estimated", "names of its estimated figures", each(estimated_figures), width=40),
    Column("source", "source", "source", each(lambda row: row.source), width=60),
    Column("date", "date", "date of the source", each(lambda row: row.date)),
    Column("note", "note", "note", each(lambda row: row.note), width=60),
)

ASSUMPTIONS = Table("assumptions", "One row per catalog row in use.", sources, COLUMNS)
