"""Robust taboo search: repeatedly the best exchange that is not taboo; effective for small unstructured networks."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Gt

from planner.core.progress import Progress, silent
from planner.design.placement.model.dense import by_qap
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Moves
from planner.domain.model import Placement


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Moves | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Search from the given layout, or from cabinets in order on a compact set of slots.

    Every iteration evaluates all exchanges of two items: cabinets (also with empty slots) if routers or groups
    stay in their cabinets, else routers.

    Parameters
    ----------
    moves
        Number of evaluated exchanges; by default 1,000 per pair of items.
    seconds
        Wall time in seconds instead of `moves`; the result is then not reproducible.

    Raises
    ------
    InputError
        When there are more than 1,500 slots, or routers.

    Notes
    -----
    Ctrl-C ends the search early and keeps the best layout, marked incomplete.

    Differs from [1]_ as `planner.design.qap.tabu.search` does: other tenures, perturbations, and children of good solutions.

    References
    ----------
    .. [1] E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.
    """
    return by_qap(problem, "tabu", seed, progress, moves, seconds)
