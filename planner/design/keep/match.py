"""Devices and connections of the kept plan, found in the inventory of this one."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.design.keep.fits import fits, shown
from planner.design.keep.old import Device, Old
from planner.design.keep.replaced import ports_of, same_groups
from planner.domain.model import Inventory, Kept, Room


def kept(
    old: Old,
    inventory: Inventory,
    room: Room,
    *,
    frozen: Any,
    movable: Any,
    overflow: Sequence[str],
    shrink: bool,
    replace: Any = (),
) -> Kept:
    """Return what of an older plan stays.

    Devices are found by name; a connection of the kept plan is one of this plan between the same two devices, at the port that
    the study gives a node, otherwise in the order of both plans.

    Parameters
    ----------
    old
        The plan that is built.
    frozen, movable, overflow, shrink, replace
        As in the section ``[keep]``.

    Raises
    ------
    InputError
        With all problems: another room, devices that are missing or have another part or role, ports that a part does not have,
        cables that the catalog does not have, names that choose nothing.
    """
    devices = list(old.devices.values())
    number = {each.name: place for place, each in enumerate(devices)}
    slots = {name: slot for slot, name in enumerate(room.slot_names)}
    device = _found(devices, inventory)
    problems: list[Problem] = []
    new_ports = ports_of(replace, old.devices, problems)
    parts = {name: each.part for each in replace for name in each.devices}
    for name in parts.keys() & old.devices.keys():
        new_ports[name] = _same_groups(old, name, inventory, int(device[number[name]])) | new_ports[name]
    problems += fits(old, devices, device, inventory, room, shrink=shrink)
    problems += _unknown(devices, inventory, {"frozen": frozen, "movable": movable}, overflow)
    if problems:
        raise InputError(problems)
    stays = (device >= 0) & _chosen(devices, device, inventory, frozen, default=True)
    stays &= ~_chosen(devices, device, inventory, movable, default=False)
    ends = np.array([[number[end.device] for end in row.ends] for row in old.rows], np.int64).reshape(-1, 2)
    plugs = [[new_ports.get(end.device, {}).get(end.port, end.port) for end in row.ends] for row in old.rows]
    port = np.array(plugs, np.int64).reshape(-1, 2)
    row, turned = _rows(device[ends], port, inventory)
    piece = np.array([row.piece for row in old.rows], np.int64)
    problems += _ports(old, device[ends], port, row, turned, inventory, parts)
    problems += _doubled(devices, ends[row >= 0], port[row >= 0])
    # The port of a node that shares a box, such as a chassis of four, is that of its place in the box, which may change.
    boxed = np.array(inventory.per_box)[inventory.part[device]] > 1
    port[(boxed & ~stays)[ends]] = 0
    bundled = np.array([bool(each.trunk) for each in old.rows], bool)
    known = np.array([bool(each.part) for each in old.rows], bool)
    installed: np.ndarray = (row >= 0) & stays[ends].all(axis=1) & ~bundled & known
    # Cables of replaced devices stay where they fit the ports of both; twin-port and splitter cables are chosen again.
    again = np.array([each.name in parts for each in devices], bool)[ends].any(axis=1)
    installed &= ~again | (np.bincount(piece, minlength=1)[piece] == 1) if len(piece) else installed
    # A cable stays with all its rows, or is made again.
    whole = np.unique(piece, return_inverse=True)[1].ravel()
    broken = np.bincount(whole, ~installed, minlength=1) > 0 if len(whole) else np.zeros(0, bool)
    installed &= ~broken[whole]
    choice, missing = _choices(old, row, installed, whole, inventory, np.asarray(again))
    problems += missing
    if problems:
        raise InputError(problems)
    installed &= choice >= 0
    labels = np.array([[end.label for end in each.ends] for each in old.rows], np.str_).reshape(-1, 2)
    # Labels name ports.
    plugged = port == np.array([[end.port for end in each.ends] for each in old.rows], np.int64).reshape(-1, 2)
    labels = np.where((installed & plugged.all(axis=1))[:, None], labels, "")
    route, indptr, segments = _routes(old, installed)
    return Kept(
        source=old.path.name,
        names=np.array([each.name for each in devices], np.str_),
        slot=np.array([slots[each.cabinet] for each in devices], np.int64),
        unit=np.array([each.unit for each in devices], np.int64),
        part=np.array([each.part for each in devices], np.str_),
        device=device,
        stays=stays,
        ends=ends,
        port=port,
        piece=piece,
        row=row,
        turned=turned,
        installed=installed,
        choice=choice,
        stock_mm=np.array([each.stock_mm for each in old.rows], np.int64),
        label=labels,
        route=route,
        route_indptr=indptr,
        route_segments=segments,
    )


def _found(devices: Sequence[Device], inventory: Inventory) -> np.ndarray:
    """Return the device of the inventory with the name of each; -1 for none; int64 (K,)."""
    number = {name: place for place, name in enumerate(inventory.names.tolist())}
    return np.array([number.get(each.name, -1) for each in devices], np.int64)


def _same_groups(old: Old, name: str, inventory: Inventory, device: int) -> dict[int, int]:
    """Return the port of a replaced device for each port of the kept plan; {} where its part there is not known."""
    if old.inventory is None or device < 0:
        return {}
    place = old.inventory.names.tolist().index(name)
    return same_groups(old.inventory.part_of(place), inventory.part_of(device))


def _chosen(devices: Sequence[Device], device: np.ndarray, inventory: Inventory, which: Any, *, default: bool) -> np.ndarray:
    """Return which devices a table of cabinets, networks and roles chooses, bool (K,); `default` for an empty one."""
    if which.is_empty:
        return np.full(len(devices), default)
    roles = [inventory.role_names[inventory.role[place]] if place >= 0 else "" for place in device.tolist()]
    networks = np.searchsorted(inventory.first_router, device, "right") - 1
    names = [*inventory.network_names, ""]
    own = [names[number] if 0 <= number < len(names) - 1 else "" for number in networks.tolist()]
    return np.array(
        [
            each.cabinet in which.cabinets or role in which.roles or (network != "" and network in which.networks)
            for each, role, network in zip(devices, roles, own, strict=True)
        ],
        bool,
    )


def _unknown(devices: Sequence[Device], inventory: Inventory, tables: dict, overflow: Sequence[str]) -> Iterator[Problem]:
    """Yield the names of a section that choose nothing."""
    known = {
        "cabinets": {each.cabinet for each in devices},
        "networks": {name for name in inventory.network_names if name},
        "roles": set(inventory.role_names),
    }
    for table, which in tables.items():
        for key, names in known.items():
            for name in getattr(which, key):
                if name not in names:
                    what = f"the kept plan has no cabinet {name!r}" if key == "cabinets" else f"there is no {key[:-1]} {name!r}"
                    yield Problem(f"{table}.{key}", what, suggestion(name, names))
    for key in known:
        for name in dict.fromkeys(getattr(tables["movable"], key)):
            if name in getattr(tables["frozen"], key):
                message = f"{name!r} is in frozen too: its devices would move and stay"
                yield Problem(f"movable.{key}", message, f"keep {name!r} in one of both")
    for name in overflow:
        if name not in known["cabinets"]:
            yield Problem("overflow", f"the kept plan has no cabinet {name!r}", suggestion(name, known["cabinets"]))
    if overflow and (inventory.rack < 0).any():
        remedy = 'leave it out: [placement] groups = "preferred" lets new routers join other cabinets'
        yield Problem("overflow", "has no effect in a plan of one network", remedy)


def _rows(ends: np.ndarray, port: np.ndarray, inventory: Inventory) -> tuple[np.ndarray, np.ndarray]:
    """Return the connection of the inventory for each of the kept plan, -1 for none, and whether its ends are turned, (V,)."""
    row, turned = np.full(len(ends), -1), np.zeros(len(ends), bool)
    given: dict[tuple, deque[int]] = defaultdict(deque)
    chosen: dict[tuple, deque[int]] = defaultdict(deque)
    fixed = np.where(inventory.port >= 0, inventory.port + 1 + _before(inventory), 0)
    for number, (pair, own) in enumerate(zip(inventory.ends.tolist(), fixed.tolist(), strict=True)):
        (given if any(own) else chosen)[tuple(sorted(zip(pair, own, strict=True)))].append(number)
    for place, (pair, own) in enumerate(zip(ends.tolist(), port.tolist(), strict=True)):
        if min(pair) < 0:
            continue
        masks = ((1, 1), (0, 1), (1, 0), (0, 0))
        keys = (tuple(sorted(zip(pair, (own[0] * one, own[1] * two), strict=True))) for one, two in masks)
        waiting = next((found for key in keys for found in (given.get(key) or chosen.get(key),) if found), None)
        if waiting:
            row[place] = waiting.popleft()
            turned[place] = inventory.ends[row[place]].tolist() != pair
    return row, turned


def _before(inventory: Inventory) -> np.ndarray:
    """Return the ports of each device before those of the port group at both ends, int64 (W, 2)."""
    return _of_groups(inventory, lambda groups, place: sum(each.count for each in groups[:place]))


def _of_groups(inventory: Inventory, figure: Callable[..., int]) -> np.ndarray:
    part = inventory.part[inventory.ends].astype(np.int64)
    keys, index = np.unique(np.stack([part, inventory.port_group], axis=2).reshape(-1, 2), axis=0, return_inverse=True)
    values = np.array([figure(inventory.parts[part].groups, group) for part, group in keys.tolist()], np.int64)
    return values[index.ravel()].reshape(-1, 2)


def _doubled(devices: Sequence[Device], ends: np.ndarray, port: np.ndarray) -> Iterator[Problem]:
    """Yield the ports of replaced devices that two connections would use."""
    used, count = np.unique(np.column_stack([ends.ravel(), port.ravel()]), axis=0, return_counts=True)
    problems = [
        Problem("replace", f"{devices[place].name} port {number} is used twice", "list the port that has this number already")
        for place, number in used[count > 1].tolist()
    ]
    yield from shown(problems, "ports used twice")


def _ports(
    old: Old,
    ends: np.ndarray,
    port: np.ndarray,
    row: np.ndarray,
    turned: np.ndarray,
    inventory: Inventory,
    replaced: Collection[str],
) -> Iterator[Problem]:
    """Yield the ports of kept connections that their port group does not have."""
    low = _before(inventory)
    high = low + _of_groups(inventory, lambda groups, place: groups[place].count)
    problems = []
    for place in np.flatnonzero(row >= 0).tolist():
        for side, end in enumerate(old.rows[place].ends):
            mine = side ^ int(turned[place])
            first, last = int(low[row[place], mine]) + 1, int(high[row[place], mine])
            if not first <= port[place, side] <= last:
                part = inventory.part_of(int(ends[place, side])).id
                message = f"{end.device} port {int(port[place, side])}: these connections of {part} use ports {first} to {last}"
                if end.device in replaced:
                    remedy = f"list {end.port} = … with a port from {first} to {last} in its ports"
                    problems.append(Problem("replace", message, remedy))
                else:
                    remedy = "choose the part that is built, or take the connection out of the plan"
                    problems.append(Problem("plan", message, remedy))
    yield from shown(problems, "ports that the parts do not have")


def _choices(
    old: Old, row: np.ndarray, installed: np.ndarray, piece: np.ndarray, inventory: Inventory, again: np.ndarray
) -> tuple[np.ndarray, list[Problem]]:
    """Return the assembly of each cable that stays, -1 for others, and the problems of those that the catalog lacks.

    Cables marked by `again` may be chosen again instead.
    """
    choice, wanting = np.full(len(row), -1), dict[Any, Any]()
    first = np.cumsum([0, *(len(joint.assemblies) for joint in inventory.joints)])
    several = np.bincount(piece, minlength=1)[piece] > 1 if len(piece) else np.zeros(0, bool)
    known: dict[tuple, int] = {}
    for kind, joint in enumerate(inventory.joints):
        for place, each in enumerate(joint.assemblies):
            shared = place >= len(joint.single)
            parts = tuple(end.part for end in each.ends)
            for ends in (parts, parts[::-1]):
                known.setdefault((kind, shared, each.length_part, ends), int(first[kind]) + place)
    for place in np.flatnonzero(installed).tolist():
        one, kind = old.rows[place], int(inventory.joint[row[place]])
        found = known.get((kind, bool(several[place]), one.part, one.end_parts))
        if found is None and again[place]:
            continue
        if found is None:
            wanting.setdefault((one.part, inventory.joints[kind].name), []).append(one.number)
        else:
            choice[place] = found
    problems = [
        Problem(
            "plan",
            f"{len(numbers):,} of the {name} are {part}, which the catalog does not have or allow between these ports",
            "add the part to the catalog of this study, or name its cabinets, networks or roles in movable",
        )
        for (part, name), numbers in wanting.items()
    ]
    return choice, problems


def _routes(old: Old, installed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the routes of the cables that stay as in `Kept`; none where only a schedule is at hand."""
    route = np.full(len(installed), -1)
    if old.plan is None:
        return route, np.zeros(1, np.int64), np.zeros(0, np.int64)
    cables = old.plan.cables
    return np.where(installed, cables.route, -1), cables.route_indptr, cables.route_segments
