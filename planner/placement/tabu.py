"""Robust taboo search: always the best exchange that was not made lately; strong on small unstructured networks."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt

from planner.model import Placement
from planner.placement._dense import by_qap
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Annotated[int, Ge(0)] | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Search from the study's layout, or from cabinets in order on the slots that lie together best.

    Every iteration looks at all exchanges of two items: cabinets (also with empty slots) where routers or groups
    stay in their cabinets, else routers.

    Parameters
    ----------
    moves
        Exchanges looked at; by default 1,000 for each pair of items.
    seconds
        Wall time instead of `moves`; the result then depends on the machine.

    Raises
    ------
    InputError
        When there are more than 1,500 slots, or routers.

    Notes
    -----
    Ctrl-C ends the search early and keeps the best it found, marked incomplete.

    References
    ----------
    .. [1] E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.
    """
    return by_qap(problem, "tabu", seed, progress, moves, seconds)
