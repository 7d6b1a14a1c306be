"""Slingshot: a Dragonfly of unlike groups, such as compute and storage groups, joined by bundles of parallel links."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, MinLen

from planner.domain.model import Topology
from planner.network.topology.construction.embedding import same_coordinates
from planner.network.topology.construction.graph import from_links, is_connected, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {
    "kinds": ("compute", "storage"),
    "groups": (3, 2),
    "routers": (4, 2),
    "bundles": ((2, 1), (1, 1)),
    "endpoints_per_router": (3, 1),
}
"""A small instance, for tests and pictures."""


def build(
    kinds: Annotated[tuple[Annotated[str, MinLen(1)], ...], MinLen(1)],
    groups: Annotated[tuple[Annotated[int, Ge(1)], ...], MinLen(1)],
    routers: Annotated[tuple[Annotated[int, Ge(1)], ...], MinLen(1)],
    bundles: Annotated[tuple[tuple[Annotated[int, Ge(0)], ...], ...], MinLen(1)],
    links_per_bundle: Annotated[int, Ge(1)] = 2,
    endpoints_per_router: Annotated[tuple[EndpointsPerRouter, ...], MinLen(1)] = (16,),
) -> Topology:
    """Build groups of several kinds, each fully connected, with a number of bundles between any two groups.

    Every group distributes its bundles over its routers in turn: those to the next group first, then those to the group after
    it, and so on. The links of a bundle join the same two routers. Router ids run kind by kind and group by group. Ports:
    links inside the group first, then bundles.

    Parameters
    ----------
    kinds
        Names of the kinds of groups, which are the roles of their routers.
    groups
        Number of groups of each kind.
    routers
        Routers of a group of each kind.
    bundles
        Bundles between a group of one kind and a group of another, or of its own: a symmetric table of all kinds.
    links_per_bundle
        Links of a bundle; two links of Slingshot share a cable.
    endpoints_per_router
        Endpoints of each router, one number for all kinds or one for each.

    Raises
    ------
    InputError
        When the numbers do not fit `kinds`, the table is not symmetric, or some groups cannot reach others.

    References
    ----------
    .. [1] D. De Sensi, S. Di Girolamo, K. McMahon, D. Roweth, T. Hoefler, "An in-depth analysis of the Slingshot
           interconnect", SC 2020.
    .. [2] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.

    Examples
    --------
    The 74 compute groups of Frontier:

    >>> network = build(("compute",), (74,), (32,), ((2,),))
    >>> np.bincount(network.link_class).tolist()
    [36704, 10804]
    """
    per_router = endpoints_per_router * len(kinds) if len(endpoints_per_router) == 1 else endpoints_per_router
    _require_table(kinds, groups, routers, bundles, per_router)
    kind = np.repeat(np.arange(len(kinds)), groups)
    size, table = np.array(routers, np.int64)[kind], np.array(bundles, np.int64)
    count = np.bincount(kind, minlength=len(kinds))
    own = float(count @ (np.array(routers, float) * (np.array(routers, float) - 1) / 2))
    across = float(count @ table @ count - count @ np.diag(table)) / 2
    total = int(size.sum())
    require_size("groups, routers and bundles", total, int(own + across * links_per_bundle))
    start = np.cumsum(size) - size
    local, local_port = _local(size, start)
    ends, order = _bundled(table[np.ix_(kind, kind)], size, start)
    copy = np.tile(np.arange(links_per_bundle), len(ends))[:, None]
    group = np.repeat(np.arange(len(size)), size)
    ends = np.repeat(ends, links_per_bundle, axis=0)
    links = np.concatenate([local, ends])
    whole = is_connected(total, links)
    require(whole, "bundles", "some groups cannot reach others", "join all kinds of groups")
    number = np.arange(total) - start[group]
    return from_links(
        "slingshot",
        {
            "kinds": kinds,
            "groups": groups,
            "routers": routers,
            "bundles": bundles,
            "links_per_bundle": links_per_bundle,
            "endpoints_per_router": endpoints_per_router,
        },
        total,
        links,
        endpoints=np.array(per_router, np.int64)[kind][group],
        link_class=np.repeat([0, 1], [len(local), len(ends)]),
        link_class_names=("local", "global"),
        group=group[:, None],
        group_names=("group",),
        coords=np.column_stack([kind[group], group, number]),
        coord_names=("kind", "group", "router"),
        port_key=np.concatenate([local_port, total + np.repeat(order, links_per_bundle, axis=0) * links_per_bundle + copy]),
        role=kind[group],
        role_names=kinds,
    )


def embed(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of a larger network that each router becomes; groups are numbered kind by kind. None if it has none."""
    if old.coord_names != target.coord_names or old.role_names != target.role_names:
        return None
    return same_coordinates(*(replace(network, coords=_within_kinds(network)) for network in (old, target)))


