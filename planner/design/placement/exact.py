"""Branch and bound, or CP-SAT, with proof of optimality, for rooms with few slots."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement import anneal
from planner.design.placement.model.dense import Dense, better, dense
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Budget
from planner.design.qap import Solution, solve
from planner.domain.model import Placement

WARM_MOVES = 400_000
"""Moves of annealing before the search, which usually finds the optimum already."""
WORK = 10**9
"""Default number of nodes of branch and bound times the fourth power of the number of slots, about ten seconds."""
LARGEST = 40
"""Maximum number of locations of `planner.design.qap.exact`."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    method: Literal["branch", "cp-sat"] = "branch",
    nodes: Annotated[int, Ge(0)] | None = None,
    work: Annotated[float, Gt(0)] | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Anneal, then prove optimality or find a better layout.

    Parameters
    ----------
    method
        ``"branch"``: branch and bound by dual ascent, up to 40 slots. ``"cp-sat"``: the model of
        Adams and Johnson, solved by CP-SAT, up to 100,000 products of two choices.
    nodes
        Maximum number of nodes of ``"branch"``; by default 10**9 / n**4 for n slots, 48,000 for 12.
    work
        Deterministic time of ``"cp-sat"``, in units of about a second; by default 60.
    seconds
        Wall time in seconds instead of both; the result is then not reproducible.

    Raises
    ------
    InputError
        When there are too many slots, or routers.

    Notes
    -----
    If the search ends early, by its limits or by Ctrl-C, the proven value is still a lower bound. No bound is returned if
    `longest_mm` is set and some pair of slots exceeds it, if groups of several cabinets must stay together (then only
    cabinets are moved, not their routers), or if routers that differ are placed individually.

    References
    ----------
    .. [1] P. Hahn, T. Grant, N. Hall, "A branch-and-bound algorithm for the quadratic assignment
       problem based on the Hungarian method", European J. Operational Research 108, 1998.
    .. [2] W. Adams, T. Johnson, "Improved linear programming-based lower bounds for the quadratic
       assignment problem", DIMACS Series 16, 1994.
    """
    dense(problem, LARGEST)
    warm = problem.starting_at(problem.compact())
    state = seeds.state(seed, "placement.exact")
    found, tried, complete = anneal.search(warm, Budget(WARM_MOVES), state, 0.25, 0.012, progress)
    found = better(problem, found)
    if not complete:
        return problem.placement(found, "annealing before a proof, interrupted", tried, complete=False)
    # The best layout so far becomes the identity.
    form = dense(problem.starting_at(found), LARGEST)
    if method == "branch":
        solution = _branch(form, seed, progress, nodes, seconds)
    else:
        from planner.design.placement.model.cp_sat import solved

        solution = solved(form, seed, progress, work, seconds)
    layout = better(problem, form.layout(solution.permutation))
    placed = problem.placement(layout, solution.method, solution.evaluations, complete=solution.complete and seconds is None)
    if not form.whole or not _same_cost(problem) or solution.bound is None:
        return placed
    proven = "proven optimal" if solution.optimal else "not complete"
    name = "branch and bound" if method == "branch" else "CP-SAT"
    return replace(placed, lower_bound=max(0, solution.bound + form.constant), bound_method=f"{name}, {proven}")


def _branch(form: Dense, seed: int, progress: Progress, nodes: int | None, seconds: float | None) -> Solution:
    start = np.arange(form.qap.size)
    moves = WORK // form.qap.size**4 + 1 if nodes is None and seconds is None else nodes
    report = form.progress(progress)
    return solve(form.qap, seed=seed, seconds=seconds, moves=moves, algorithm="exact", start=start, progress=report)


def _same_cost(problem: PlacementProblem) -> bool:
    """Return whether the search cost equals the objective."""
    return problem.search_cost is problem.cost or np.array_equal(problem.search_cost.table, problem.cost.table)
