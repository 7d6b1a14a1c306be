"""Adversarial groups: each group sends to one other group, over the longest paths."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.optimize import linear_sum_assignment

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Topology
from planner.kernels.graph.bfs import UNREACHED, hop_distances
from planner.kernels.graph.brandes import mean_crossings
from planner.network.metrics.graph import on_all_cores
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]

MAX_ORDERED = 2_000
"""Number of routers without groups up to which ties are broken by the next number; the search for that order is cubic."""


def prepare(topology: Topology, seed: int, level: str | None = None) -> np.ndarray:
    """Prepare the pattern in which every group sends to one other group and receives from one other.

    Path length is the number of hops of shortest paths, ties broken by the mean number of links between groups on them.
    Groups are assigned to maximize the total distance, ties broken by the next group
    number. Then the routers of the two groups are paired to maximize
    path length. Endpoint j of a router sends to endpoint j of its partner.

    By family this gives: Dragonfly and Megafly, the next group, the maximum number of routers
    3 hops apart; PolarStar with Inductive-Quad supernodes, (x, a) to (y, f(a)) for supernodes x and y that are
    not adjacent, whose shortest paths all run between supernodes; fat tree, the next pod, over the top;
    HyperX and Slim Fly, a line or group at the largest distance. A network without groups counts every
    router as one; above 2,000 routers any assignment with the maximum total distance is taken.

    Parameters
    ----------
    topology
        The network.
    seed
        Unused.
    level
        Name of the level of groups; by default the finest.

    Raises
    ------
    InputError
        When there is no such level, or all endpoints are in one group.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 9.6.
    .. [2] J. Kim et al., "Technology-driven, highly-scalable dragonfly topology", ISCA 2008 (the next group).
    """
    group = _groups(topology, level)
    used = np.flatnonzero(topology.endpoints_of)
    names = np.unique(group[used])
    if len(names) < 2:
        raise InputError(Problem("traffic", "all endpoints are in one group", "use another level, or router_permutation"))
    distance = np.empty((topology.router_count,) * 2, np.uint8)
    if hop_distances(topology.indptr, topology.indices, distance) < 0 or (distance == UNREACHED).any():
        raise InputError(Problem("topology", "adversarial traffic needs a connected network", "connect its components"))
    to = np.arange(topology.router_count)
    if len(used) == len(names) > MAX_ORDERED:
        to[used] = used[_farthest(distance[np.ix_(used, used)])]
        return fixed.by_routers(topology, to)
    members = [used[group[used] == name] for name in names]
    weights = list(on_all_cores(partial(_weights, topology, group, distance), ((own,) for own in members)))
    for number, other in enumerate(_far_groups(weights, members)):
        to[members[number]] = members[other][_partners(weights[number][:, members[other]])]
    return fixed.by_routers(topology, to)


def _farthest(distance: np.ndarray) -> np.ndarray:
    """Return a permutation with the maximum total distance, int64 (R,); no router sends to itself.

    Few different distances leave many equal augmenting paths, each of which ends after a few steps.

    References
    ----------
    .. [3] D. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Trans. Aerospace and Electronic Systems
           52(4), 2016 (shortest augmenting paths).
    """
    # More than any assignment to other routers costs.
    cost = (int(distance.max()) - distance.astype(np.int16)).astype(np.float64)
    np.fill_diagonal(cost, len(distance) * float(distance.max()))
    return linear_sum_assignment(cost)[1]


def _groups(topology: Topology, level: str | None) -> np.ndarray:
    """Return the group of each router, int64 (R,)."""
    if level is not None and level not in topology.group_names:
        raise InputError(Problem("level", f"{topology.family} has no groups {level!r}", suggestion(level, topology.group_names)))
    if not topology.group_names:
        return np.arange(topology.router_count)
    return topology.group[:, 0 if level is None else topology.group_names.index(level)].astype(np.int64)


def _weights(topology: Topology, group: np.ndarray, distance: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return 256 times the hops, plus the mean of links between groups on a shortest path, from `own`: float32 (own, R)."""
    weights = np.empty((len(own), topology.router_count), np.float32)
    paths, crossings = np.empty((2, topology.router_count))
    for row, router in zip(weights, own, strict=True):
        order = np.argsort(distance[router], kind="stable")
        mean_crossings(topology.indptr, topology.indices, group, distance[router], router, order, paths, crossings)
        row[:] = 256.0 * distance[router] + crossings
    return weights


def _far_groups(weights: list[np.ndarray], members: list[np.ndarray]) -> np.ndarray:
    """Return the target group of each group."""
    count = len(members)
    columns, starts = np.concatenate(members), np.cumsum([0] + [len(far) for far in members[:-1]])
    best = np.array([np.maximum.reduceat(rows[:, columns], starts, axis=1).mean(axis=0) for rows in weights])
    step = (np.arange(count) - np.arange(count)[:, None]) % count
    # The smallest difference in distance outweighs all steps together; the own group is excluded.
    gain = np.rint(best.astype(np.float64) * 1024) * count**2 - step
    np.fill_diagonal(gain, -(gain.max() + 1) * count)
    return linear_sum_assignment(gain, maximize=True)[1]


def _partners(weight: np.ndarray) -> np.ndarray:
    """Return the index of each router's partner in the other group."""
    rows, columns = linear_sum_assignment(weight, maximize=True)
    # If the other group has fewer routers, unmatched routers send to the farthest one.
    partner = weight.argmax(axis=1)
    partner[rows] = columns
    return partner
