"""Names of networks, devices, ports, cabinets and ends of cables, and of the trays on each route."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np

from planner.domain.model import CablePlan, Plan
from planner.domain.parts.port_group import PortGroup
from planner.domain.parts.ports import UNDECLARED


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
    """Return the names of all devices; those of a plan without devices are R0000 … for routers, E0000 … for endpoints.

    Routers of a network from a file have the names in it.
    """
    if plan.inventory is not None:
        return plan.inventory.names.tolist()
    numbered = [("R", plan.topology.router_count), ("E", plan.topology.endpoint_count)]
    width = max(len(str(max(1, *(count for _, count in numbered)) - 1)), 3)
    names = [f"{head}{n:0{width}d}" for head, count in numbered for n in range(count)]
    own = plan.topology.router_names
    return [*own, *names[len(own) :]]


def port_names(plan: Plan, side: int) -> list[str]:
    """Return the names of the ports at the first or second ends of all cables."""
    cables, names = plan.cables, [part.port_names for part in plan.inventory.parts]
    parts = plan.inventory.part[cables.device[:, side]].tolist()
    return [names[part][port - 1] for part, port in zip(parts, cables.port[:, side].tolist(), strict=True)]


def printed_ports(plan: Plan, side: int) -> list[str]:
    """Return the ports at the first or second ends of all cables as they are printed on the devices.

    Where a cage has several ports, it is the cage and the port in it, ``6/2``; with the name of the group where networks have
    names and the device declares groups of ports, ``compute/6/2``.
    """
    inventory = plan.inventory
    of_cage = np.array([joint.ports_per_cage[side] for joint in inventory.joints], np.int64)[inventory.joint]
    cage, lane = np.divmod(group_ports(plan, side) - 1, of_cage)
    heads = [[_head(group) if is_named(plan) else "" for group in part.groups] or [""] for part in inventory.parts]
    keys = (inventory.part[plan.cables.device[:, side]], inventory.port_group[:, side], of_cage, cage + 1, lane + 1)
    return [
        _printed(heads[part][group], str(number) if per_cage == 1 else f"{number}/{place}")
        for part, group, per_cage, number, place in zip(*(key.tolist() for key in keys), strict=True)
    ]


def _head(group: PortGroup) -> str:
    """Return the name of a group of ports, with a slash where a number follows; empty for the ports of a box without groups."""
    return "" if group.name == UNDECLARED else group.name if group.count == 1 else f"{group.name}/"


def _printed(head: str, number: str) -> str:
    return head if head and not head.endswith("/") else head + number


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


def end_names(plan: Plan, side: int) -> list[str]:
    """Return the first or second ends of all cables as text: cabinet, unit, device, and port as printed on it."""
    cables, cabinets, devices = plan.cables, cabinet_names(plan), device_names(plan)
    columns = (cables.cabinet[:, side].tolist(), cables.unit[:, side].tolist(), cables.device[:, side].tolist())
    return [
        f"{end_place(cabinets[cabinet], unit)}, {devices[device]} {port}"
        for cabinet, unit, device, port in zip(*columns, printed_ports(plan, side), strict=True)
    ]


def end_place(cabinet: str, unit: int) -> str:
    """Return cabinet and unit of a device as text; devices upright at the side of a cabinet have no unit.

    >>> end_place("A01", 41), end_place("A01", 0)
    ('A01 U41', 'A01 upright')
    """
    return f"{cabinet} U{unit}" if unit > 0 else f"{cabinet} upright"


def branch_of_rows(plan: Plan) -> np.ndarray:
    """Return the branch of a splitter cable that each row is, from 1; 0 for cables without branches; int64 (W,)."""
    cables = plan.cables
    if not cables.cable_count:
        return np.zeros(0, np.int64)
    splits = np.array([assembly.tails > 1 for assembly in cables.assemblies])[cables.assembly]
    order = np.argsort(cables.piece, kind="stable")
    piece = cables.piece[order]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.searchsorted(piece, piece)
    return np.where(splits, rank + 1, 0)


def first_of_piece(cables: CablePlan) -> np.ndarray:
    """Return the number, from 1, of the first row of the cable that each row belongs to, int64 (W,)."""
    _, first, piece = np.unique(cables.piece, return_index=True, return_inverse=True)
    return first[piece.ravel()] + 1


def tray_names(plan: Plan) -> list[list[str]]:
    """Return the names of the trays along each route, first end first, without repeats."""
    cables, room = plan.cables, plan.room
    found = []
    for start, end in pairwise(cables.route_indptr.tolist()):
        numbers = room.segment_tray[cables.route_segments[start:end]].tolist()
        found.append([room.tray_names[number] for number, _ in groupby(numbers)])
    return found
