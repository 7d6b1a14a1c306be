"""Pareto front of cost and longest link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement.anneal import default_moves, search
from planner.design.placement.model.cost import SlotCost
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Budget
from planner.domain.model import Placement

STEP = 0.95
"""Ratio of the next limit to the current longest link."""

HOT, COLD = 0.25, 0.01


def front(
    problem: PlacementProblem,
    placed: Placement,
    cost_within: Callable[[int], SlotCost],
    points: int,
    *,
    seed: int,
    progress: Progress = silent,
) -> np.ndarray:
    """Return the Pareto front of cost and longest link, by ascending cost.

    Parameters
    ----------
    placed
        Initial placement, the first point.
    cost_within
        Returns the cost between slots for a soft limit in mm; for 0 the excess is the run length.
    points
        Maximum number of limits; the search stops at the first one that cannot be kept.

    Returns
    -------
    front
        Objective and longest run length in mm, int64 (F, 2), the objective ascending.
    """
    length_mm = cost_within(0).excess
    assert length_mm is not None  # a cost with a limit has it
    run_mm = replace(problem.cost, table=length_mm)
    a, b = problem.topology.links.T

    def longest(slot: np.ndarray) -> int:
        return int(run_mm.between(slot[a], slot[b]).max(initial=0))

    layout = placed.slot[: problem.topology.router_count]
    found = [(placed.objective, longest(layout))]
    budget = Budget(default_moves(problem) // 4)
    try:
        for number in range(points):
            progress("front", number, points)
            limited = replace(problem, cost=cost_within(int(found[-1][1] * STEP)), start=layout)
            candidate, _, complete = search(limited, budget, seeds.state(seed, f"placement.front.{number}"), HOT, COLD)
            if not complete or limited.cost.too_long(candidate[a], candidate[b]):
                break
            layout = candidate
            found.append((problem.objective(layout), longest(layout)))
        progress("front", points, points)
    except KeyboardInterrupt:
        # Return the front of the points found so far.
        pass
    return np.array([p for p in found if not any(q[0] <= p[0] and q[1] <= p[1] and q != p for q in found)], np.int64)
