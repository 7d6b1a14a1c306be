"""Random permutation of routers: endpoint j of router r sends to endpoint j of router τ(r)."""

from __future__ import annotations

import numpy as np

from planner.core import seeds
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int, itself: bool = False) -> np.ndarray:
    """Prepare a random permutation τ of the routers with endpoints.

    Parameters
    ----------
    topology
        The network. If routers have different numbers of endpoints, j is taken modulo those of τ(r).
    seed
        Seed of the permutation.
    itself
        Whether a router may be its own target, which makes its endpoints silent.

    Raises
    ------
    InputError
        When fewer than two routers have endpoints.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 9.4.
    """
    used = np.flatnonzero(topology.endpoints_of)
    if len(used) < 2:
        raise InputError(Problem("traffic", "a permutation of routers needs two with endpoints", "attach more endpoints"))
    to = np.arange(topology.router_count)
    to[used] = used[fixed.permutation(seeds.stream(seed, "traffic"), len(used), itself)]
    return fixed.by_routers(topology, to)
