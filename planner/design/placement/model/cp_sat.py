"""CP-SAT model of a dense quadratic assignment: a variable per choice, a product per pair of linked choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress
from planner.design.cp_sat import solve
from planner.design.placement.model.dense import Dense
from planner.design.qap import Qap, Solution

MAX_PRODUCTS = 100_000
WORK = 60.0


def solved(form: Dense, seed: int, progress: Progress, work: float | None, seconds: float | None) -> Solution:
    """Return the best permutation found by CP-SAT, starting from the identity, and its lower bound.

    Parameters
    ----------
    form
        The problem.
    work, seconds
        Limit in deterministic time, by default `WORK`, or in wall time in seconds.

    Raises
    ------
    InputError
        When the model needs more than 100,000 products.
    """
    from ortools.sat.python import cp_model

    qap = form.qap
    linked = int((np.triu(qap.flow + qap.flow.T, 1) > 0).sum())
    if linked * qap.size**2 > MAX_PRODUCTS:
        message = f"cp-sat takes at most {MAX_PRODUCTS:,} products, and {linked:,} links on {qap.size:,} places make more"
        raise InputError(Problem("method", message, "use branch"))
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in range(qap.size)] for _ in range(qap.size)]
    _assignment(model, qap, at)
    model.minimize(_cost(model, qap, at))

    class Report(cp_model.CpSolverSolutionCallback):
        """Report every solution; an interrupt during the report ends the search."""

        interrupted = False

        def on_solution_callback(self) -> None:
            try:
                objective = round(self.objective_value) + form.constant
                progress("placement", 0, 0, objective=objective, bound=round(self.best_objective_bound) + form.constant)
            except KeyboardInterrupt:
                self.interrupted = True
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % (1 << 31)
    # The sums over places make the linear relaxation tight.
    solver.parameters.linearization_level = 2
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    else:
        solver.parameters.max_deterministic_time = WORK if work is None else work
    report = Report()
    status, interrupted = solve(solver, model, report)
    used_up = seconds is not None or solver.response_proto.deterministic_time >= (WORK if work is None else work)
    complete = not (interrupted or report.interrupted) and (status == cp_model.OPTIMAL or used_up)
    place = np.arange(qap.size)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        place = np.array([[solver.boolean_value(x) for x in row] for row in at]).argmax(axis=1)
    place = min(np.arange(qap.size), place, key=qap.objective)
    objective = qap.objective(place)
    # No cost is negative, and all are integers.
    bound = min(objective, max(0, round(solver.best_objective_bound)))
    method = f"CP-SAT: {solver.num_branches:,} branches" + ("" if complete else ", interrupted")
    optimal = status == cp_model.OPTIMAL and bound == objective
    return Solution(place, objective, method, int(solver.num_branches), bound, optimal, complete)


def _assignment(model: Any, qap: Qap, at: list[list]) -> None:
    """Add the assignment constraints, fixed items, and the initial places as hints."""
    for row in at:
        model.add_exactly_one(row)
    for column in zip(*at, strict=True):
        model.add_exactly_one(column)
    for item in range(qap.size):
        if qap.fixed is not None and qap.fixed[item] >= 0:
            model.add(at[item][int(qap.fixed[item])] == 1)
        for place in range(qap.size):
            model.add_hint(at[item][place], item == place)


def _cost(model: Any, qap: Qap, at: list[list]) -> Any:
    """Return the objective; each product is linked to its two choices by sums over the places of the other item."""
    terms, weights = list[Any](), list[int]()
    forbidden = np.zeros(qap.flow.shape, bool)
    if qap.linear is not None:
        # Forbidden places cost more than any allowed layout, so they are excluded.
        forbidden = qap.linear > 0
        for item, place in np.argwhere(forbidden).tolist():
            model.add(at[item][place] == 0)
    for a, b in np.argwhere(np.triu(qap.flow + qap.flow.T, 1) > 0).tolist():
        cost = qap.flow[a, b] * qap.distance + qap.flow[b, a] * qap.distance.T
        both = {
            (here, there): model.new_bool_var("")
            for here in np.flatnonzero(~forbidden[a]).tolist()
            for there in np.flatnonzero(~forbidden[b]).tolist()
            if here != there
        }
        for place in range(qap.size):
            model.add(sum(x for (here, _), x in both.items() if here == place) == at[a][place])
            model.add(sum(x for (_, there), x in both.items() if there == place) == at[b][place])
        terms += both.values()
        weights += [int(cost[pair]) for pair in both]
    for item in np.flatnonzero(qap.flow.diagonal()).tolist():
        terms += at[item]
        weights += (qap.flow[item, item] * qap.distance.diagonal()).tolist()
    return sum(weight * term for weight, term in zip(weights, terms, strict=True)) if terms else 0
