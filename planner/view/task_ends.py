"""Names of the ends of tasks: cabinets and panel frames."""

from __future__ import annotations

from planner.domain.model import Plan
from planner.view.names import cabinet_names


def task_ends(plan: Plan) -> list[tuple[str, str]]:
    """Return where each task begins and ends: cabinets or panel frames; the second is ``inside`` for work inside one cabinet."""
    cabinets = cabinet_names(plan)
    frames = plan.panels.frame_names.tolist() if plan.panels is not None else []

    def name(cabinet: int, frame: int) -> str:
        return frames[frame] if frame >= 0 else cabinets[cabinet]

    both = zip(plan.work.cabinet.tolist(), plan.work.frame.tolist(), strict=True)
    found = [tuple(map(name, at, frame)) for at, frame in both]
    return [(one, "inside" if one == other else other) for one, other in found]
