"""Planned switches that look alike where ports have no numbers."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from planner.fabric.verify.identify._tables import Planned


def alike(plan: Planned, known: np.ndarray) -> np.ndarray:
    """Return the class of each planned switch, int64 (S,): links cannot choose among those of one class.

    Parameters
    ----------
    known
        Planned switches that evidence identifies: each is a class of its own.

    Notes
    -----
    Color refinement: switches of one class have equal numbers of neighbors in every class. Where links could distinguish
    switches of one class, which is rare, these are listed as well.

    References
    ----------
    B. Weisfeiler and A. Leman, The reduction of a graph to canonical form, 1968.
    """
    count = plan.switches
    near = csr_array((np.ones(len(plan.ends), np.int64), (plan.ends.device, plan.ends.far)), shape=(count, count))
    color = (plan.host[:count] >= 0).sum(axis=1).astype(np.int64)
    color[known] = color.max(initial=0) + 1 + np.arange(len(known))
    random = np.random.default_rng(0)
    classes = 0
    while True:
        _, color = np.unique(color, return_inverse=True)
        if color.max(initial=-1) + 1 == classes:
            return color
        classes = int(color.max(initial=-1)) + 1
        # Sums of random numbers of the neighbors: equal for equal neighbors, and for others with a chance of 1 in 2^60.
        mark = random.integers(0, 2**62, classes)[color]
        _, color = np.unique(np.stack([color, near @ mark], axis=1), axis=0, return_inverse=True)
        color = color.ravel()
