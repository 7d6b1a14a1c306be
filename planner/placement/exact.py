"""Branch and bound, or CP-SAT, with proof: for rooms of few slots."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from planner import seeds
from planner.model import Placement
from planner.placement import anneal
from planner.placement._cooling import Budget
from planner.placement._dense import Dense, better, dense
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent
from planner.qap import Solution, solve

WARM_MOVES = 400_000
"""Annealing before, so that the search starts from what is most often the best already."""
WORK = 10**9
"""Nodes of branch and bound by default, each times the fourth power of the number of slots: some ten seconds."""
LARGEST = 40
"""Most locations of `planner.qap.exact`."""


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
    """Anneal, then prove that no layout is better, or find one.

    Parameters
    ----------
    method
        ``"branch"``: branch and bound by dual ascent, up to 40 slots. ``"cp-sat"``: the model of
        Adams and Johnson, solved by CP-SAT, up to 100,000 products of two choices.
    nodes
        Nodes of ``"branch"``; by default 10**9 / n**4 for n slots, 48,000 for 12.
    work
        Deterministic time of ``"cp-sat"``, about a second each, 60 by default.
    seconds
        Wall time instead of both; the result then depends on the machine.

    Raises
    ------
    InputError
        When there are too many slots, or routers.

    Notes
    -----
    What is proven when the search ends early, by its limits or by Ctrl-C, is still a lower bound.
    Nothing is claimed where a longest run is asked for and some pair of slots exceeds it, where
    groups of several cabinets must stay together (then only cabinets are moved, not their routers),
    or where routers that differ are placed one by one.

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
    # The best so far is the identity.
    form = dense(problem.starting_at(found), LARGEST)
    if method == "branch":
        solution = _branch(form, seed, progress, nodes, seconds)
    else:
        from planner.placement._cp_sat import solved

        solution = solved(form, seed, progress, work, seconds)
    layout = better(problem, form.layout(solution.permutation))
    placed = problem.placement(layout, solution.method, solution.evaluations, complete=solution.complete and seconds is None)
    if not form.whole or not _same_cost(problem) or solution.bound is None:
        return placed
    proven = "proven optimal" if solution.optimal else "not finished"
    name = "branch and bound" if method == "branch" else "CP-SAT"
    return replace(placed, lower_bound=max(0, solution.bound + form.constant), bound_method=f"{name}, {proven}")


def _branch(form: Dense, seed: int, progress: Progress, nodes: int | None, seconds: float | None) -> Solution:
    start = np.arange(form.qap.size)
    moves = WORK // form.qap.size**4 + 1 if nodes is None and seconds is None else nodes
    report = form.progress(progress)
    return solve(form.qap, seed=seed, seconds=seconds, moves=moves, algorithm="exact", start=start, progress=report)


def _same_cost(problem: PlacementProblem) -> bool:
    """Whether the search makes the objective itself small."""
    return problem.search_cost is problem.cost or np.array_equal(problem.search_cost.table, problem.cost.table)
