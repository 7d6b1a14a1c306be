"""The violations of design rules."""

from __future__ import annotations

from planner.view.tables.table import FILE_AND_PAGE, Column, Table, each

COLUMNS = (
    Column("severity", "severity", "error or warning", each(lambda v: v.severity), shown=FILE_AND_PAGE, width=10),
    Column("rule", "rule", "name of the rule", each(lambda v: v.rule), shown=FILE_AND_PAGE, width=30),
    Column("where", "where", "object that violates it", each(lambda v: v.where), shown=FILE_AND_PAGE, width=40),
    Column("value", "value", "value found", each(lambda v: v.value), "number", shown=FILE_AND_PAGE, decimals=2, width=20),
    Column("limit", "limit", "limit of the rule", each(lambda v: v.limit), "number", shown=FILE_AND_PAGE, decimals=2),
    Column("unit", "unit", "unit of value and limit", each(lambda v: v.unit), shown=FILE_AND_PAGE),
    Column("message", "message", "message", each(lambda v: v.message), shown=FILE_AND_PAGE, width=50),
)

VIOLATIONS = Table(
    "violations", "One row per violation.", lambda plan: plan.violations.items if plan.violations is not None else None, COLUMNS
)
