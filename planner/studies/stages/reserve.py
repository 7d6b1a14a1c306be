"""The stage `reserved`."""

from __future__ import annotations

from planner.core.section import Section
from planner.design.reserve import reserve, reserved
from planner.domain.model import Reserved
from planner.studies.old_plans import rows_of
from planner.studies.stage import Run, Stage


def _reserved(run: Run) -> Reserved:
    return reserved(rows_of(run.arguments("reserve")["plans"]), run.inventory)


STAGES = (
    Stage(
        record=Reserved,
        run=_reserved,
        rank=37,
        section=Section("reserve", (reserve,), optional=True),
        is_input=True,
        # Other plans may be folders, and are quick to read.
        stored=False,
        seeded=False,
    ),
)
