"""The stage `work`."""

from planner.core.section import Section
from planner.design.work import work
from planner.domain.model import WorkOrder
from planner.studies.stage import Stage

STAGES = (
    Stage(
        record=WorkOrder,
        run=lambda run: work(run.catalog, run.cables, run.panels, run.room.segment_mm, **run.arguments("work")),
        rank=90,
        section=Section("work", (work,), given=("catalog", "cables", "panels", "segment_mm")),
    ),
)
