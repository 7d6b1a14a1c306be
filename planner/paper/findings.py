"""Design rule violations, assumptions and sources."""

from __future__ import annotations

from planner.core.units import Unit
from planner.core.units import unit as unit_of
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, printed, table
from planner.view.figures import SPACE, grouped, trimmed
from planner.view.tables.assumptions import ASSUMPTIONS, sources

_COMMON = ("mW", "g", "kg/m²", "l/s")
"""Units of values that are printed in those of people; lengths stay in millimeters, as the messages are."""


def violation_sheets(plan: Plan) -> list[Sheet]:
    """Return the violations, and the list of rules checked."""
    blocks: list[Block] = [heading("Violations", Mark("violations", "Violations"))]
    if plan.violations is None:
        return sheets("Violations", [*blocks, paragraph("The design rules of this plan have not been checked.")])
    found = plan.violations.items
    rules = ", ".join(name.replace("_", " ") for name in plan.violations.checked)
    if found:
        errors = len(plan.violations.errors)
        blocks.append(paragraph(f"{grouped(errors)} errors and {grouped(len(found) - errors)} warnings.", 10))
        rows = [
            (
                item.severity,
                item.rule.replace("_", " "),
                item.where,
                _value(item.value, item.unit),
                _value(item.limit, item.unit),
                item.message,
            )
            for item in sorted(found, key=lambda item: item.severity != "error")
        ]
        columns = (
            Column("severity"), Column("rule"), Column("where"), Column("value", "right"), Column("limit", "right"),
            Column("message"),
        )  # fmt: skip
        blocks += table(columns, rows, TEXT_WIDTH, 7)
    else:
        blocks.append(paragraph(f"None. All {len(plan.violations.checked)} rules hold.", 10))
    blocks += [space(10), heading("Rules checked", size=11), paragraph(f"{rules}." if rules else "None.")]
    return sheets("Violations", blocks)


def assumption_sheets(plan: Plan) -> list[Sheet]:
    """Return every source: first assumptions to verify before ordering, then the rest."""
    rows = sources(plan)
    if not rows:
        return []
    blocks: list[Block] = [heading("Assumptions and sources", Mark("assumptions", "Assumptions and sources"))]
    doubtful = [row for row in rows if row.estimated]
    sure = [row for row in rows if not row.estimated]
    if doubtful:
        text = (
            "These catalog rows are estimated in whole or in part. The column “estimated” lists the figures without a source; "
            "“the whole row” means that none of its figures has one."
        )
        blocks += [
            heading("Assumptions to verify before ordering", size=11),
            paragraph(text, keep=True),
            *table(*printed(ASSUMPTIONS, doubtful), TEXT_WIDTH, 6.8),
        ]
    if sure:
        blocks += [space(10), heading("Sourced rows", size=11)]
        blocks += table(*printed(ASSUMPTIONS, sure, without=["estimated"]), TEXT_WIDTH, 6.8)
    return sheets("Assumptions and sources", blocks)


def _value(value: float, unit: str) -> str:
    own = unit_of(unit) if unit in _COMMON else Unit(1, 0, unit)
    return f"{trimmed(own.of(value))}{SPACE}{own.name}".rstrip(SPACE)
