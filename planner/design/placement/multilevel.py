"""Recursive bisection of network and floor, then annealing of cabinets and routers, for large networks."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Gt

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement.anneal import default_moves
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Budget, Moves, cool
from planner.domain.model import Placement

CABINET_HOT, ROUTER_HOT, COLD = 0.1, 0.02, 0.002
"""Initial temperatures of both phases and the final one, in units of the mean cost change of a random move."""

CABINET_MOVES, ROUTER_MOVES = 6_000, 500
"""Default moves per cabinet and per router."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Moves | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
    refine: bool = True,
) -> Placement:
    """Bisect network and floor recursively, then anneal cabinets, then routers.

    Annealing draws the partner of a move from slots near the neighbors of the moved item. Cabinets with fixed routers stay.

    Parameters
    ----------
    moves
        Number of annealing moves in both phases; by default 6,000 per cabinet and 500 per router, at least the default of
        `anneal`.
    seconds
        Wall time of annealing in seconds instead of `moves`; the result is then not reproducible.
    refine
        Whether to anneal after the bisection.
    """
    from planner.design.placement.search.state import Search

    layout, tried, complete = problem.start, 0, True
    try:
        progress("placement", 0, 1000, phase="bisection")
        layout = bisected(problem, seed)
    except KeyboardInterrupt:
        complete = False
    routers = 0 if problem.cabinets_stay else problem.topology.router_count * ROUTER_MOVES
    default = problem.packing.cabinet_count * CABINET_MOVES
    budget = Budget(max(default + routers, default_moves(problem)) if moves is None else moves, seconds)
    share = default / (default + routers)
    phases = [(True, CABINET_HOT, share), (False, ROUTER_HOT, 1 - share)]
    try:
        for whole, hot, part in phases if refine and complete else ():
            if part and complete:
                state = seeds.state(seed, f"placement.multilevel.{'cabinets' if whole else 'routers'}")
                search = Search(problem.starting_at(layout), state, whole=whole, near=True)
                complete = cool(search, budget.scaled(part), hot, COLD, progress)
                layout, tried = search.best, tried + search.tried
    except KeyboardInterrupt:
        complete = False
    layout = min(problem.start, layout, key=lambda slot: problem.objective(slot, problem.search_cost))
    method = f"multilevel: bisection, then {tried:,} moves" + ("" if complete else ", interrupted")
    return problem.placement(layout, method, tried, complete=complete and seconds is None)


def bisected(problem: PlacementProblem, seed: int) -> np.ndarray:
    """Return the layout of recursive bisection alone, int64 (R,)."""
    from planner.design.placement.search.bisection import place_by_bisection
    from planner.design.placement.search.state import quotient

    start = problem.compact()
    slot_of, cabinet = np.unique(start, return_inverse=True)
    free = np.flatnonzero(~problem.fixed_slots[slot_of])
    if len(free) < 2:
        return start
    graph = quotient(problem.topology, cabinet)[free][:, free]
    place = place_by_bisection(graph, problem.room.slot_xy[slot_of[free]].astype(np.int64), seed % (1 << 31))
    moved = slot_of.copy()
    moved[free] = slot_of[free][place]
    return _allowed(problem, start, slot_of, moved)[cabinet]


def _allowed(problem: PlacementProblem, start: np.ndarray, slot_of: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Swap cabinets in slots that do not carry them with the nearest ones that need less."""
    allowed = problem.packing.allowed
    if len(allowed) == 1:
        return moved
    demand = problem.demand[slot_of]
    while (wrong := np.flatnonzero(~allowed[demand, moved])).size:
        cabinet = wrong[0]
        fits = allowed[demand[cabinet], moved] & allowed[demand, moved[cabinet]] & ~problem.fixed_slots[slot_of]
        if not fits.any():
            return slot_of
        reach = problem.cost.between(np.full(len(moved), moved[cabinet]), moved)
        other = int(np.where(fits, reach, np.iinfo(np.int64).max).argmin())
        moved[[cabinet, other]] = moved[[other, cabinet]]
    return moved
