"""Simulated annealing of routers, cabinets, rows and groups."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement.model.cost import SlotCost
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Budget, Moves, cool, mean_change
from planner.domain.model import Placement

MOVES_PER_RUN, GUARDED_MOVES_PER_RUN = 1_500_000, 300_000
"""Moves per item above which another run is better than a longer one; fewer with a soft length limit, since the coarse
order of a run determines the minimum longest link."""

MOVES_PER_SECOND = 30_000_000
"""Approximate speed of a core; determines only the number of restarts of a search limited by time."""

GUARDS = ((1, 0.5, 1.0), (3, 0.2, 0.3), (10, 0.15, 0.2))
"""Penalty for links that are too long, share of the budget, and relative temperature of the first phases."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Moves | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
    restarts: Annotated[int, Ge(1)] | None = None,
    hot: Annotated[float, Gt(0)] = 0.25,
    cold: Annotated[float, Gt(0)] = 0.012,
) -> Placement:
    """Anneal from the given layout, or from cabinets in order on a compact set of slots.

    A move swaps two routers of the same swap class, the contents of two slots, or two rows or groups. All moves keep every
    limit: routers of one class have equal requirements, and a cabinet only moves to a slot that carries it. If routers cannot
    change cabinets, only cabinets move; if groups of several cabinets stay together, first cabinets, then routers.

    Parameters
    ----------
    moves
        Number of moves; by default 100,000 per router or cabinet, between 2 and 30 million.
    seconds
        Wall time in seconds instead of `moves`; the result is then not reproducible.
    restarts
        Number of runs from the same start, each with an equal share of the moves; the best is kept. By default one per
        1.5 million moves for each router or cabinet, or per 0.3 million with `longest_mm`.
    hot
        Initial temperature, in units of the mean absolute cost change of a random move.
    cold
        Final temperature, in the same unit.

    Notes
    -----
    Ctrl-C ends the search early and keeps the best layout, marked incomplete.

    Differs from [2]_: pairs are drawn instead of taken in order, the temperature falls geometrically in units of the mean change
    of a random move, and the last twentieth of a run accepts no deterioration.

    References
    ----------
    .. [1] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    .. [2] D. Connolly, "An improved annealing scheme for the QAP", European J. Operational Research 46, 1990.
    """
    moves = default_moves(problem) if moves is None else moves
    restarts = restarts or _default_restarts(problem, moves if seconds is None else seconds * MOVES_PER_SECOND)
    budget = Budget(moves // restarts, None if seconds is None else seconds / restarts)
    best, tried, complete = problem.start, 0, True
    compact = problem.starting_at(problem.compact())
    try:
        for run in range(restarts):
            layout, count, complete = search(compact, budget, seeds.state(seed, f"placement.anneal.{run}"), hot, cold, progress)
            tried += count
            best = min(best, layout, key=lambda slot: problem.objective(slot, problem.search_cost))
            if not complete:
                break
    except KeyboardInterrupt:
        # Between two searches.
        complete = False
    method = f"anneal: {tried:,} moves" + ("" if complete else ", interrupted")
    return problem.placement(best, method, tried, complete=complete and seconds is None)


def default_moves(problem: PlacementProblem) -> int:
    """Return the default number of moves."""
    return int(np.clip(100_000 * _items(problem), 2_000_000, 30_000_000))


def _items(problem: PlacementProblem) -> int:
    return problem.packing.cabinet_count if problem.cabinets_stay else problem.topology.router_count


def _default_restarts(problem: PlacementProblem, moves: float) -> int:
    enough = MOVES_PER_RUN if problem.search_cost is problem.cost else GUARDED_MOVES_PER_RUN
    return max(1, int(moves / (enough * _items(problem))))


def search(
    problem: PlacementProblem, budget: Budget, state: np.ndarray, hot: float, cold: float, progress: Progress = silent
) -> tuple[np.ndarray, int, bool]:
    """Return the best layout, the number of moves, and whether the search was complete."""
    # Importing the search loads compiled code.
    from planner.design.placement.search.state import Search

    layout, tried, scale, complete = problem.start, 0, {}, True
    try:
        for whole, cost, share, warmth in _phases(problem):
            phase = Search(problem.starting_at(layout), state, whole=whole, cost=cost)
            if whole not in scale:
                scale[whole] = mean_change(Search(problem, state.copy(), whole=whole, cost=problem.cost))
            complete = cool(phase, budget.scaled(share), hot * warmth, cold * min(1.0, 2 * warmth), progress, scale[whole])
            layout, tried = phase.best, tried + phase.tried
            if not complete:
                break
    except KeyboardInterrupt:
        complete = False
    return layout, tried, complete


def _phases(problem: PlacementProblem) -> list[tuple[bool, SlotCost, float, float]]:
    """Return the phases of a search: whether items are cabinets, cost, share of the budget, and relative temperature.

    The penalty for links that are too long grows from phase to phase.
    """
    levels = [(True, 1.0)] if problem.cabinets_stay else [(True, 1.0), (False, 0.5)] if problem.groups_stay else [(False, 1.0)]
    guards = [(problem.search_cost, 1.0, 1.0)]
    if problem.search_cost is not problem.cost:
        weaker = [(problem.cost.penalized_cost(strength), part, warmth) for strength, part, warmth in GUARDS]
        guards = [*weaker, (problem.search_cost, 1 - sum(part for _, part, _ in weaker), weaker[-1][2])]
    share = 1 / len(levels)
    return [(whole, cost, part * share, warmth * warm) for whole, warm in levels for cost, part, warmth in guards]
