"""The stage `cooling`."""

from __future__ import annotations

from planner.catalog._stage import rows_of
from planner.cooling import cooling, units_of
from planner.model.cooling import Cooling
from planner.section import Section
from planner.stage import Run, Stage


def _cooling(run: Run) -> Cooling:
    rows = rows_of(run, "cooling_unit")
    return cooling(run.inventory, run.catalog, run.room, run.placement, run.cables, rows, **run.arguments("cooling"))


STAGES = (
    Stage(
        record=Cooling,
        run=_cooling,
        rank=105,
        needs=("inventory", "catalog", "room", "placement", "cables"),
        section=Section("cooling", (cooling,), given=("inventory", "catalog", "room", "placement", "cables", "rows")),
        reads=("catalog",),
        seeded=False,
        examine=lambda run: units_of(run.arguments("cooling")["units"], rows_of(run, "cooling_unit"), run.room),
    ),
)
