"""Names of devices and cabinets, and of the trays on each route."""

from __future__ import annotations

from itertools import groupby, pairwise

import numpy as np

from planner.model import Plan


def device_names(plan: Plan) -> list[str]:
    """Return the names of all devices: R0001 … for routers, E0001 … for nodes, numbered from 0.

    Routers of a network with a name carry it in front. A network study has a node for each endpoint.
    """
    inventory = plan.inventory
    if inventory is None:
        numbered = [("R", plan.topology.router_count), ("E", plan.topology.endpoint_count)]
    else:
        heads = [f"{name}-R" if name else "R" for name in inventory.network_names]
        counts = np.diff([*inventory.first_router.tolist(), inventory.device_count]).tolist()
        numbered = list(zip([*heads, "E"], counts, strict=True))
    width = max(len(str(max(1, *(count for _, count in numbered)) - 1)), 3)
    return [f"{head}{n:0{width}d}" for head, count in numbered for n in range(count)]


def cabinet_names(plan: Plan) -> list[str]:
    """Return the names of all cabinets, by their numbers."""
    return [plan.room.slot_names[slot] for slot in plan.placement.slot_of.tolist()]


def tray_names(plan: Plan) -> list[list[str]]:
    """Return the names of the trays along each route, first end first, without repeats."""
    cables, room = plan.cables, plan.room
    found = []
    for start, end in pairwise(cables.route_indptr.tolist()):
        numbers = room.segment_tray[cables.route_segments[start:end]].tolist()
        found.append([room.tray_names[number] for number, _ in groupby(numbers)])
    return found
