"""Linear assignment: routers or cabinets that no link joins are put back together where they cost least."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner import seeds
from planner.model import Placement
from planner.placement._dense import better
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    patience: Annotated[int, Ge(1)] = 30,
    most: Annotated[int, Ge(2)] = 300,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Take off many items of which no two are linked, put them back at least cost, again and again.

    Items are cabinets, which may also move to empty slots, and, where they may change cabinets,
    routers, which take each other's places within their swap class. What such a set costs in other
    places depends on the others alone, so that one linear assignment finds the best places for all
    of the set at once, exactly. Starts at the study's layout, or at cabinets in order on the slots
    that lie together best; never ends worse.

    Parameters
    ----------
    patience
        Ends after so many sets in succession that brought nothing.
    most
        Most items in a set; sets are drawn at random, and as large as links allow.
    seconds
        Wall time after which it ends in any case; the result may then depend on the machine.

    Notes
    -----
    Dense networks have small sets only: there this is a search by exchanges of a few items. Ctrl-C
    ends it early and keeps what has been found, marked incomplete.

    References
    ----------
    .. [1] D. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Transactions on
       Aerospace and Electronic Systems 52, 2016.
    .. [2] R. Ahuja, K. Jha, J. Orlin, D. Sharma, "Very large-scale neighborhood search for the
       quadratic assignment problem", INFORMS Journal on Computing 19, 2007.
    """
    draw, started = seeds.stream(seed, "placement.assignment"), time.perf_counter()
    layout = better(problem, problem.compact())
    found = _Found(layout, problem.objective(layout, problem.search_cost))
    complete = True
    try:
        while _round(problem, found, draw, patience, most, progress, None if seconds is None else started + seconds):
            pass
    except (KeyboardInterrupt, TimeoutError):
        complete = False
    method = f"assignment: {found.sets:,} sets, {found.items:,} items put back" + ("" if complete else ", ended early")
    return problem.placement(found.layout, method, found.items, complete=complete)


@dataclass
class _Found:
    """The layout so far, what it costs, and how many sets and items have been tried."""

    layout: np.ndarray
    objective: int
    sets: int = 0
    items: int = 0


def _round(
    problem: PlacementProblem,
    found: _Found,
    draw: np.random.Generator,
    patience: int,
    most: int,
    progress: Progress,
    until: float | None,
) -> bool:
    """Improve cabinets, then routers, each until nothing helps; return whether another round may help."""
    from planner.placement._independent import Sets

    gained = []
    for whole in (True,) if problem.cabinets_stay else (True, False):
        # Once routers have moved, cabinets are others than before.
        sets, in_vain, before = Sets(problem.starting_at(found.layout), whole=whole), 0, found.objective
        while in_vain < patience:
            if until is not None and time.perf_counter() >= until:
                raise TimeoutError
            layout, gain, items = sets.improved(found.layout, draw, most)
            found.layout, found.objective = layout, found.objective - gain
            found.sets, found.items = found.sets + 1, found.items + items
            in_vain = 0 if gain else in_vain + 1
            progress("placement", 0, 0, objective=found.objective, sets=found.sets)
        gained.append(found.objective < before)
    return len(gained) > 1 and gained[-1]
