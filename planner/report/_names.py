"""Names of devices and cabinets, and of the trays on each route."""

from __future__ import annotations

from itertools import groupby, pairwise

from planner.model import Plan


def device_names(plan: Plan) -> list[str]:
    """Return the names of all devices: R0001 … for routers, E0001 … for endpoints, numbered from 0 like the topology."""
    routers, endpoints = plan.topology.router_count, plan.topology.endpoint_count
    width = max(len(str(max(routers, endpoints, 1) - 1)), 3)
    return [f"R{n:0{width}d}" for n in range(routers)] + [f"E{n:0{width}d}" for n in range(endpoints)]


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
