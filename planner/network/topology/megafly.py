"""Megafly (Dragonfly+): groups of leaves and spines, global links between spines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.dragonfly import global_links

EXAMPLE = {"rho": 2, "a": 4}
"""A small instance, for tests and pictures."""


def build(
    rho: Annotated[int, Ge(1)],
    a: Annotated[int, Ge(2)],
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "palmtree",
    endpoints_per_leaf: EndpointsPerRouter | None = None,
    groups: Annotated[int, Ge(2)] | None = None,
    max_groups: Annotated[int, Ge(2)] | None = None,
) -> Topology:
    """Build a Megafly of s·rho + 1 groups by default, each with s = a/2 leaves and s spines in complete bipartition.

    Router ids run group by group, leaves first. Spine t has `rho` global ports; port t·rho + j of
    its group follows the Dragonfly arrangement. Only leaves have endpoints. Ports of
    a spine: links to leaves first.

    Parameters
    ----------
    rho
        Global links per spine.
    a
        Routers per group, even.
    arrangement
        See `planner.network.topology.dragonfly.build`.
    endpoints_per_leaf
        Endpoints per leaf; by default s, the number of its up links.
    groups
        Number of groups; by default s·rho + 1, the maximum with one link per pair of groups.
    max_groups
        Groups of the final network, whose arrangement is used without the links to groups that are still to come; by default
        `groups`.

    Raises
    ------
    InputError
        When `a` is odd, or the arrangement does not fit.

    References
    ----------
    .. [1] M. Flajslik, E. Borch, M. Parker, "Megafly: a topology for exascale systems", ISC 2018.
    .. [2] A. Shpiner et al., "Dragonfly+: low cost topology for scaling datacenters", HiPINEB 2017.

    Examples
    --------
    >>> network = build(rho=8, a=16)
    >>> network.router_count, network.endpoint_count
    (1040, 4160)
    """
    require(a % 2 == 0, "a", f"{a} is odd; half of a group are leaves", f"nearest: {a - 1} and {a + 1}")
    s = a // 2
    g = s * rho + 1 if groups is None else groups
    require_size("rho and a", g * a, g * s * (s + rho // 2 + 1))
    leaf, spine = (grid.ravel() for grid in np.meshgrid(np.arange(s), np.arange(s), indexing="ij"))
    start = (np.arange(g) * a)[:, None]
    local = np.stack([start + leaf, start + s + spine], axis=-1).reshape(-1, 2)
    local_port = np.tile(np.column_stack([spine, leaf]), (g, 1))
    (group, port), (far_group, far_port) = global_links(s, rho, g, arrangement, max_groups)
    ends = np.column_stack([group * a + s + port // rho, far_group * a + s + far_port // rho])
    global_port = np.column_stack([s + port % rho, s + far_port % rho])
    router = np.arange(g * a)
    level = router % a // s
    per_leaf = s if endpoints_per_leaf is None else endpoints_per_leaf
    return from_links(
        "megafly",
        {"rho": rho, "a": a, "arrangement": arrangement, "endpoints_per_leaf": endpoints_per_leaf}
        | ({"groups": groups} if groups else {})
        | ({"max_groups": max_groups} if max_groups else {}),
        g * a,
        np.concatenate([local, ends]),
        endpoints=np.where(level == 0, per_leaf, 0),
        link_class=np.repeat([0, 1], [len(local), len(ends)]),
        link_class_names=("local", "global"),
        group=router[:, None] // a,
        group_names=("group",),
        coords=np.column_stack([router // a, level, router % s]),
        coord_names=("group", "level", "router"),
        port_key=np.concatenate([local_port, global_port]),
        role=level,
        role_names=("leaf", "spine"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the Megafly of a radix with the maximum number of groups for each group size without building them."""
    for s in range(2, radix):
        rho = radix - s
        groups = s * rho + 1
        parameters = {"rho": rho, "a": 2 * s}
        # From leaf to leaf: up, global, down. Spines, which have no endpoints, are up to five hops apart.
        size = {"routers": groups * 2 * s, "endpoints": groups * s * s}
        yield {"parameters": parameters, **size, "diameter": 3, "direct": False}
