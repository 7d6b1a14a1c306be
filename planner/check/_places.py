"""How violations name the places of a plan."""

from __future__ import annotations

from planner.model import Plan, Room, Violation


def error(rule: str, where: str, value, limit, unit: str, message: str) -> Violation:
    return Violation(rule, where, float(value), float(limit), unit, "error", message)


def device_name(plan: Plan, device: int) -> str:
    routers = plan.topology.router_count
    return f"router {device}" if device < routers else f"endpoint {device - routers}"


def cabinet_name(plan: Plan, cabinet: int) -> str:
    return f"cabinet {plan.room.slot_names[plan.placement.slot_of[cabinet]]}"


def cable_name(plan: Plan, number: int) -> str:
    return f"cable {number + 1} ({plan.cables.label_a[number]})"


def segment_name(room: Room, segment: int) -> str:
    a, b = room.node_xyz[room.segments[segment]][:, :2].tolist()
    return f"tray {room.tray_names[room.segment_tray[segment]]} between ({a[0]}, {a[1]}) and ({b[0]}, {b[1]}) mm"
