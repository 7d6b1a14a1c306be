"""The violations of design rules."""

from __future__ import annotations

from planner.report.tables.table import Column, Table, each

COLUMNS = (
    Column("severity", "severity", "error or warning", each(lambda v: v.severity), width=10),
    Column("rule", "rule", "name of the rule", each(lambda v: v.rule), width=30),
    Column("where", "where", "object that violates it", each(lambda v: v.where), width=40),
    Column("value", "value", "value found", each(lambda v: v.value), "number", width=20),
    Column("limit", "limit", "limit of the rule", each(lambda v: v.limit), "number"),
    Column("unit", "unit", "unit of value and limit", each(lambda v: v.unit)),
    Column("message", "message", "message", each(lambda v: v.message), width=50),
)

VIOLATIONS = Table(
    "violations", "One row per violation.", lambda plan: plan.violations.items if plan.violations is not None else None, COLUMNS
)
