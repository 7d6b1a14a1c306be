"""The stage `cooling`."""

from __future__ import annotations

from planner.core.section import Section
from planner.domain.model.cooling import Cooling
from planner.hall.cooling import cooling, units_of
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import rows_of


def _cooling(run: Run) -> Cooling:
    rows = rows_of(run, "cooling_unit")
    return cooling(run.inventory, run.catalog, run.room, run.placement, run.cables, rows, **run.arguments("cooling"))


STAGES = (
    Stage(
        record=Cooling,
        run=_cooling,
        rank=105,
        section=Section("cooling", (cooling,), given=("inventory", "catalog", "room", "placement", "cables", "rows")),
        reads=("catalog",),
        seeded=False,
        examine=lambda run: units_of(run.arguments("cooling")["units"], rows_of(run, "cooling_unit"), run.room),
    ),
)
