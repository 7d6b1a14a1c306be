"""The stage `near_misses`."""

from __future__ import annotations

from planner.floor._stage import lengths
from planner.model import NearMisses
from planner.near_misses import near_misses
from planner.section import Section
from planner.stage import Run, Stage


def _near_misses(run: Run) -> NearMisses:
    given = {"prefer": run.arguments("cabling")["prefer"], **run.arguments("near_misses")}
    return near_misses(run.inventory, run.catalog, run.placement, run.cables, lengths(run), **given)


STAGES = (
    Stage(
        record=NearMisses,
        run=_near_misses,
        rank=70,
        needs=("inventory", "catalog", "room", "placement", "cables"),
        optional_needs=("kept",),
        section=Section(
            "near_misses", (near_misses,), given=("inventory", "catalog", "placement", "cables", "lengths", "prefer")
        ),
        reads=("cabling",),
    ),
)
