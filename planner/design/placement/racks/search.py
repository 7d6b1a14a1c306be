"""Search for a layout of filled cabinets: annealing, then descent."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.core.progress import Progress, silent
from planner.design.placement.racks.problem import RackProblem
from planner.design.placement.search.cooling import QUENCH, Budget

HOT, COLD = 0.5, 0.002
"""First and last temperature, in units of the mean absolute change of cost of a random move."""

RESTARTS = 4
"""Runs from the same start, each with an equal share of the moves."""


def start(problem: RackProblem, names: tuple[str, ...], room: str) -> np.ndarray:
    """Return a layout in order: each cabinet in the first free slot that carries it, as far as this leads to a layout.

    Raises
    ------
    Infeasible
        When there is no assignment of cabinets to slots that carry them.
    """
    slot, free = np.full(problem.cabinet_count, -1), np.ones(problem.slot_count, bool)
    for cabinet in range(problem.cabinet_count):
        options = np.flatnonzero(free & problem.allowed[cabinet])
        if not len(options):
            break
        slot[cabinet], free[options[0]] = options[0], False
    if (slot >= 0).all():
        return slot
    slot = maximum_bipartite_matching(csr_array(problem.allowed), perm_type="column").astype(np.int64)
    if (slot < 0).any():
        lacking = np.flatnonzero(slot < 0)
        what = f"{room} has no slot for {len(lacking)} of {problem.cabinet_count} cabinets"
        raise Infeasible(f"{what}, such as {names[lacking[0]]}: use a larger room, larger or stronger slots, or fuller cabinets")
    return slot


def search(
    problem: RackProblem, first: np.ndarray, budget: Budget, seed: int, progress: Progress = silent
) -> tuple[np.ndarray, int, bool]:
    """Return the best layout found, the number of moves, and whether the search was complete.

    Parameters
    ----------
    first
        Initial layout, int64 (C,).
    budget
        Moves, or seconds of wall time.
    """
    best, best_cost, tried, complete = first, problem.cost(first), 0, True
    try:
        for run in range(RESTARTS):
            state = seeds.state(seed, f"placement.racks.{run}")
            slot, count = _anneal(problem, first.copy(), budget.scaled(1 / RESTARTS), state, progress, best_cost)
            tried += count
            if problem.measures(slot) < problem.measures(best):
                best, best_cost = slot, problem.cost(slot)
    except KeyboardInterrupt:
        complete = False
    return best, tried, complete


def _anneal(
    problem: RackProblem, slot: np.ndarray, budget: Budget, state: np.ndarray, progress: Progress, best: int
) -> tuple[np.ndarray, int]:
    """Return the layout at the end of one run, and the number of moves."""
    from planner.kernels.placement import racks as kernel
    from planner.kernels.placement.anneal import THRESHOLD

    rack = np.full(problem.slot_count, -1)
    rack[slot] = np.arange(len(slot))
    run = (slot, rack, *problem.rows, problem.table, problem.bias)
    allowed = problem.allowed.astype(np.uint8)
    changes = np.empty(2000, np.int64)
    kernel.sample(changes, state, *run, allowed)
    mean = np.abs(changes[changes != 0])
    tried, scale = 0, float(mean.mean()) if len(mean) else 0.0
    now = lowest = 0
    kept = slot.copy()
    for moves, used in budget.levels() if scale else ():
        temperature = HOT * scale * (COLD / HOT) ** (used / QUENCH) if used < QUENCH else 0.0
        now += kernel.anneal(moves, temperature, THRESHOLD, state, *run, allowed)[0]
        tried += moves
        if now < lowest:
            kept[:], lowest = slot, now
        progress("placement", int(used * 1000), 1000, objective=best)
    return problem.descended(kept), tried
