"""The stage `violations`."""

from __future__ import annotations

from functools import cache, partial

from planner.check import Source, check
from planner.domain.model import Plan, Violations
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import rows_of
from planner.studies.stages.topology import bare


def _check(run: Run) -> Violations:
    """Check the plan for consistency and against the study."""
    plan = Plan.of_records(run.study.expanded(), run.records)
    topologies = {name: plan.of(name).topology for name in plan.network_names}
    source = Source(topologies, run.catalog, run.room, partial(rows_of, run), cache(partial(bare, run)))
    return check(plan, source, run.side_by_side)


STAGES = (
    Stage(
        record=Violations,
        run=_check,
        rank=900,
        optional_needs=("kept",),
        last=True,
        # The plan is verified on every run.
        stored=False,
    ),
)
