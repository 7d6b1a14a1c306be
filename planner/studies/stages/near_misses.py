"""The stage `near_misses`."""

from __future__ import annotations

from planner.core.section import Section
from planner.design.near_misses import near_misses
from planner.domain.model import NearMisses
from planner.studies.stage import Run, Stage
from planner.studies.stages.floor import lengths


def _near_misses(run: Run) -> NearMisses:
    given = {"prefer": run.arguments("cabling")["prefer"], **run.arguments("near_misses")}
    return near_misses(run.inventory, run.catalog, run.placement, run.cables, lengths(run), **given)


STAGES = (
    Stage(
        record=NearMisses,
        run=_near_misses,
        rank=70,
        optional_needs=("kept",),
        section=Section(
            "near_misses", (near_misses,), given=("inventory", "catalog", "placement", "cables", "lengths", "prefer")
        ),
        reads=("cabling",),
    ),
)
