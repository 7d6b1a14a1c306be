"""Names of networks, devices, ports and cabinets, and of the trays on each route."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np

from planner.model import Plan


def is_named(plan: Plan) -> bool:
    """Return whether the networks of a plan have names: those of a study with tables ``[[network]]``."""
    return plan.network_names != ("",)


def networks_with(plan: Plan, record: str) -> list[Plan]:
    """Return the plan of each network that has a record of its own, with its quantities; the plan itself where it has no name."""
    if not is_named(plan) or getattr(plan, record) is None:
        return [plan]
    return [
        _view(plan, name) for name in plan.network_names if name == plan.network_names[0] or record in plan.others.get(name, {})
    ]


def _view(plan: Plan, name: str) -> Plan:
    mark = f"@{name}"
    own = {key.removesuffix(mark): entry for key, entry in plan.quantities.items() if key.endswith(mark)}
    return replace(plan.of(name), quantities=plan.quantities | own)


def network_key(plan: Plan, key: str) -> str:
    """Return the key of a mark of the network whose records a plan has."""
    return f"{key}-{plan.network}" if plan.network else key


def network_title(plan: Plan, title: str) -> str:
    """Return a title with the name of the network whose records a plan has."""
    return f"{title}: {plan.network_names[plan.network]}" if is_named(plan) else title


def network_of_rows(plan: Plan) -> np.ndarray:
    """Return the network of each connection, as a number, int64 (W,)."""
    return np.repeat(np.arange(len(plan.inventory.network_names)), np.diff(plan.inventory.first_link))


def network_of_devices(plan: Plan) -> np.ndarray:
    """Return the network of each router, as a number; of nodes -1; int64 (D,)."""
    found = np.full(plan.inventory.device_count, -1)
    found[: plan.inventory.router_count] = np.repeat(
        np.arange(len(plan.inventory.network_names)), np.diff(plan.inventory.first_router)
    )
    return found


def device_names(plan: Plan) -> list[str]:
    """Return the names of all devices; those of a plan without devices are R0000 … for routers, E0000 … for endpoints."""
    if plan.inventory is not None:
        return plan.inventory.names.tolist()
    numbered = [("R", plan.topology.router_count), ("E", plan.topology.endpoint_count)]
    width = max(len(str(max(1, *(count for _, count in numbered)) - 1)), 3)
    return [f"{head}{n:0{width}d}" for head, count in numbered for n in range(count)]


def port_names(plan: Plan, side: int) -> list[str]:
    """Return the names of the ports at the first or second ends of all cables."""
    cables, names = plan.cables, [part.port_names for part in plan.inventory.parts]
    parts = plan.inventory.part[cables.device[:, side]].tolist()
    return [names[part][port - 1] for part, port in zip(parts, cables.port[:, side].tolist(), strict=True)]


def group_ports(plan: Plan, side: int) -> np.ndarray:
    """Return the number of the port at the first or second ends of all cables within its group, from 1, int64 (W,)."""
    inventory, cables = plan.inventory, plan.cables
    groups = [part.groups for part in inventory.parts]
    before = np.zeros((len(groups), max(map(len, groups))), np.int64)
    for part, own in enumerate(groups):
        before[part, : len(own)] = np.cumsum([0, *(group.count for group in own[:-1])])
    return cables.port[:, side] - before[inventory.part[cables.device[:, side]], inventory.port_group[:, side]]


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
