"""How many links each pair of groups, or of a leaf and a spine, has in a grown network: balanced, with the maximum of old ones.

Pairs have the rounded-down or rounded-up mean number of links. Which pairs have one more is a matching problem with degrees
(b-matching), solved exactly as a mixed-integer program.

References
----------
.. [1] S. Zhao, R. Wang, J. Zhou, J. Ong, J. Mogul, A. Vahdat, "Minimal rewiring: efficient live expansion for Clos data center
       networks", NSDI 2019.
.. [2] A. Schrijver, "Combinatorial optimization", 2003, chapter 31 (b-matching).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array

from planner.core.errors import Infeasible

_SECONDS = 60
"""Limit of one program; the best found within it is used."""


def quotas(
    pairs: np.ndarray, had: np.ndarray, budget: np.ndarray, lowest: np.ndarray, fresh: np.ndarray | None = None
) -> np.ndarray:
    """Return the links of each pair, int64 (P,), with the maximum sum, and then the maximum number of links that stay.

    Parameters
    ----------
    pairs
        Units of each pair, int (P, 2).
    had
        Links of each pair in the old network, int (P,).
    budget, lowest
        Maximum and minimum links of each unit, int (U,).
    fresh
        Whether a unit is new, bool (U,): then the number of links between old and new units is at least that of links spread
        uniformly, so that their cut is not the bottleneck.

    Raises
    ------
    Infeasible
        When a unit cannot have a link to each other one of its pairs' rounded-down mean.
    """
    # A fifth of a second, which every command would wait for.
    from scipy.optimize import Bounds, LinearConstraint, milp

    if not len(pairs):
        return np.zeros(0, np.int64)
    of_unit = np.bincount(pairs.ravel(), minlength=len(budget))
    base = int((budget // np.maximum(of_unit, 1))[of_unit > 0].min())
    left = budget - base * of_unit
    if base < 0 or (left < 0).any():
        raise Infeasible("links of groups do not suffice for all pairs; use fewer groups")
    more = int((left > 0).any())
    if not more:
        return np.full(len(pairs), base)
    row = pairs.ravel()
    column = np.repeat(np.arange(len(pairs)), 2)
    matrix = coo_array((np.ones(len(row)), (row, column)), shape=(len(budget), len(pairs)))
    minimum = np.clip(lowest - base * of_unit, 0, left)
    # A link more outweighs all that may stay: balance comes first.
    stays = (had > base).astype(float)
    constraints = [LinearConstraint(matrix.tocsc(), minimum, left)]
    if fresh is not None and fresh.any() and not fresh.all():
        across = fresh[pairs[:, 0]] != fresh[pairs[:, 1]]
        uniform = int(budget[~fresh].sum() * fresh.sum() // (len(budget) - 1))
        constraints.append(
            LinearConstraint(
                across[None, :].astype(float), min(uniform, base * across.sum() + across.sum()) - base * across.sum()
            )
        )
    result = milp(
        -(stays + stays.sum() + 1),
        integrality=np.ones(len(pairs)),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"time_limit": _SECONDS},
    )
    if result.x is None:
        raise Infeasible(f"no balanced numbers of links between groups exist: {result.message}")
    return base + np.round(result.x).astype(np.int64)
