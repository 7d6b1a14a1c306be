"""Devices of another part than their role has: those that replace devices of a kept plan one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.design.inventory.attached import Parts, main_group
from planner.domain.model import Inventory, Joint
from planner.domain.parts import EndpointPart, PortGroup, RouterPart, Row
from planner.domain.parts.ports import UNDECLARED

Part = RouterPart | EndpointPart


@dataclass(frozen=True, eq=False)
class OwnParts:
    """Parts of devices, and port groups of connections, as in `Inventory`; `changed` marks devices, bool (D,)."""

    parts: tuple[Part, ...]
    part: np.ndarray
    group: np.ndarray
    changed: np.ndarray


def with_own_parts(
    names: Sequence[str], routers: int, parts: Sequence[Any], part: np.ndarray, ends: np.ndarray, group: np.ndarray,
    wanted: Mapping[str, tuple[str, str]], known: Parts,
) -> OwnParts:  # fmt: skip
    """Return the parts of devices and the port groups of connections where some devices have parts of their own.

    A port group is the one of the same name; for links of the part's own rate and connector also the one that has these.

    Parameters
    ----------
    names, routers
        Names of all devices, and the number of routers among them.
    parts, part
        Parts in use, and the part of each device by role, int64 (D,).
    ends, group
        Devices and port groups at both ends of connections, int64 (W, 2).
    wanted
        Part of devices by name, and the place of the key that states it.
    known
        Catalog rows of all devices.

    Raises
    ------
    InputError
        With the parts that are unknown, of another kind, or lack ports.
    """
    number, every = {name: place for place, name in enumerate(names)}, list(parts)
    part, found, changed = part.astype(np.int64), group.astype(np.int64), np.zeros(len(part), bool)
    problems: list[Problem] = []
    for name, (own, place) in wanted.items():
        device = number.get(name, -1)
        if device < 0 or every[part[device]].id == own:
            continue
        new = known.get(own)
        if new is None:
            problems.append(Problem(place, f"there is no part {own!r}", suggestion(own, known)))
            continue
        old, is_router = every[part[device]], device < routers
        if not isinstance(new, RouterPart if is_router else EndpointPart):
            kind = "router" if is_router else "endpoint"
            problems.append(Problem(place, f"{name} is a {kind}, and {own} is none", f"choose a part of the kind {kind}"))
            continue
        at = ends == device
        problems += _too_few(name, place, old, new, group[at])
        found[at] = [_group(old, new, each) for each in group[at].tolist()]
        if new not in every:
            every.append(new)
        part[device], changed[device] = every.index(new), True
    if problems:
        raise InputError(dict.fromkeys(problems))
    return OwnParts(tuple(every), part, found, changed)


def of_one_network(
    found: Inventory,
    wanted: Mapping[str, tuple[str, str]],
    known: Parts,
    join: Callable[[str, PortGroup, PortGroup, int], Joint],
    rows_by_id: Mapping[str, Row],
) -> Inventory:
    """Return the inventory of one network with the devices that have parts of their own, and the cables of these.

    Raises
    ------
    InputError
        As `with_own_parts`; when such a device has another height or port side than the others of its role, or shares a
        box; when no cable joins its ports.
    """
    own = with_own_parts(
        found.names.tolist(), found.router_count, found.parts, found.part, found.ends, found.port_group, wanted, known
    )
    if not own.changed.any():
        return found
    problems: list[Problem] = []
    for device in np.flatnonzero(own.changed).tolist():
        old, new = found.part_of(device), own.parts[own.part[device]]
        name = str(found.names[device])
        main = own.group[found.ends == device].max(initial=0) == 0
        if (old.units, old.rear) != (new.units, new.rear) or found.per_box[found.part[device]] > 1 or not main:
            message = f"{new.id} has another height, port side or first group of ports than {old.id}, or {name} shares its box"
            remedy = "use tables [[network]] and [[node]], or a part with the same"
            problems.append(Problem(wanted[name][1], message, remedy))
    joints, joint = list(found.joints), found.joint.astype(np.int64)
    number: dict[tuple, int] = {}
    for row in np.flatnonzero(own.changed[found.ends].any(axis=1)).tolist():
        a, b = (own.parts[part].groups[group] for part, group in zip(own.part[found.ends[row]], own.group[row], strict=True))
        if joint[row]:
            # A box has cages like those of its router only if the connector is the same.
            b = replace(b, ports_per_cage=a.ports_per_cage if a.connector == b.connector else 1, count=b.count * a.ports_per_cage)
        key = (int(joint[row]), a.connector, a.ports_per_cage, a.rate_gbps, b.connector, b.ports_per_cage, b.rate_gbps)
        if key not in number:
            try:
                joints.append(join(found.joints[joint[row]].name, a, b, 0))
            except InputError as error:
                problems += [replace(each, place="keep.replace") for each in error.problems]
            number[key] = len(joints) - 1
        joint[row] = number[key]
    if problems:
        raise InputError(dict.fromkeys(problems))
    assemblies = [each for one in joints[len(found.joints) :] for each in one.assemblies]
    ids = sorted({name for each in assemblies for name in (each.length_part, each.end_part, each.end_part_b) if name})
    extra = own.parts[len(found.parts) :]
    return replace(
        found,
        parts=own.parts,
        per_box=found.per_box + (1,) * len(extra),
        part=own.part,
        port_group=own.group,
        joint=joint,
        joints=tuple(joints),
        rows=tuple(row.origin for row in (*extra, *(rows_by_id[name] for name in ids))),
    )


def _group(old: Part, new: Part, number: int) -> int:
    """Return the port group of a part that takes the place of one of another part; -1 for none."""
    names = [group.name for group in new.groups]
    if number == main_group(old):
        return main_group(new)
    return names.index(old.groups[number].name) if old.groups[number].name in names else -1


def _too_few(name: str, place: str, old: Part, new: Part, used: np.ndarray) -> Iterator[Problem]:
    """Yield the port groups that have fewer ports than connections."""
    for number, count in zip(*np.unique(used, return_counts=True), strict=True):
        other = _group(old, new, int(number))
        ports = new.groups[other].count if other >= 0 else 0
        if count > ports:
            own = "" if old.groups[number].name == UNDECLARED else f" of the group {old.groups[number].name}"
            message = f"{name} has {count} connections at its ports{own}, and {new.id} has {ports} of these"
            yield Problem(place, message, f"choose a part with at least {count} such ports")
