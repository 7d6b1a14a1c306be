"""Simulated annealing: routers, cabinets, rows and groups change places while the temperature falls."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner import seeds
from planner.model import Placement
from planner.placement._cooling import Budget, cool, mean_change
from planner.placement._cost import SlotCost
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent

MOVES_PER_RUN, GUARDED_MOVES_PER_RUN = 1_500_000, 300_000
"""Moves for each item after which another run brings more than a longer one; sooner where links may be too long,
since the coarse order that a run settles on decides how short the longest can be."""

MOVES_PER_SECOND = 30_000_000
"""About what a core does; only the number of restarts of a search bounded by time depends on it."""

GUARDS = ((1, 0.5, 1.0), (3, 0.2, 0.3), (10, 0.15, 0.2))
"""Strength of the guard against links that are too long, share of the budget, and warmth of its first phases."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Annotated[int, Ge(0)] | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
    restarts: Annotated[int, Ge(1)] | None = None,
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
        Runs from the same start, each with its share of the moves; the best is kept. By default one for
        every 1.5 million moves for each router or cabinet, with `longest_mm` 0.3 million: longer runs
        bring less than another one.
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
    restarts = restarts or _usual_restarts(problem, moves if seconds is None else seconds * MOVES_PER_SECOND)
    budget = Budget(moves // restarts, None if seconds is None else seconds / restarts)
    best, tried, complete = problem.start, 0, True
    compact = problem.starting_at(problem.compact())
    for run in range(restarts):
        layout, count, complete = search(compact, budget, seeds.state(seed, f"placement.anneal.{run}"), hot, cold, progress)
        tried += count
        best = min(best, layout, key=lambda slot: problem.objective(slot, problem.search_cost))
        if not complete:
            break
    method = f"anneal: {tried:,} moves" + ("" if complete else ", interrupted")
    return problem.placement(best, method, tried, complete=complete and seconds is None)


def usual_moves(problem: PlacementProblem) -> int:
    """Return the moves after which more bring little."""
    return int(np.clip(100_000 * _items(problem), 2_000_000, 30_000_000))


def _items(problem: PlacementProblem) -> int:
    return problem.packing.cabinet_count if problem.cabinets_stay else problem.topology.router_count


def _usual_restarts(problem: PlacementProblem, moves: float) -> int:
    enough = MOVES_PER_RUN if problem.search_cost is problem.cost else GUARDED_MOVES_PER_RUN
    return max(1, int(moves / (enough * _items(problem))))


def search(
    problem: PlacementProblem, budget: Budget, state: np.ndarray, hot: float, cold: float, progress: Progress = silent
) -> tuple[np.ndarray, int, bool]:
    """Return the best layout, the moves tried, and whether the search came to its end."""
    # Compiled code is loaded only when something is searched.
    from planner.placement._search import Search

    layout, tried, scale, complete = problem.start, 0, {}, True
    try:
        for whole, cost, share, warmth in _phases(problem):
            phase = Search(problem.starting_at(layout), state, whole=whole, cost=cost)
            if whole not in scale:
                scale[whole] = mean_change(Search(problem, state.copy(), whole=whole, cost=problem.cost))
            complete = cool(phase, budget.part(share), hot * warmth, cold * min(1.0, 2 * warmth), progress, scale[whole])
            layout, tried = phase.best, tried + phase.tried
            if not complete:
                break
    except KeyboardInterrupt:
        complete = False
    return layout, tried, complete


def _phases(problem: PlacementProblem) -> list[tuple[bool, SlotCost, float, float]]:
    """Phases of a search: whether cabinets move whole, the cost, share of the budget, and how warm it begins.

    Links that are too long are first made somewhat dear, and forbidden when the coarse order is found.
    """
    levels = [(True, 1.0)] if problem.cabinets_stay else [(True, 1.0), (False, 0.5)] if problem.groups_stay else [(False, 1.0)]
    guards = [(problem.search_cost, 1.0, 1.0)]
    if problem.search_cost is not problem.cost:
        weaker = [(problem.cost.penalized_cost(strength), *rest) for strength, *rest in GUARDS]
        guards = [*weaker, (problem.search_cost, 1 - sum(part for _, part, _ in weaker), weaker[-1][2])]
    share = 1 / len(levels)
    return [(whole, cost, part * share, warmth * warm) for whole, warm in levels for cost, part, warmth in guards]
