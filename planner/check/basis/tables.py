"""Devices and attachments that the tables of a study with several networks describe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from planner.domain.model import Plan, Topology
from planner.domain.parts import EndpointPart, RouterPart

MANAGEMENT = "mgmt"


@dataclass(frozen=True, eq=False)
class Kind:
    """Equal devices: the routers of one role of a network, or the nodes of one table, whose `network` is empty.

    `part` is the id of their catalog row, `homes` their sets of cabinets; `defines` marks nodes that decide how many cabinets
    a set without a count has. `at` is where in its cabinet a device is located, as in the study.
    """

    network: str
    role: str
    part: str
    devices: np.ndarray
    names: list[str]
    homes: tuple[str, ...]
    per_cabinet: int | None = None
    unit: int | None = None
    defines: bool = False
    node: str = ""
    at: str | int = "bottom"


@dataclass(frozen=True, eq=False)
class Attached:
    """Ports of equal devices that one attachment of a network connects: `count` ports of a group of each.

    `place` is the number of the attachment, `label` the kind of its connections. `fixed` is false for uplinks, which use any
    free ports of their router. `router_ports` names the port group of the routers, empty for that of their links.
    """

    place: int
    rule: str
    parameters: dict[str, Any]
    label: str
    devices: np.ndarray
    names: list[str]
    group: int
    count: int
    fixed: bool = True
    router_ports: str = ""


Joined = tuple[tuple[int, int], tuple[int, int], int, str]
"""Both devices of a connection between two nodes, their port groups, the port of both, and the kind."""


def has_tables(plan: Plan) -> bool:
    """Return whether the study has tables of networks and nodes."""
    return "network" in plan.study


def topologies(plan: Plan) -> list[Topology]:
    """Return the topology of each network."""
    return [plan.of(name).topology for name in plan.network_names]


@lru_cache(maxsize=1)
def kinds(plan: Plan) -> tuple[Kind, ...]:
    """Return all devices in order: routers network by network and role by role, then the nodes."""
    found, first = [], 0
    for table, topology in zip(plan.study["network"], topologies(plan), strict=True):
        name = table["name"]
        for number, role in enumerate(topology.role_names):
            members = first + np.flatnonzero(topology.role == number)
            names = _names(table["names"].get(role, ""), f"{name}-{role}", len(members))
            if topology.router_names and not table["names"].get(role):
                names = [topology.router_names[router] for router in np.flatnonzero(topology.role == number)]
            at = table.get("at", {}).get(role, "top")
            found.append(Kind(name, role, table["parts"][role], members, names, _sets(table["place"].get(role), name), at=at))
        first += topology.router_count
    for node in plan.study.get("node", ()):
        name, per_cabinet, homes = node["name"], node.get("per_cabinet"), _sets(node.get("cabinets"), node["name"])
        members = first + np.arange(node["count"])
        names = _names(node.get("names", ""), name, len(members))
        defines = per_cabinet is not None or not node.get("cabinets")
        size, at = (per_cabinet, node.get("unit")), node.get("at", "bottom")
        found.append(Kind("", node["role"], node["part"], members, names, homes, *size, defines, name, at))
        first += len(members)
    return tuple(found)


def _sets(given: str | list[str] | None, own: str) -> tuple[str, ...]:
    return ((given,) if isinstance(given, str) else tuple(given)) if given else (own,)


def _names(template: str, kind: str, count: int) -> list[str]:
    """Return the names from 1, all with the digits of the last one where the study has no template."""
    template = template or f"{kind}{{n:0{len(str(count))}}}"
    head, field, tail = re.findall(r"\A([^{}]*)\{(n(?::0?\d{1,2})?)\}([^{}]*)\Z", template)[0]
    width = field.partition(":")[2]
    return [
        head + (str(n).rjust(int(width), "0" if width[0] == "0" else " ") if width else str(n)) + tail
        for n in range(1, count + 1)
    ]


def attached(plan: Plan, number: int) -> Iterator[Attached]:
    """Yield what the attachments of a network connect, in their order; the routers of other networks role by role."""
    parts = {part.id: part for part in plan.inventory.parts}
    network = plan.study["network"][number]
    for place, each in enumerate(network["attach"]):
        skip, limit = each.get("skip", 0), each.get("count")
        label = each.get("kind") or each.get("ports") or (MANAGEMENT if each.get("routers") else network["name"])
        wanted = [kind for kind in kinds(plan) if each.get("node") and kind.node == each["node"]]
        wanted += [kind for name in each.get("routers", ()) for kind in kinds(plan) if kind.network == name]
        if each.get("routers") and not each.get("ports"):
            wanted = [kind for kind in wanted if MANAGEMENT in [group.name for group in parts[kind.part].groups]]
        for kind in wanted:
            some = slice(skip, None if limit is None else skip + limit)
            if len(kind.devices[some]):
                group = _group(each, parts[kind.part])
                count = each.get("per_device") or parts[kind.part].groups[group].count
                first = plan.inventory.routers(plan.network_names.index(kind.network)).start if kind.network else 0
                names = [f"{kind.network} {device - first}" for device in kind.devices.tolist()] if kind.network else kind.names
                own = kind.devices[some], names[some]
                fixed = not kind.network or group != network_group(parts[kind.part])
                yield Attached(
                    place, each["rule"], each["parameters"], label, *own, group, count, fixed, each.get("router_ports", "")
                )


def direct(plan: Plan, number: int) -> Iterator[Joined]:
    """Yield the connections between two nodes of a network: devices, port groups, port of both, and kind."""
    parts = {part.id: part for part in plan.inventory.parts}
    known, network = {kind.node: kind for kind in kinds(plan) if kind.node}, plan.study["network"][number]
    for each in network.get("direct", ()):
        one, two = known[each["node"]], known[each.get("to") or each["node"]]
        first = each.get("skip", 0)
        last = first + each["count"] if each.get("count") else None
        pairs = list(zip(*(kind.devices[first:last].tolist() for kind in (one, two)), strict=True))
        if one is two:
            members = [device for device, _ in pairs]
            pairs = [(members[place], members[place + 1]) for place in range(0, len(members), 2)]
        groups = (_group(each, parts[one.part]), _group(each, parts[two.part]))
        label = each.get("kind") or each.get("ports") or network["name"]
        for pair in pairs:
            yield from ((pair, groups, port, label) for port in range(parts[one.part].groups[groups[0]].count))


def _group(each: dict[str, Any], part: RouterPart | EndpointPart) -> int:
    """Return the port group of an attachment: the named one, that for management of routers, or else the only one."""
    names = [group.name for group in part.groups]
    name = each.get("ports") or (MANAGEMENT if each.get("routers") else "")
    return names.index(name or next(other for other in names if other != MANAGEMENT))


def network_group(part: RouterPart | EndpointPart) -> int:
    """Return the port group of a router that joins it with the others of its network: the first like the part itself."""
    return line_cards(part)[0]


def line_cards(part: RouterPart | EndpointPart) -> list[int]:
    """Return the port groups that join a router with the others of its network, of a director several."""
    alike = [n for n, group in enumerate(part.groups) if (group.connector, group.rate_gbps) == (part.connector, part.rate_gbps)]
    ports, count = (part.ports if isinstance(part, RouterPart) else 1), 0
    for place, number in enumerate(alike):
        count += part.groups[number].count
        if count >= ports:
            return alike[: place + 1]
    return alike or [0]


def open_cards(plan: Plan, network: int, part: RouterPart | EndpointPart) -> list[int]:
    """Return the line cards of the routers of a network that no attachment names: those of links and of all other attachments."""
    named = {each.get("router_ports", "") for each in plan.study["network"][network]["attach"]}
    cards = line_cards(part)
    return [card for card in cards if card == cards[0] or part.groups[card].name not in named]
