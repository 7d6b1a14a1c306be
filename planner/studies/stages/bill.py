"""The stage `bill`."""

from __future__ import annotations

from functools import partial

from planner.core.section import Section
from planner.design.bill import bill, terms
from planner.domain.model import Bill
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import rows_of


def _bill(run: Run) -> Bill:
    given = {"room": run.room, "rows": partial(rows_of, run), "hours_s": run.work.total_s(), "panels": run.panels}
    return bill(run.inventory, run.catalog, run.placement, run.cables, **given, **run.arguments("bill"))


STAGES = (
    Stage(
        record=Bill,
        run=_bill,
        rank=100,
        section=Section(
            "bill", (bill,), given=("inventory", "catalog", "placement", "cables", "room", "rows", "hours_s", "panels")
        ),
        reads=("catalog",),
        stored=False,
        examine=lambda run: terms(partial(rows_of, run), **run.arguments("bill")),
    ),
)
