"""The stage `violations`."""

from __future__ import annotations

from functools import partial

from planner.catalog._stage import rows_of
from planner.check import Source, check
from planner.model import Plan, Violations
from planner.stage import Run, Stage


def _check(run: Run) -> Violations:
    """Check the plan for consistency and against the study."""
    plan = Plan(run.study.name, run.study.title, run.study.expanded(), **run.records)
    return check(plan, Source(run.topology, run.catalog, run.room, partial(rows_of, run)))


STAGES = (
    Stage(
        record=Violations,
        run=_check,
        rank=900,
        needs=("topology", "catalog", "room", "inventory", "placement", "cables", "work", "bill"),
        # The plan is verified on every run.
        stored=False,
    ),
)
