"""The tables of a plan; their columns are declared once, for files, paper, the web page and the docs."""

from __future__ import annotations

from collections.abc import Iterator

from planner.domain.model import Plan
from planner.domain.model.project import units_of
from planner.view.names import is_named
from planner.view.tables.assumptions import ASSUMPTIONS
from planner.view.tables.bill import BILL
from planner.view.tables.bundles import BUNDLES
from planner.view.tables.cabinets import CABINETS
from planner.view.tables.cables import CABLES
from planner.view.tables.devices import DEVICES
from planner.view.tables.existing import EXISTING
from planner.view.tables.link_load import LINK_LOAD
from planner.view.tables.networks import NETWORKS
from planner.view.tables.panels import PANELS, TRUNKS
from planner.view.tables.ports import PORTS
from planner.view.tables.quantities import QUANTITIES
from planner.view.tables.routers import ROUTERS
from planner.view.tables.table import Column, Content, Table, each
from planner.view.tables.transceivers import TRANSCEIVERS
from planner.view.tables.trays import TRAYS
from planner.view.tables.violations import VIOLATIONS
from planner.view.tables.work import WORK

__all__ = [
    "ABOUT",
    "DECLARED",
    "DEVICES",
    "EVERY",
    "EXISTING",
    "KEEPS",
    "NAMED_TABLES",
    "NETWORKS",
    "PANELS",
    "SOME",
    "TABLES",
    "TRUNKS",
    "WORK",
    "Column",
    "Content",
    "Table",
    "identification",
    "tables",
    "tables_of",
]


KEEPS = "keeps"
"""Item of the table of the plan that names the kept plan."""


def identification(plan: Plan) -> Iterator[tuple[str, str | int]]:
    """Yield the first rows of the table of the plan: what identifies it."""
    yield "name", plan.name
    yield "title", plan.title
    yield "plan", str(plan.provenance.get("plan", ""))
    yield "planner", str(plan.provenance.get("planner", ""))
    if (units := units_of(plan.study)) != "metric":
        yield "units", units
    if keeps(plan):
        yield KEEPS, plan.kept.source


def _counts(plan: Plan) -> Iterator[tuple[str, str | int]]:
    """Yield the number of rows of each table."""
    for name, table in tables_of(plan).items():
        if name != ABOUT.name:
            yield f"rows: {name}", table.count(plan)


ABOUT = Table(
    "plan",
    "Name, title, fingerprint of the plan, version of Planner, and the number of rows of each table.",
    lambda plan: [*identification(plan), *_counts(plan)],
    (
        Column("item", "item", "what it is", each(lambda item: item[0]), width=20),
        Column("value", "value", "its value", each(lambda item: item[1]), "figure", width=20),
    ),
    keys=1,
)

DECLARED = (
    WORK, CABLES, CABINETS, DEVICES, ROUTERS, PORTS, BUNDLES, TRAYS, NETWORKS, TRANSCEIVERS, BILL, VIOLATIONS, LINK_LOAD,
    QUANTITIES, ASSUMPTIONS, ABOUT,
)  # fmt: skip
"""Every table, in the order of the workbook's sheets."""


def keeps(plan: Plan) -> bool:
    """Return whether a plan keeps an older one; a phase that keeps places for the next one does not."""
    return plan.kept is not None and not plan.study.get("reserve")


def tables(*, named: bool, kept: bool = False) -> dict[str, Table]:
    """Return the tables of plans whose networks have names or not, and that keep an older plan or not."""
    return {table.name: table.of(named, kept) for table in DECLARED if table.named in (None, named)}


TABLES = tables(named=False)
"""The tables of a plan of one network without a name."""

NAMED_TABLES = tables(named=True)
"""The tables of a plan whose networks have names."""


SOME = {table.name: table for table in (PANELS, TRUNKS, EXISTING)}
"""The tables that only some plans have, by name."""

EVERY = NAMED_TABLES | SOME
"""Every table by its name."""


def tables_of(plan: Plan) -> dict[str, Table]:
    """Return the tables of a plan, by name."""
    own = tables(named=is_named(plan), kept=keeps(plan))
    return own | {name: table for name, table in SOME.items() if table.data(plan) is not None}
