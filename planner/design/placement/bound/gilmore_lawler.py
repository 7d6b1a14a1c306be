"""Gilmore-Lawler bound: minimum link costs of every router in every place, then a linear assignment."""

from __future__ import annotations

import numpy as np

from planner.design.placement.bound.relaxation.items import Items, views
from planner.design.placement.model.problem import PlacementProblem

_LARGEST = 1500


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound; None for more than 1,500 places.

    The number of places per slot is the maximum number of routers in a cabinet. The cost of a router in a place is at
    least that of its links to the cheapest other places, the largest weights to the cheapest. The minimum
    assignment counts every link at both ends.

    References
    ----------
    .. [1] P. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem", J. SIAM 10, 1962.
    .. [2] E. Lawler, "The quadratic assignment problem", Management Science 9, 1963.
    """
    values = [_bound(items) for items in views(problem) if items.places <= _LARGEST]
    return max(values, default=None)


def _bound(items: Items) -> int:
    from scipy.optimize import linear_sum_assignment

    weight = items.sorted_weights()
    cost = items.place_cost()
    np.fill_diagonal(cost, np.iinfo(np.int64).max)
    cost.sort(axis=1)
    # Costs are below 2**26 and a router has few links: the products are exact in float64.
    star = weight.astype(np.float64) @ cost[:, : weight.shape[1]].T.astype(np.float64)
    star = np.rint(star).astype(np.int64)
    twice = int(star[linear_sum_assignment(star)].sum())
    return items.within_cost - (-twice // 2)
