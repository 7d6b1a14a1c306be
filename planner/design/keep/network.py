"""The network of a study that keeps a plan: the one that continues the network that is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import Infeasible, InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.keep.old import Old
from planner.domain.model import Topology
from planner.network.growth import step
from planner.network.growth.methods import match, rebalance
from planner.network.growth.naming import embedding, renamed

MEMBER, NONE = "member", "none"
"""Values of the key ``growth`` besides the methods of growth."""

_MOVES = 20_000_000
"""Exchanges that the default tries to find the routers of the kept plan in a network without their coordinates."""

_LARGEST = 8_000
"""Maximum number of routers for this search, whose memory grows with their square."""


def continued(
    old: Old, name: str, target: Topology, given: Mapping[str, Any], growth: str = MEMBER, progress: Progress = silent
) -> Topology:
    """Return the network of a study as it continues the kept one: with the minimum of links that are taken out.

    - ``member``: the network of the study, whose routers become those of the kept plan by their coordinates, or under the names
      for which the maximum of links stays; links between groups, and between leaves and spines, are spread by `rebalance`.
    - a method of growth, such as ``block``: the kept network grown by it to the size of the study's.
    - ``none``: the network of the study.

    Where links are taken out or routers renamed, the routers of the kept plan come first, with their numbers in that plan. A
    network whose section of the study is that of the kept plan is the kept one.

    Parameters
    ----------
    old
        The kept plan.
    name
        Name of the network, "" in a plan of one.
    target
        The network of the study.
    given
        Its section of the study, with defaults filled in.
    growth
        ``member``, ``none``, or a method of growth.
    progress
        Progress callback.

    Raises
    ------
    InputError
        When there is no such method, or the kept plan is only a schedule.
    Infeasible
        When the method cannot grow the network to this size.
    """
    if growth not in (MEMBER, NONE):
        try:
            registry.function("growth", growth)
        except InputError as error:
            raise InputError(replace(each, place="keep.growth") for each in error.problems) from None
        if old.plan is None:
            message = f"{growth} needs the network of the kept plan, and {old.path.name} is only its schedule"
            raise InputError(Problem("keep.growth", message, "write the folder of the plan, or leave growth out"))
    if old.plan is None or growth == NONE or name not in old.plan.network_names:
        return target
    key = repr((name, sorted(given.items()), growth))
    if key not in old.continued:
        old.continued[key] = _continued(*old.network(name), target, given, growth, progress)
    return old.continued[key]


def _continued(
    before: Topology, stated: Mapping[str, Any], target: Topology, given: Mapping[str, Any], growth: str, progress: Progress
) -> Topology:
    if stated == given and given.get("family") != "file":
        return _as_built(before, target)
    if before.router_count > target.router_count:
        return target
    if growth != MEMBER:
        return _grown(before, target, growth, progress)
    same = embedding(before, target)
    placed = None if same is None else renamed(target, same, before)
    minimum = before.link_count + 1 if placed is None else len(step(before, placed).moved)
    if not minimum:
        # Coordinates identify the routers: the network needs no other order.
        return target
    try:
        found = _nearer(before, target, progress)
    except Infeasible:
        return target
    return found if len(step(before, found).moved) < minimum else target


def _nearer(old: Topology, target: Topology, progress: Progress) -> Topology:
    """Return a network of the study's family that may keep more links than the routers of the same coordinates."""
    if target.router_count > old.router_count and embedding(old, target) is not None and rebalance.applies(old, target):
        # Still a network of the family, in an arrangement of its own.
        spread = rebalance.grow(old, target)
        return replace(spread, family=target.family, params=dict(target.params) | {"growth": "rebalance"})
    return match.grow(old, target, moves=_MOVES, progress=progress) if target.router_count <= _LARGEST else target


def _grown(old: Topology, target: Topology, growth: str, progress: Progress) -> Topology:
    grow = registry.function("growth", growth)
    found = grow(old, target, **({"progress": progress} if "progress" in signature(grow).parameters else {}))
    return replace(found, params=dict(target.params) | {"growth": growth})


def _as_built(old: Topology, target: Topology) -> Topology:
    """Return the kept network with the endpoints of the study's; that one itself where it has the same links."""
    if np.array_equal(old.links, target.links) and np.array_equal(old.link, target.link):
        return target
    place = embedding(target, old)
    count = np.empty(old.router_count, np.int64)
    count[np.arange(old.router_count) if place is None else place] = target.endpoints_of
    return replace(old, endpoint_router=np.repeat(np.arange(old.router_count), count), endpoint_names=())
