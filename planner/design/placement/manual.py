"""Given layout, unchanged."""

from __future__ import annotations

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Placement


def place(problem: PlacementProblem, *, seed: int, progress: Progress = silent) -> Placement:
    """Place every router as in the layout of the study.

    Raises
    ------
    InputError
        When the study has no layout, or routers are missing from it.
    """
    if problem.missing is None:
        raise InputError(Problem("layout", "manual placement needs a layout", 'add layout = "my-layout.csv"'))
    if len(problem.missing):
        names = ", ".join(f"R{router:04d}" for router in problem.missing[:8])
        more = f" and {len(problem.missing) - 8:,} more" if len(problem.missing) > 8 else ""
        raise InputError(Problem("layout", f"lacks {names}{more}", "add rows, or choose another algorithm to place the rest"))
    return problem.placement(problem.start, "manual: given layout", 0)
