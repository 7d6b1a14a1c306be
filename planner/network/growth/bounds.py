"""The minimum number of links that a step of growth must move.

References
----------
.. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012 (one new switch).
.. [2] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Mathematical Journal 23, 1973: a cut between sets of n0 and a
       of n routers has at least mu n0 a / n links.
"""

from __future__ import annotations

import math

import numpy as np


def moved_by_ports(free: np.ndarray, new_ports: np.ndarray, among_new: int) -> int:
    """Return the minimum number of moved links by the count of ports.

    Each link between an old and a new router needs a port of an old one, and one old link that is taken out frees two.

    Parameters
    ----------
    free
        Ports of each old router without a link, int (n0,).
    new_ports
        Ports that each new router uses, int (a,).
    among_new
        Links between two new routers.

    Examples
    --------
    One router of 16 links joins a network without free ports: eight links are broken.

    >>> moved_by_ports(np.zeros(100, int), np.array([16]), 0)
    8
    """
    crossing = int(np.sum(new_ports)) - 2 * among_new
    return max(0, -(-(crossing - int(np.sum(free))) // 2))


def moved_by_quality(free: np.ndarray, added_routers: int, connectivity: float) -> int:
    """Return the minimum number of moved links for a grown network of an algebraic connectivity.

    Any cut of a routers against n0 has at least ``connectivity * a * n0 / (n0 + a)`` links.

    Parameters
    ----------
    free
        Ports of each old router without a link, int (n0,).
    added_routers
        Number of new routers.
    connectivity
        Second smallest eigenvalue of the Laplacian that the grown network has; `planner.network.metrics.spectrum` states it.

    Examples
    --------
    From 500 to 700 routers of 16 links, as connected as a random graph:

    >>> moved_by_quality(np.zeros(500, int), 200, 8.42)
    602
    """
    old = len(free)
    # Eigenvalues are computed: a bound must not gain a link by their rounding.
    crossing = connectivity * (1 - 1e-9) * added_routers * old / (old + added_routers)
    return max(0, math.ceil((crossing - int(np.sum(free))) / 2))
