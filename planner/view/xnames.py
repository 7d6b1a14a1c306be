"""HPE Cray component names (xnames): racks, switches, connectors, node interfaces."""

from __future__ import annotations

import re

import numpy as np

from planner.domain.model import Plan
from planner.domain.parts import PduPart, RouterPart
from planner.view.ends import End


def racks(plan: Plan) -> list[str]:
    """Return the rack of every cabinet, such as ``x3000``.

    If the names of all cabinets are numbers, with or without an x, they are kept; otherwise cabinets are numbered from
    1000 in the order of their slots.
    """
    slots = plan.placement.slot_of
    names = [plan.room.slot_names[slot] for slot in slots.tolist()]
    matches = (re.fullmatch(r"x?(\d{1,4})", name, re.ASCII) for name in names)
    numbers = [int(match[1]) for match in matches if match]
    if len(set(numbers)) == len(names):
        return [f"x{number:04d}" for number in numbers]
    place = np.empty(len(slots), int)
    place[np.argsort(slots, kind="stable")] = np.arange(len(slots))
    return [f"x{1000 + number}" for number in place.tolist()]


def shared_cages(plan: Plan) -> set[tuple[int, int]]:
    """Return the router cages with several cables, as device and cage: fibers of one twin-port module."""
    cables = plan.cables
    ends = np.column_stack([cables.device.ravel(), cables.cage.ravel(), np.repeat(cables.piece, 2)])
    ends = np.unique(ends[plan.inventory.is_router[ends[:, 0]]], axis=0)
    cages, pieces = np.unique(ends[:, :2], axis=0, return_counts=True)
    return set(map(tuple, cages[pieces > 1].tolist()))


def connector(end: End, racks: list[str], shared: set[tuple[int, int]]) -> str:
    """Return the connector of a switch, its controller in other networks, a PDU, or the interface of a node.

    All but PDUs are in chassis 0.

    Cables that share a connector have its port 0 or 1.
    """
    if end.is_router:
        port = f"p{end.lane - 1}" if (end.device, end.cage) in shared else ""
        return f"{racks[end.number]}c0r{end.unit}j{end.cage}{port}"
    if isinstance(end.part, PduPart):
        return f"{racks[end.number]}m{-min(end.unit, 0)}"
    if isinstance(end.part, RouterPart):
        return f"{racks[end.number]}c0r{end.unit}b0"
    return f"{racks[end.number]}c0s{end.unit}b0n{end.group_port - 1}h0"
