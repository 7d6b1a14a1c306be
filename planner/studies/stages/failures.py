"""The stage `failures`."""

from __future__ import annotations

from planner.core.section import Section
from planner.design.failures import failures
from planner.domain.model import Failures, power_domains
from planner.studies.stage import Run, Stage


def _failures(run: Run) -> Failures:
    powered = power_domains(run.inventory, run.placement, run.room)
    given = {"seed": run.study.seed, "intact": run.bisection, "progress": run.progress, **run.arguments("failures")}
    return failures(run.topology, run.inventory, run.room, run.placement, run.cables, powered, **given)


STAGES = (
    Stage(
        record=Failures,
        of_each_network=True,
        run=_failures,
        rank=120,
        section=Section(
            "failures",
            (failures,),
            given=("topology", "inventory", "room", "placement", "cables", "domains", "seed", "intact", "progress"),
        ),
    ),
)
