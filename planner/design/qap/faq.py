"""SciPy's fast approximate quadratic assignment (FAQ) from random starts: a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress
from planner.design.qap.search import Best, Budget

if TYPE_CHECKING:
    from planner.design.qap import Qap


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every run; the first starts from the barycenter, the others from random doubly stochastic matrices.

    Raises
    ------
    InputError
        When the problem has a linear cost, which FAQ does not support.

    Notes
    -----
    As in [1]_, by SciPy; matrices are scaled, and runs repeat from other points until the budget is used.

    References
    ----------
    .. [1] J. Vogelstein et al., "Fast approximate quadratic programming for graph matching", PLoS ONE 10, 2015.
    """
    from scipy.optimize import quadratic_assignment

    if qap.linear is not None:
        raise InputError(Problem("algorithm", "faq does not support linear costs", "use tabu, anneal or auto"))
    options: dict[str, Any] = {"rng": draw}
    if qap.fixed is not None:
        items = np.flatnonzero(qap.fixed >= 0)
        options["partial_match"] = np.column_stack([items, qap.fixed[items]])
    # Scaling to 1 prevents overflow in SciPy's line search.
    flow, distance = (matrix / max(1, np.abs(matrix).max()) for matrix in (qap.flow, qap.distance))
    starts = 0
    while True:
        options["P0"] = "randomized" if starts else "barycenter"
        place = quadratic_assignment(flow, distance, method="faq", options=options).col_ind.astype(np.uint32)
        best.offer(place, qap.normal.cost(place))
        starts += 1
        budget.used += qap.normal.pairs or 1
        yield f"faq: {starts} starts"
