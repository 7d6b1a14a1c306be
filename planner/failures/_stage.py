"""The stage `failures`."""

from __future__ import annotations

from planner.failures import failures
from planner.model import Failures, power_domains
from planner.section import Section
from planner.stage import Run, Stage


def _failures(run: Run) -> Failures:
    powered = power_domains(run.placement, run.catalog, run.room)
    given = {"seed": run.study.seed, "progress": run.progress, **run.arguments("failures")}
    return failures(run.topology, run.room, run.placement, run.cables, powered, **given)


STAGES = (
    Stage(
        record=Failures,
        run=_failures,
        rank=120,
        needs=("topology", "catalog", "room", "placement", "cables"),
        section=Section(
            "failures", (failures,), given=("topology", "room", "placement", "cables", "domains", "seed", "progress")
        ),
    ),
)
