"""Lower bound of the cost of any layout of filled cabinets."""

from __future__ import annotations

import numpy as np

from planner.design.placement.racks.problem import RackProblem

WORK = 400_000_000
"""Maximum number of products; in larger problems each connection counts with the cheapest pair of slots."""


def lower_bound(problem: RackProblem) -> int:
    """Return a lower bound of the cost of all layouts, by the bound of Gilmore and Lawler for each kind of connection.

    In slot p a cabinet pays at cheapest the scalar product of its numbers of connections to others, largest first, and the costs
    from p to other slots, smallest first, for each kind; every connection counts half at each end. The minimum assignment
    of cabinets to slots with these costs is a lower bound.

    References
    ----------
    .. [1] P. C. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem", SIAM J. 10, 1962.
    .. [2] E. L. Lawler, "The quadratic assignment problem", Management Science 9, 1963.
    """
    from scipy.optimize import linear_sum_assignment

    indptr, _, weight, kind = problem.rows
    slots = problem.slot_count
    if len(weight) * slots > WORK:
        minimum = np.array([table[~np.eye(slots, dtype=bool)].min() for table in problem.table], np.int64)
        return int((problem.weight * minimum[problem.kind]).sum() + problem.bias.min(axis=1).sum())
    # Costs from each slot to all others, ascending, in both directions of a connection; that to itself comes last.
    count = int(np.diff(indptr).max(initial=0))
    cheapest = {number: _ascending(problem.table, number, count) for number in np.unique(kind).tolist()}
    twice = 2 * problem.bias.astype(np.int64)
    for cabinet in range(problem.cabinet_count):
        own = slice(indptr[cabinet], indptr[cabinet + 1])
        for number, costs in cheapest.items():
            some = np.sort(weight[own][kind[own] == number])[::-1]
            twice[cabinet] += costs[:, : len(some)] @ some
    forbidden = int(twice.max(initial=0)) * problem.cabinet_count + 1
    twice = np.where(problem.allowed, twice, forbidden)
    cabinet, slot = linear_sum_assignment(twice)
    return -(-int(twice[cabinet, slot].sum()) // 2)


def _ascending(table: np.ndarray, number: int, count: int) -> np.ndarray:
    costs = (table[number >> 1].T if number & 1 else table[number >> 1]).astype(np.int64)
    costs[np.arange(len(costs)), np.arange(len(costs))] = np.iinfo(np.int64).max
    return np.sort(costs, axis=1)[:, :count]
