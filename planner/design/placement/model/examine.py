"""Checks of placement parameters before packing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.placement.model import layout as layout_module
from planner.domain.model import Room, Topology

Sets = tuple[tuple[int, ...], ...]


def examine(
    topology: Topology,
    room: Room,
    *,
    algorithm: str = "auto",
    groups: Literal["required", "preferred", "ignored"] = "required",
    group_price: int = 0,
    separate: Sets = (),
    layout: Path | None = None,
    **others: Any,
) -> None:
    """Check a layout, sets of routers and penalties against the network and the room.

    Parameters
    ----------
    topology, room
        The network and the room.
    algorithm, groups, group_price, separate, layout
        As for `planner.design.placement.place`; other parameters are ignored.

    Raises
    ------
    InputError
        With all problems.
    """
    problems = []
    if group_price and groups != "preferred":
        problems.append(Problem("group_price", f"has no effect if groups are {groups}", 'write groups = "preferred"'))
    for number, routers in enumerate(separate):
        if wrong := [router for router in routers if not 0 <= router < topology.router_count]:
            message = f"there is no router {wrong[0]} in a network of {topology.router_count}"
            problems.append(Problem(f"separate.{number}", message, f"use 0 to {topology.router_count - 1}"))
    if layout is not None:
        try:
            given = layout_module.read(layout, topology, room)
        except InputError as error:
            problems += error.problems
        else:
            missing = np.flatnonzero(given.slot < 0)
            if algorithm == "manual" and len(missing):
                message = f"lacks router {missing[0]} and {len(missing) - 1:,} others"
                problems.append(Problem("layout", message, "add rows, or choose another algorithm to place the rest"))
    elif algorithm == "manual":
        problems.append(Problem("layout", "manual placement needs a layout", 'add layout = "my-layout.csv"'))
    if problems:
        raise InputError(problems)
