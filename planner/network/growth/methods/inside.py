"""Inside: the network grows inside a larger one that is known from the start; links of the final network never move."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.checking import checked
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.growth.links.random import Network, fill
from planner.network.growth.naming import chosen, embedding, extended, renamed

_TRIES = 32
"""Orders of peeling that are compared."""


def grow(old: Topology, target: Topology) -> Topology:
    """Return the target with the old routers first, each at its coordinates.

    No link moves where the old network is an induced part of the target, as members of hereditary families are (HyperX, mesh,
    Dragonfly with ``max_groups``, swapped Dragonfly, fat tree by pods, PolarStar by supernode, Kautz …), and the phases of
    `phases` without their temporary links.

    Parameters
    ----------
    old, target
        Both networks; coordinates are compared by name.

    Raises
    ------
    Infeasible
        When an old router has no counterpart in the target.
    """
    place = embedding(old, target)
    if place is None:
        raise Infeasible(
            "the old network is not inside the target: some router's coordinates do not occur in it; "
            "plan all phases from the last one, or use the method block or match"
        )
    return renamed(target, place, old)


@checked()
def phases(
    final: Topology,
    sizes: Sequence[int],
    *,
    ports: Literal["use", "reserve"] = "use",
    whole: int | None = None,
    seed: Annotated[int, Ge(0)] = 1,
) -> list[Topology]:
    """Return the networks of all phases but the last inside a final network, first phase first.

    Routers of a phase are a dense part of the final network. Between ports that are idle until the other router arrives,
    temporary links are put in; they stay as long as both ports are idle.

    Parameters
    ----------
    final
        Network of the last phase.
    sizes
        Routers of the phases before it, ascending.
    ports
        ``use``: temporary links in idle ports. ``reserve``: idle ports stay free, and nothing ever moves.
    whole
        Level of groups that come as a whole; by default routers come one by one.
    seed
        Seed of ties and of temporary links.

    References
    ----------
    .. [1] M. Charikar, "Greedy approximation algorithms for finding dense components in a graph", APPROX 2000 (peeling).
    """
    if list(sizes) != sorted(set(sizes)) or (len(sizes) and not 0 < sizes[0] <= sizes[-1] <= final.router_count):
        raise Infeasible(f"sizes {list(sizes)} do not ascend from 1 to the {final.router_count} routers of the last phase")
    draw = seeds.stream(seed, "growth.inside")
    order = _order(final, sizes, whole, draw)
    found: list[Topology] = []
    temporary = np.zeros((0, 2), np.int64)
    for size in sizes:
        part = chosen(final, order[:size])
        if ports == "use":
            temporary = _temporary(part, final.degree[order[:size]], temporary, draw)
        links = np.concatenate([part.links, temporary])
        found.append(extended(part, size, links, params={"phase": size, "ports": ports}, like=part))
    return found


def _temporary(part: Topology, ports: np.ndarray, before: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return links between ports that are idle, int64 (T, 2): those from before that still may be, then random ones."""
    network = Network(part.links, ports - part.degree)
    for a, b in before.tolist():
        if network.free[a] and network.free[b] and network.may_join(a, b):
            network.join(a, b)
    fill(network, np.arange(part.router_count), draw, part.link_count)
    return np.array(network.links[part.link_count :], np.int64).reshape(-1, 2)


def _order(final: Topology, sizes: Sequence[int], whole: int | None, draw: np.random.Generator) -> np.ndarray:
    """Return the order in which routers arrive, int64 (R,): the one of several with the maximum of links in all phases."""
    unit = np.arange(final.router_count) if whole is None else np.unique(final.group[:, whole], return_inverse=True)[1]
    best, best_links = np.arange(final.router_count), -1
    for _ in range(_TRIES if sizes else 1):
        rank = _peeled(final, unit, draw)
        number = np.empty(len(rank), np.int64)
        number[rank] = np.arange(len(rank))
        arrives = number[final.links].max(axis=1)
        links = sum(int((arrives < size).sum()) for size in sizes)
        if links > best_links:
            best, best_links = rank, links
    return best


def _peeled(final: Topology, unit: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return routers in the reverse order of being taken out, always a unit with the minimum of links to those that are left."""
    units = int(unit.max()) + 1
    ends = unit[final.links]
    ends = ends[ends[:, 0] != ends[:, 1]]
    left = np.bincount(ends.ravel(), minlength=units).tolist()
    near: list[list[int]] = [[] for _ in range(units)]
    for a, b in ends.tolist():
        near[a].append(b)
        near[b].append(a)
    tie = draw.permutation(units).tolist()
    queue = [(left[u], tie[u], u) for u in range(units)]
    heapq.heapify(queue)
    gone, order = [False] * units, []
    while queue:
        links, _, u = heapq.heappop(queue)
        if gone[u] or links != left[u]:
            continue
        gone[u] = True
        order.append(u)
        for v in near[u]:
            if not gone[v]:
                left[v] -= 1
                heapq.heappush(queue, (left[v], tie[v], v))
    rank = np.empty(units, np.int64)
    rank[order[::-1]] = np.arange(units)
    return np.lexsort((np.arange(len(unit)), rank[unit]))
