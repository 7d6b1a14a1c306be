"""Linear assignment: optimal reinsertion of independent sets of routers or cabinets."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement.model.dense import better
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Placement


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    patience: Annotated[int, Ge(1)] = 30,
    max_items: Annotated[int, Ge(2)] = 300,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Repeatedly remove many items of which no two are linked, and reinsert them at minimum cost.

    Items are cabinets, which may also move to empty slots, and, if they may change cabinets, routers, which are permuted
    within their swap class. The cost of such items depends only on the other items, so one linear assignment finds the optimal
    places of the whole set. Starts from the given layout, or from cabinets in order on a compact set of slots; the result is
    never worse.

    Parameters
    ----------
    patience
        Number of consecutive sets without improvement after which the search ends.
    max_items
        Maximum number of items in a set; sets are drawn at random, and as large as links allow.
    seconds
        Limit of the wall time in seconds; the result is then not reproducible. By default no limit.

    Notes
    -----
    Dense networks have only small independent sets, so the search exchanges few items at a time. Ctrl-C
    ends it early and keeps the best layout, marked incomplete.

    References
    ----------
    .. [1] D. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Transactions on
       Aerospace and Electronic Systems 52, 2016.
    .. [2] R. Ahuja, K. Jha, J. Orlin, D. Sharma, "Very large-scale neighborhood search for the
       quadratic assignment problem", INFORMS Journal on Computing 19, 2007.
    """
    draw, started = seeds.stream(seed, "placement.assignment"), time.perf_counter()
    layout = better(problem, problem.compact())
    state = _State(layout, problem.objective(layout, problem.search_cost))
    complete = True
    try:
        while _round(problem, state, draw, patience, max_items, progress, None if seconds is None else started + seconds):
            pass
    except (KeyboardInterrupt, TimeoutError):
        complete = False
    method = f"assignment: {state.sets:,} sets, {state.items:,} items reinserted" + ("" if complete else ", ended early")
    return problem.placement(state.layout, method, state.items, complete=complete)


@dataclass
class _State:
    """Current layout, its cost, and the number of sets and items so far."""

    layout: np.ndarray
    objective: int
    sets: int = 0
    items: int = 0


def _round(
    problem: PlacementProblem,
    state: _State,
    draw: np.random.Generator,
    patience: int,
    max_items: int,
    progress: Progress,
    until: float | None,
) -> bool:
    """Improve cabinets, then routers, until there is no improvement; return whether another round may help."""
    from planner.design.placement.search.independent import Sets

    gained = []
    for whole in (True,) if problem.cabinets_stay else (True, False):
        # Cabinets have changed if routers have moved.
        sets, failures, before = Sets(problem.starting_at(state.layout), whole=whole), 0, state.objective
        while failures < patience:
            if until is not None and time.perf_counter() >= until:
                raise TimeoutError
            layout, gain, items = sets.improved(state.layout, draw, max_items)
            state.layout, state.objective = layout, state.objective - gain
            state.sets, state.items = state.sets + 1, state.items + items
            failures = 0 if gain else failures + 1
            progress("placement", 0, 0, objective=state.objective, sets=state.sets)
        gained.append(state.objective < before)
    return len(gained) > 1 and gained[-1]
