"""SciPy's fast approximate quadratic assignment (FAQ), as a baseline."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.placement.model.dense import by_qap, dense
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Placement


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    starts: Annotated[int, Ge(1)] = 1,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Run FAQ from the barycenter, then from random points; return the initial layout if that is better.

    Parameters
    ----------
    starts
        Number of runs; the best result is kept.
    seconds
        Wall time instead of `starts`; the result then depends on the machine.

    Raises
    ------
    InputError
        When there are more than 1,500 slots or routers, when some slots do not carry all cabinets, or when routers have
        different requirements: FAQ does not support forbidden locations.

    Notes
    -----
    As in [1]_, by SciPy, with the initial layout in place of a worse result.

    References
    ----------
    .. [1] J. Vogelstein et al., "Fast approximate quadratic programming for graph matching", PLoS ONE 10, 2015.
    """
    form = dense(problem.starting_at(problem.compact()))
    if form.restricted:
        message = "faq needs slots that carry every cabinet and routers with equal requirements"
        raise InputError(Problem("algorithm", message, "use tabu or anneal"))
    moves = None if seconds is not None else starts * max(1, form.qap.normal.pairs)
    return by_qap(problem, "faq", seed, progress, moves, seconds)
