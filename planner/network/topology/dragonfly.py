"""Dragonfly: complete groups, one or more links between every two groups, diameter 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"a": 4, "h": 2}
"""A small instance, for tests and pictures."""


def build(
    a: Annotated[int, Ge(1)],
    h: Annotated[int, Ge(1)],
    groups: Annotated[int, Ge(2)] | None = None,
    arrangement: Literal["absolute", "relative", "palmtree", "circulant"] = "palmtree",
    endpoints_per_router: EndpointsPerRouter | None = None,
    max_groups: Annotated[int, Ge(2)] | None = None,
) -> Topology:
    """Build a Dragonfly of g groups of `a` routers with `h` global links each.

    Router r of group i has id ia + r; its local ports come first, then its global ports. Global
    port k = rh + j of a group (j-th of router r) leads, for g = ah + 1 groups, to

    - absolute: group k, or k + 1 from group i = k on;
    - relative: group i + k + 1 modulo g;
    - palmtree: group i - k - 1 modulo g;
    - circulant (odd g): group i + k/2 + 1 for even k, i - (k+1)/2 for odd k.

    With fewer groups some pairs share several links. Relative and palmtree support any number of groups: they
    repeat their rule as often as the ports allow, and the remaining ports, in pairs, lead to the groups
    at distance ±1, ±2 …; a single remaining port leads to the opposite group, or stays empty if g is odd.
    Circulant needs odd g and even ah.

    With `max_groups` these rules are those of the maximum number of groups, and links to groups that are still to come are left
    out. A group that is added takes ports that are free, and no cable moves. For the absolute arrangement the maximum may
    be any number of groups: port k of group i leads to group k, or k + 1, whatever their number (cut short).

    Parameters
    ----------
    a
        Routers per group.
    h
        Global links per router.
    groups
        Number of groups; by default ah + 1, the maximum with one link per pair of groups.
    arrangement
        Rule that connects global ports to groups.
    endpoints_per_router
        By default `h`, the balanced choice a = 2p = 2h.
    max_groups
        Groups of the final network; by default `groups`.

    Raises
    ------
    InputError
        When no such arrangement exists for this number of groups.

    References
    ----------
    .. [1] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.
    .. [2] C. Camarero, E. Vallejo, R. Beivide, "Topological characterization of Hamming and dragonfly networks
           and its implications on routing", ACM TACO 11(4), 2014 (arrangements).

    Examples
    --------
    >>> network = build(a=4, h=2)
    >>> network.router_count, network.link_count
    (36, 90)
    """
    g = a * h + 1 if groups is None else groups
    require_size("a and h", g * a, g * a * (a - 1 + h) // 2)
    r, s = np.triu_indices(a, 1)
    start = (np.arange(g) * a)[:, None]
    local = np.stack([start + r, start + s], axis=-1).reshape(-1, 2)
    # Port of router r toward s inside the group: s - 1 for s > r, else s.
    local_port = np.tile(np.column_stack([s - 1, r]), (g, 1))
    (group, port), (far_group, far_port) = global_links(a, h, g, arrangement, max_groups)
    ends = np.column_stack([group * a + port // h, far_group * a + far_port // h])
    global_port = np.column_stack([a - 1 + port % h, a - 1 + far_port % h])
    router = np.arange(g * a)
    return from_links(
        "dragonfly",
        {"a": a, "h": h, "groups": groups, "arrangement": arrangement, "endpoints_per_router": endpoints_per_router}
        | ({"max_groups": max_groups} if max_groups else {}),
        g * a,
        np.concatenate([local, ends]),
        endpoints=h if endpoints_per_router is None else endpoints_per_router,
        link_class=np.repeat([0, 1], [len(local), len(ends)]),
        link_class_names=("local", "global"),
        group=router[:, None] // a,
        group_names=("group",),
        coords=np.column_stack([router // a, router % a]),
        coord_names=("group", "router"),
        port_key=np.concatenate([local_port, global_port]),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the Dragonfly of a radix with the maximum number of groups for each group size without building them."""
    for a in range(2, radix + 1):
        h = radix - a + 1
        routers = a * (a * h + 1)
        yield {"parameters": {"a": a, "h": h}, "routers": routers, "endpoints": routers * h, "diameter": 3}


def global_links(
    a: int, h: int, g: int, arrangement: str, max_groups: int | None = None
) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return group and port of both ends of all global links, for groups with a·h global ports.

    With `max_groups` those of that number of groups, without links to groups from g on.

    Raises
    ------
    InputError
        When the arrangement does not exist for that number of groups.
    """
    maximum = g if max_groups is None else max_groups
    require(g <= maximum, "groups", f"{g} groups exceed max_groups = {maximum}", f"use at most {maximum}, or raise max_groups")
    _require_groups(a, h, maximum, arrangement, "groups" if max_groups is None else "max_groups")
    group, port, far_group, far_port = _global_ports(a, h, maximum, arrangement)
    once = (far_port >= 0) & (group < far_group) & (far_group < g)
    return (group[once], port[once]), (far_group[once], far_port[once])


def _require_groups(a: int, h: int, g: int, arrangement: str, place: str) -> None:
    limit = a * h + 1
    require(g <= limit, place, f"{g} groups exceed ah + 1 = {limit}", f"use at most {limit}")
    if arrangement == "circulant":
        require(g % 2 == 1, place, f"circulant needs an odd number of groups, not {g}", f"use {g - 1} or another arrangement")
        require(g == limit or a * h % 2 == 0, place, f"circulant with {g} < ah + 1 groups needs an even ah, not {a * h}")
    elif arrangement == "absolute" and place == "groups":
        remedy = f"use {limit}, set max_groups = {limit} for an arrangement that is cut short, or use another arrangement"
        require(g == limit, place, f"absolute needs ah + 1 = {limit} groups, not {g}", remedy)


def _global_ports(a: int, h: int, g: int, arrangement: str) -> tuple[np.ndarray, ...]:
    """All directed global ports: (group, port, far group, far port), each int (g * a * h,); -1 for an empty port."""
    group, port = (grid.ravel() for grid in np.meshgrid(np.arange(g), np.arange(a * h), indexing="ij"))
    if arrangement == "absolute":
        far = np.where(port < group, port, port + 1)
        return group, port, far, np.where(group < far, group, group - 1)
    if arrangement == "circulant":
        step = port // 2 % ((g - 1) // 2) + 1
        return group, port, np.where(port % 2 == 0, group + step, group - step) % g, port ^ 1
    turn, offset = np.divmod(port, g - 1)
    far = (group + offset + 1 if arrangement == "relative" else group - offset - 1) % g
    far_port = turn * (g - 1) + g - 2 - offset
    # Remaining ports lead in pairs to the groups at distance 1, 2 …
    rest = a * h % (g - 1)
    left = port >= a * h - rest
    step = np.where(offset % 2 == 0, 1, -1) * (offset // 2 + 1)
    single = left & (rest % 2 == 1) & (offset == rest - 1)
    far = np.where(left, (group + np.where(single, g // 2, step)) % g, far)
    mate = np.where(single, port if g % 2 == 0 else -1, port - offset + (offset ^ 1))
    return group, port, far, np.where(left, mate, far_port)
