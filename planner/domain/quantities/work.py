"""Duration of the installation work."""

from __future__ import annotations

from collections.abc import Callable

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity

_STAGES = ("in cabinet", "in row", "in zone", "across the room", "patching")


def _of_stage(stage: str) -> Callable[[Plan], int | None]:
    return lambda p: p.work.total_s(stage) if stage in p.work.stage_names else None


ORDER = 70

QUANTITIES = (
    Quantity("work_tasks", "", "", "tasks: bundles, and cabinets with cables inside", "work", lambda p: p.work.task_count),
    Quantity("work_s", "s", "lower", "working time of all installers", "work", lambda p: p.work.total_s()),
    *(
        Quantity(f"work_{s.replace(' ', '_')}_s", "s", "lower", f"working time of all installers, {s}", "work", _of_stage(s))
        for s in _STAGES
    ),
    Quantity("makespan_s", "s", "lower", "working time until the last crew is done", "work", lambda p: p.work.makespan_s),
    Quantity("work_shifts", "", "lower", "working days until the last crew is done", "work", lambda p: p.work.shifts),
)
