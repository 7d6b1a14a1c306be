"""A dense quadratic assignment as a CP-SAT model: a choice for every item, a product for every two choices that count."""

from __future__ import annotations

import numpy as np

from planner.cp_sat import solve
from planner.errors import InputError, Problem
from planner.placement._dense import Dense
from planner.progress import Progress
from planner.qap import Qap, Solution

MAX_PRODUCTS = 100_000
WORK = 60.0


def solved(form: Dense, seed: int, progress: Progress, work: float | None, seconds: float | None) -> Solution:
    """Return the best permutation that CP-SAT finds, starting from the identity, and its bound.

    Parameters
    ----------
    form
        The problem.
    work, seconds
        Limit in deterministic time, `WORK` by default, or in wall time.

    Raises
    ------
    InputError
        When the model would have more than 100,000 products.
    """
    from ortools.sat.python import cp_model

    qap = form.qap
    linked = int((np.triu(qap.flow + qap.flow.T, 1) > 0).sum())
    if linked * qap.size**2 > MAX_PRODUCTS:
        message = f"cp-sat takes at most {MAX_PRODUCTS:,} products, and {linked:,} links on {qap.size:,} places make more"
        raise InputError(Problem("method", message, "use branch"))
    model = cp_model.CpModel()
    stands = [[model.new_bool_var("") for _ in range(qap.size)] for _ in range(qap.size)]
    _assignment(model, qap, stands)
    model.minimize(_cost(model, qap, stands))

    class Report(cp_model.CpSolverSolutionCallback):
        """Progress after every solution; an interruption by it ends the search."""

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
    # The products follow from tight sums over places: worth their rows in the linear relaxation.
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
        place = np.array([[solver.boolean_value(x) for x in row] for row in stands]).argmax(axis=1)
    place = min(np.arange(qap.size), place, key=qap.objective)
    objective = qap.objective(place)
    # No cost is negative, and all are integers.
    bound = min(objective, max(0, round(solver.best_objective_bound)))
    method = f"CP-SAT: {solver.num_branches:,} branches" + ("" if complete else ", interrupted")
    optimal = status == cp_model.OPTIMAL and bound == objective
    return Solution(place, objective, method, int(solver.num_branches), bound, optimal, complete)


def _assignment(model, qap: Qap, stands: list[list]) -> None:
    """Every item one place, every place one item, fixed items theirs; a hint: where they are."""
    for row in stands:
        model.add_exactly_one(row)
    for column in zip(*stands, strict=True):
        model.add_exactly_one(column)
    for item in range(qap.size):
        if qap.fixed is not None and qap.fixed[item] >= 0:
            model.add(stands[item][int(qap.fixed[item])] == 1)
        for place in range(qap.size):
            model.add_hint(stands[item][place], item == place)


def _cost(model, qap: Qap, stands: list[list]):
    """Return the objective; each product is tied to its two choices by sums over the places of the other item."""
    terms, weights = [], []
    forbidden = np.zeros(qap.flow.shape, bool)
    if qap.linear is not None:
        # All that is forbidden is dearer than all that is allowed: out of the model.
        forbidden = qap.linear > 0
        for item, place in np.argwhere(forbidden).tolist():
            model.add(stands[item][place] == 0)
    for a, b in np.argwhere(np.triu(qap.flow + qap.flow.T, 1) > 0).tolist():
        cost = qap.flow[a, b] * qap.distance + qap.flow[b, a] * qap.distance.T
        both = {
            (here, there): model.new_bool_var("")
            for here in np.flatnonzero(~forbidden[a]).tolist()
            for there in np.flatnonzero(~forbidden[b]).tolist()
            if here != there
        }
        for place in range(qap.size):
            model.add(sum(x for (here, _), x in both.items() if here == place) == stands[a][place])
            model.add(sum(x for (_, there), x in both.items() if there == place) == stands[b][place])
        terms += both.values()
        weights += [int(cost[pair]) for pair in both]
    for item in np.flatnonzero(qap.flow.diagonal()).tolist():
        terms += stands[item]
        weights += (qap.flow[item, item] * qap.distance.diagonal()).tolist()
    return sum(weight * term for weight, term in zip(weights, terms, strict=True)) if terms else 0
