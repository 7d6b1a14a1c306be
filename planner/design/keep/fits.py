"""Whether the kept plan fits the room and the devices of this one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from planner.core.errors import Problem
from planner.design.keep.old import Device, Old
from planner.domain.model import Inventory, Room

_SHOWN = 5
"""Maximum number of problems of one kind that are listed one by one."""


def fits(
    old: Old,
    devices: Sequence[Device],
    device: np.ndarray,
    inventory: Inventory,
    room: Room,
    *,
    shrink: bool,
) -> Iterator[Problem]:
    """Yield what keeps the plan from being kept; `device` is the device of the inventory of each, -1 for none."""
    if problem := _other_room(old, devices, room):
        yield problem
        return
    if not (device >= 0).any():
        message = f"none of the {len(devices):,} devices of the kept plan is in this one: {devices[0].name if devices else ''}"
        yield Problem("plan", message, f"keep the names of the kept plan: this one has {inventory.names[0]} …")
        return
    yield from _missing(devices, device, shrink)
    yield from _unlike(devices, device, inventory)
    if (inventory.rack < 0).any():
        yield from _apart(old, devices, device)


def shown(problems: list[Problem], what: str) -> Iterator[Problem]:
    """Yield the first problems of a kind, and the number of the others."""
    yield from problems[:_SHOWN]
    if len(problems) > _SHOWN:
        yield Problem(problems[0].place, f"{len(problems) - _SHOWN:,} more {what}", problems[0].remedy)


def _other_room(old: Old, devices: Sequence[Device], room: Room) -> Problem | None:
    """Return the problem of a plan of another room; None for this one."""
    remedy = "choose the room of the kept plan, or a drawing that extends it: slots keep their names"
    if unknown := sorted({each.cabinet for each in devices} - set(room.slot_names)):
        message = f"is of another room: {room.name} has no slot {', '.join(unknown[:_SHOWN])}"
        return Problem("plan", message + (f" and {len(unknown) - _SHOWN:,} others" if len(unknown) > _SHOWN else ""), remedy)
    if old.plan is None:
        return None
    theirs = old.plan.room
    same = theirs.segments.shape == room.segments.shape and np.array_equal(
        theirs.node_xyz[theirs.segments], room.node_xyz[room.segments]
    )
    if not same:
        message = f"is of another room: its {len(theirs.segments)} tray segments are not the {len(room.segments)} of {room.name}"
        return Problem("plan", message, f"{remedy}; or keep its cable schedule, so that routes are planned again")
    number = {name: slot for slot, name in enumerate(room.slot_names)}
    for place, name in enumerate(theirs.slot_names):
        if name in number and not np.array_equal(theirs.slot_xy[place], room.slot_xy[number[name]]):
            return Problem("plan", f"is of another room: slot {name} is not where it is in {room.name}", remedy)
    return None


def _missing(devices: Sequence[Device], device: np.ndarray, shrink: bool) -> Iterator[Problem]:
    """Yield the devices that this plan does not have, unless it shrinks on purpose."""
    gone = [devices[place].name for place in np.flatnonzero(device < 0).tolist()]
    if gone and not shrink:
        names = ", ".join(gone[:_SHOWN]) + (f" and {len(gone) - _SHOWN:,} others" if len(gone) > _SHOWN else "")
        remedy = f"write shrink = true to remove {len(gone):,} devices, or enlarge the network to keep them"
        yield Problem("plan", f"this plan lacks {names} of the kept plan", remedy)


def _unlike(devices: Sequence[Device], device: np.ndarray, inventory: Inventory) -> Iterator[Problem]:
    """Yield the devices with another role than in the kept plan."""
    problems = []
    for place in np.flatnonzero(device >= 0).tolist():
        each, number = devices[place], int(device[place])
        role = inventory.role_names[inventory.role[number]]
        if each.role and each.role != role:
            message = (
                f"{each.name} is a {each.role} in the kept plan, and a {role} here: the topology numbers its routers differently"
            )
            remedy = "use tables [[network]], whose devices are named by role, in both studies"
            problems.append(Problem("plan", message, remedy))
    yield from shown(problems, "devices like these")


def _apart(old: Old, devices: Sequence[Device], device: np.ndarray) -> Iterator[Problem]:
    """Yield the nodes of a plan of one network that do not share the cabinet of their router."""
    found = {each.name: each for each in devices}
    problems = []
    for row in old.rows:
        a, b = (found[end.device] for end in row.ends)
        if row.kind == "endpoint" and a.cabinet != b.cabinet:
            message = f"{b.name} is in {b.cabinet}, its router {a.name} in {a.cabinet}"
            problems.append(Problem("plan", message, "use tables [[network]] and [[node]] for nodes in cabinets of their own"))
    yield from shown(problems, "nodes in other cabinets than their routers")
