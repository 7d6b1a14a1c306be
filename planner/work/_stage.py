"""The stage `work`."""

from planner.model import WorkOrder
from planner.section import Section
from planner.stage import Stage
from planner.work import work

STAGES = (
    Stage(
        record=WorkOrder,
        run=lambda run: work(run.catalog, run.cables, run.panels, run.room.segment_mm, **run.arguments("work")),
        rank=90,
        needs=("catalog", "room", "cables", "panels"),
        section=Section("work", (work,), given=("catalog", "cables", "panels", "segment_mm")),
    ),
)
