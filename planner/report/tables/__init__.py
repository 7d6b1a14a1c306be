"""The tables of a plan; their columns are declared once, for files, paper, the web page and the docs."""

from __future__ import annotations

from collections.abc import Iterator

from planner.model import Plan
from planner.report.tables.assumptions import ASSUMPTIONS
from planner.report.tables.bill import BILL
from planner.report.tables.bundles import BUNDLES
from planner.report.tables.cabinets import CABINETS
from planner.report.tables.cables import CABLES
from planner.report.tables.link_load import LINK_LOAD
from planner.report.tables.ports import PORTS
from planner.report.tables.quantities import QUANTITIES
from planner.report.tables.routers import ROUTERS
from planner.report.tables.table import Column, Content, Table, each
from planner.report.tables.trays import TRAYS
from planner.report.tables.violations import VIOLATIONS

__all__ = ["ABOUT", "TABLES", "Column", "Content", "Table"]


def _about(plan: Plan) -> Iterator[tuple[str, str | int]]:
    """Yield the identification of the plan, and the number of rows of each table."""
    yield "name", plan.name
    yield "title", plan.title
    yield "plan", str(plan.provenance.get("plan", ""))
    yield "planner", str(plan.provenance.get("planner", ""))
    for name, table in TABLES.items():
        if table is not ABOUT:
            yield f"rows: {name}", table.count(plan)


ABOUT = Table(
    "plan",
    "Name, title, fingerprint of the plan, version of Planner, and the number of rows of each table.",
    lambda plan: [*_about(plan)],
    (
        Column("item", "item", "what it is", each(lambda item: item[0]), width=20),
        Column("value", "value", "its value", each(lambda item: item[1]), "figure", width=20),
    ),
    keys=1,
)

TABLES = {
    table.name: table
    for table in (
        CABLES, CABINETS, ROUTERS, PORTS, BUNDLES, TRAYS, BILL, VIOLATIONS, LINK_LOAD, QUANTITIES, ASSUMPTIONS, ABOUT,
    )
}  # fmt: skip
"""Every table, in the order of the workbook's sheets."""
