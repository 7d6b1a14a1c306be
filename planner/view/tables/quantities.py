"""The quantities of a plan."""

from __future__ import annotations

from planner.view.tables.table import Column, Table, each

COLUMNS = (
    Column("quantity", "quantity", "name, as in `quantities.json`", each(lambda item: item[0]), width=28),
    Column("value", "value", "value", each(lambda item: item[1]["value"]), "figure", width=20),
    Column("unit", "unit", "unit", each(lambda item: item[1]["unit"])),
)

QUANTITIES = Table("quantities", "One row per quantity.", lambda plan: plan.quantities.items(), COLUMNS, keys=1)
