"""Tornado: every router sends nearly halfway around each dimension, or to the group nearly halfway around."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]

_GRIDS = ("torus", "mesh", "hyperx")


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare tornado traffic; endpoint j of router r sends to endpoint j of one other router.

    In grids (torus, mesh, HyperX) each coordinate x of k goes to x + ⌈k/2⌉ - 1 modulo k. In
    other networks router i of those with endpoints in group g goes to router i of group
    g + max(1, ⌈G/2⌉ - 1) modulo G, finest groups; without groups every router is a group. Routers
    mapped to themselves (k = 2 in every dimension) are silent.

    Raises
    ------
    InputError
        When there are fewer than two endpoints, or no router would send elsewhere.

    References
    ----------
    .. [1] W. J. Dally, B. Towles, "Principles and practices of interconnection networks", 2004, section 3.2.
    """
    fixed.require_two_endpoints(topology, "tornado traffic")
    table = fixed.by_routers(topology, _along_axes(topology) if topology.family in _GRIDS else _round_groups(topology))
    if not rates(table).any():
        raise InputError(Problem("traffic", "tornado maps every router to itself here", "use bit_complement or permutation"))
    return table


def _along_axes(topology: Topology) -> np.ndarray:
    """Return the target of each router of a grid, int64 (R,)."""
    coords = topology.coords.astype(np.int64)
    sizes = coords.max(axis=0) + 1
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    router_of = np.empty(topology.router_count, np.int64)
    router_of[coords @ weights] = np.arange(topology.router_count)
    return router_of[((coords + (sizes + 1) // 2 - 1) % sizes) @ weights]


def _round_groups(topology: Topology) -> np.ndarray:
    """Return the target of each router of a network of groups, int64 (R,)."""
    used = np.flatnonzero(topology.endpoints_of)
    group = topology.group[used, 0] if topology.group.shape[1] else used
    members = [used[group == number] for number in np.unique(group)]
    step = max(1, (len(members) + 1) // 2 - 1)
    to = np.arange(topology.router_count)
    for number, own in enumerate(members):
        far = members[(number + step) % len(members)]
        to[own] = far[np.arange(len(own)) % len(far)]
    return to