def _within_kinds(network: Topology) -> np.ndarray:
    coords = network.coords.copy()
    kind = coords[:, 0]
    first = [coords[kind == k, 1].min(initial=network.router_count) for k in range(len(network.role_names))]
    coords[:, 1] -= np.array(first, coords.dtype)[kind]
    return coords


def _require_table(kinds: tuple[str, ...], *given: Any) -> None:
    """Require one number for each kind, and a symmetric table of bundles."""
    groups, routers, bundles, endpoints = given
    require(len(set(kinds)) == len(kinds), "kinds", "has a name twice", "give each kind its own name")
    for place, numbers in (("groups", groups), ("routers", routers), ("bundles", bundles), ("endpoints_per_router", endpoints)):
        fits = len(numbers) == len(kinds)
        require(fits, place, f"has {len(numbers)} entries for {len(kinds)} kinds", "give one for each kind")
    square = all(len(row) == len(kinds) for row in bundles)
    symmetric = square and all(bundles[i][j] == bundles[j][i] for i in range(len(kinds)) for j in range(i))
    require(symmetric, "bundles", "is not a symmetric table", f"give {len(kinds)} rows of {len(kinds)} numbers, equal in pairs")


def _local(size: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the links between all routers of each group, and their ports at both ends, int64 (L, 2)."""
    links, ports = [np.zeros((0, 2), np.int64)], [np.zeros((0, 2), np.int64)]
    for first, routers in zip(start.tolist(), size.tolist(), strict=True):
        r, s = np.triu_indices(routers, 1)
        links.append(first + np.column_stack([r, s]))
        # Port of router r toward s inside the group: s - 1 for s > r, else s.
        ports.append(np.column_stack([s - 1, r]))
    return np.concatenate(links), np.concatenate(ports)


def _bundled(between: np.ndarray, size: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the routers at both ends of each bundle, and its place among those of either group, int64 (B, 2).

    Parameters
    ----------
    between
        Bundles between any two groups, int64 (G, G).
    size, start
        Routers of each group, and the first of them, int64 (G,).
    """
    count = len(size)
    own, far = (axis.ravel() for axis in np.indices((count, count)))
    each = np.where(own == far, 0, between.ravel())
    group, other = np.repeat(own, each), np.repeat(far, each)
    number = np.arange(len(group)) - np.repeat(np.cumsum(each) - each, each)
    turn = np.lexsort((number, (other - group) % count, group))
    place = np.empty(len(group), np.int64)
    first = np.searchsorted(group[turn], group[turn])
    place[turn] = np.arange(len(group)) - first
    router = start[group] + place % size[group]
    # The directed bundles of a pair of groups, in order of their numbers at both ends.
    there = np.lexsort((number, np.maximum(group, other), np.minimum(group, other), group > other))
    forth, back = there[: len(there) // 2], there[len(there) // 2 :]
    return np.column_stack([router[forth], router[back]]), np.column_stack([place[forth], place[back]])
