"""Simulated annealing: routers, cabinets, rows and groups change places while the temperature falls."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner import seeds
from planner.model import Placement
from planner.placement._cooling import Budget, cool
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Annotated[int, Ge(0)] | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
    restarts: Annotated[int, Ge(1)] = 1,
    hot: Annotated[float, Gt(0)] = 0.25,
    cold: Annotated[float, Gt(0)] = 0.012,
) -> Placement:
    """Anneal from the study's layout, or from cabinets in order on the slots that lie together best.

    A move changes two routers of the same swap class, the contents of two slots, or of two rows or
    groups. All keep every limit: routers of one class need the same, and a cabinet only moves to a
    slot that carries it. Where routers cannot change cabinets only cabinets move; where groups of
    several cabinets stay together, first cabinets, then routers.

    Parameters
    ----------
    moves
        Moves tried; by default 100,000 for each router or cabinet, between 2 and 30 million.
    seconds
        Wall time instead of `moves`; the result then depends on the machine.
    restarts
        Runs from the same start, each with its share of the moves; the best is kept.
    hot, cold
        First and last temperature, in units of the mean change of cost of a random move.

    Notes
    -----
    Ctrl-C ends the search early and keeps the best it found, marked incomplete.

    References
    ----------
    .. [1] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    .. [2] D. Connolly, "An improved annealing scheme for the QAP", European J. Operational Research 46, 1990.
    """
    moves = usual_moves(problem) if moves is None else moves
    budget = Budget(moves // restarts, None if seconds is None else seconds / restarts)
    best, tried, complete = problem.start, 0, True
    problem = problem.starting_at(problem.compact())
    for run in range(restarts):
        layout, count, complete = search(problem, budget, seeds.state(seed, f"placement.anneal.{run}"), hot, cold, progress)
        tried += count
        best = min(best, layout, key=lambda slot: problem.objective(slot, problem.search_cost))
        if not complete:
            break
    method = f"anneal: {tried:,} moves" + ("" if complete else ", interrupted")
    return problem.placement(best, method, tried, complete=complete and seconds is None)


def usual_moves(problem: PlacementProblem) -> int:
    """Return the moves after which more bring little."""
    items = problem.packing.cabinet_count if problem.cabinets_stay else problem.topology.router_count
    return int(np.clip(100_000 * items, 2_000_000, 30_000_000))


def search(
    problem: PlacementProblem, budget: Budget, state: np.ndarray, hot: float, cold: float, progress: Progress = silent
) -> tuple[np.ndarray, int, bool]:
    """Return the best layout, the moves tried, and whether the search came to its end."""
    # Compiled code is loaded only when something is searched.
    from planner.placement._search import Search

    cabinets = Search(problem, state, whole=True) if problem.cabinets_stay or problem.groups_stay else None
    if cabinets is not None:
        part = budget if problem.cabinets_stay else budget.part(1 / 2)
        complete = cool(cabinets, part, hot, cold, progress)
        if problem.cabinets_stay or not complete:
            return cabinets.best, cabinets.tried, complete
        problem, budget, hot = problem.starting_at(cabinets.best), budget.part(1 / 2), hot / 2
    routers = Search(problem, state, whole=False)
    complete = cool(routers, budget, hot, cold, progress)
    return routers.best, routers.tried + (cabinets.tried if cabinets else 0), complete
