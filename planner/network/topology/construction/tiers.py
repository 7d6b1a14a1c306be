"""Links between two tiers of routers, and the sizes of folded Clos networks that use all ports."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Literal

import numpy as np

from planner.network.topology.construction.graph import require

Striping = Literal["auto", "in turn", "blocked"]
"""Order in which the uplinks of a router go to the routers above."""


def striped(lower: int, upper: int, uplinks: int, striping: Striping, place: str) -> np.ndarray:
    """Return the router above of each uplink, int64 (lower, uplinks).

    Parameters
    ----------
    lower, upper
        Routers of both tiers.
    uplinks
        Links of each lower router.
    striping
        ``in turn``: uplink u of router l goes to router (l · uplinks + u) mod upper. ``blocked``: adjacent uplinks go to the
        same router, uplink u to router u div (uplinks / upper). ``auto``: blocked if the uplinks are a multiple of the routers
        above, else in turn.
    place
        Parameters of the two numbers, for the message.

    Raises
    ------
    InputError
        When the uplinks are no multiple of the routers above and must be blocked.

    Examples
    --------
    >>> striped(2, 4, 6, "auto", "").tolist()
    [[0, 1, 2, 3, 0, 1], [2, 3, 0, 1, 2, 3]]
    >>> striped(2, 2, 6, "auto", "").tolist()
    [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    """
    divides = uplinks % upper == 0
    message = f"{uplinks} uplinks are no multiple of {upper} routers above"
    require(striping != "blocked" or divides, place, message, 'use striping = "in turn"')
    if divides and striping != "in turn":
        return np.tile(np.arange(uplinks) * upper // uplinks, (lower, 1))
    return np.arange(lower * uplinks).reshape(lower, uplinks) % upper


def grouped(pods: int, spines: int, cores: int, uplinks: int, striping: Striping, place: str) -> np.ndarray:
    """Return the core of each uplink of the spines of all pods, int64 (pods, spines, uplinks).

    The number of groups of cores, and of spines of a pod, is the greatest common divisor of their numbers; spines are linked to
    the cores of their group.

    >>> grouped(2, 2, 4, 2, "auto", "").tolist()
    [[[0, 1], [2, 3]], [[0, 1], [2, 3]]]
    """
    groups = gcd(spines, cores)
    own_spines, own_cores = spines // groups, cores // groups
    above = striped(pods * own_spines, own_cores, uplinks, striping, place).reshape(pods, 1, own_spines, uplinks)
    return (np.arange(groups)[:, None, None] * own_cores + above).reshape(pods, spines, uplinks)


def wirings(uplinks: int, ports: int) -> Iterator[tuple[int, int]]:
    """Yield parallel links per pair and lower routers of the largest two-tier networks, for each divisor of the uplinks.

    >>> list(wirings(4, 9))
    [(1, 9), (2, 4), (4, 2)]
    """
    for parallel in range(1, uplinks + 1):
        if uplinks % parallel == 0 and ports // parallel >= 2:
            yield parallel, ports // parallel
