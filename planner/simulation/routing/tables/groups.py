"""Hierarchical paths of Dragonfly and Megafly: at most one global hop between groups."""

from __future__ import annotations

import numpy as np

from planner.kernels.routing import steps
from planner.simulation.network import Network
from planner.simulation.routing.tables import targets

FAMILIES = ("dragonfly", "megafly")


def tables(network: Network, routing: str, ladder: int) -> tuple[steps.Ports, np.ndarray, np.ndarray]:
    """Return ports, hops and groups; targets are the routers followed by the groups.

    A router with a global link to the target group uses it; others go to such a router of their
    own group, via a leaf if both are spines. Inside a group paths are shortest paths.

    Raises
    ------
    InputError
        When two routers with endpoints have no such path because a cable is missing.

    References
    ----------
    .. [1] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.
    .. [2] M. Flajslik, E. Borch, M. Parker, "Megafly: a topology for exascale systems", ISC 2018.
    """
    topology = network.topology
    group = topology.group[:, 0]
    count = int(group.max()) + 1
    here = group[:, None] == np.arange(count)
    linked = here.copy()
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    linked[owner, group[topology.indices]] = True
    spine = topology.coords[:, 1] == 1 if topology.family == "megafly" else np.zeros(topology.router_count, bool)

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        away = ~here[router]
        if group[neighbor] != group[router]:
            return away & here[neighbor]
        # A spine without the link goes down to any leaf; from there every spine is one hop away.
        return away & ~linked[router] & (linked[neighbor] | (spine[router] & ~spine[neighbor]))

    to_groups = targets.masks(topology, count, leads)
    to_routers = to_groups[:, group]
    same = group[:, None] == group[None, :]
    to_routers[same] = 0
    local = targets.masks(topology, topology.router_count, _inside(topology, group, spine))
    table = np.concatenate([to_routers | local, to_groups], axis=1)
    reached = np.concatenate([np.eye(topology.router_count, dtype=bool), here], axis=1)
    hops = targets.hops_by(table, topology, reached)
    targets.require_whole(network, hops, routing, remedy="use minimal, or valiant or ugal through routers")
    return targets.ports(table, kinds=_kinds(network, spine), ladder=ladder), hops, group


def _inside(topology, group: np.ndarray, spine: np.ndarray):
    """Return the rule for paths inside a group: direct, or via the other level if the target has the same level."""
    routers = np.arange(topology.router_count)
    levels = spine.any()

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        if group[neighbor] != group[router]:
            return np.zeros(len(routers), bool)
        direct = routers == neighbor
        if levels:
            direct |= (group == group[router]) & (spine == spine[router]) & (routers != router)
        return direct

    return leads


def _kinds(network: Network, spine: np.ndarray) -> np.ndarray:
    next_ = targets.neighbors(network).astype(np.int64)
    group = network.topology.group[:, 0]
    kinds = np.where(group[next_] != group[:, None], steps.GLOBAL, steps.LOCAL)
    return np.where(spine[:, None] & ~spine[next_] & (kinds == steps.LOCAL), steps.DOWN, kinds).astype(np.uint8)
