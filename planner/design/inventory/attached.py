"""The endpoints of a network that is one of several: which port of which device each of them is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import collected
from planner.design.inventory.near import nearest
from planner.design.inventory.tables import Attachment, Direct, Network, Node
from planner.domain.model import Topology
from planner.domain.parts import EndpointPart, PortGroup, RouterPart
from planner.domain.parts.ports import MANAGEMENT
from planner.network.attachment import Leaves, Ports, attach

if TYPE_CHECKING:
    from planner.design.inventory.boxes import Boxes

NEAR = "near"
"""Rule whose ports take the nearest routers once cabinets are filled."""

Parts = Mapping[str, RouterPart | EndpointPart]
"""Catalog rows by id."""


class Owner(NamedTuple):
    """Equal devices: a kind of node, or the routers of a network that have one role.

    `number` holds the numbers of the devices: of nodes from 0, of routers in their network.
    """

    node: str
    network: str
    number: np.ndarray
    part: RouterPart | EndpointPart
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Endpoints:
    """Endpoints of one network, by router; arrays (H,).

    Attributes
    ----------
    router
        Router of each endpoint, ascending, int64.
    attachment
        Attachment of the network that made it, int64.
    owner, device
        Index into `owners`, and number of the device as in `Owner.number`, int64.
    owners
        The devices that are attached.
    group, port
        Port group of the device's part, and port of the group, both from 0, int64.
    router_group
        Port group of the router's part, int64; -1 for that of its links.
    """

    router: np.ndarray
    attachment: np.ndarray
    owner: np.ndarray
    device: np.ndarray
    owners: tuple[Owner, ...]
    group: np.ndarray
    port: np.ndarray
    router_group: np.ndarray


def endpoints_of(
    number: int,
    networks: tuple[Network, ...],
    nodes: tuple[Node, ...],
    graph: Callable[[int], Topology],
    parts: Parts,
    boxes: Callable[[], Boxes],
) -> Endpoints:
    """Return the endpoints of a network: the ports that its attachments give to its routers.

    Parameters
    ----------
    number
        The network.
    networks, nodes
        The checked tables of the study.
    graph
        Returns the topology of a network without attached nodes. Its endpoints are the ports that take nodes; where it has
        none, all ports that its links leave free.
    parts
        Catalog rows of all routers and nodes.
    boxes
        Returns all devices with their cabinets, for ports that are attached near their devices.

    Raises
    ------
    InputError
        With unknown roles and parts, or else with the problems of all attachments of the network.
    """
    network, base = networks[number], graph(number)
    if unknown := [*unknown_roles(number, network, base.role_names, parts), *unknown_parts(nodes, parts)]:
        raise InputError(unknown)
    free_ports: dict[str, np.ndarray] = {}
    plane = base.group[:, base.group_names.index("plane")] if "plane" in base.group_names else np.zeros(base.router_count, int)
    rows, owners, problems = [np.zeros((0, 7), np.int64)], list[Owner](), list[Problem]()
    reserved = _uplinks(number, networks, nodes, graph, parts)
    # Ports near their devices take what other rules leave.
    for place, each in sorted(enumerate(network.attachments), key=lambda entry: entry[1].rule == NEAR):
        with collected(problems, f"network.{number}.attach.{place}"):
            near_group = _router_groups(each, network, base, parts)
            free = free_ports.setdefault(each.router_ports, _free_ports(network, base, parts, near_group, reserved))
            for owner, group in _owners(each, network, networks, nodes, graph, parts):
                count = _count(each, owner.part.groups[group])
                leaves = np.flatnonzero(free > 0)
                router = attach(
                    each.rule,
                    Ports(each.node or owner.network, len(owner.number), count, owner.names),
                    Leaves(leaves, free[leaves], plane[leaves].astype(np.int64), _file_names(base, leaves)),
                    **each.parameters,
                )
                free -= np.bincount(router.ravel(), minlength=len(free))
                devices, port = (axis.ravel() for axis in np.meshgrid(owner.number, np.arange(count), indexing="ij"))
                own = np.full_like(devices, len(owners))
                own_group = own * 0 + group
                rows.append(
                    np.column_stack([router.ravel(), own * 0 + place, own, devices, own_group, port, near_group[router.ravel()]])
                )
                owners.append(owner)
    if problems:
        raise InputError(problems)
    table = np.concatenate(rows)
    for router_ports in dict.fromkeys(each.router_ports for each in network.attachments if each.rule == NEAR):
        own = [each.rule == NEAR and each.router_ports == router_ports for each in network.attachments]
        near = np.array(own)[table[:, 1]]
        table[near, 0] = _nearest(number, table[near], free_ports[router_ports], owners, boxes())
    router, attachment, owner_of, device, group_of, port, near_group = table[np.lexsort((table[:, 1], table[:, 0]))].T
    return Endpoints(router, attachment, owner_of, device, tuple(owners), group_of, port, near_group)


def _nearest(number: int, table: np.ndarray, free: np.ndarray, owners: Sequence[Owner], boxes: Boxes) -> np.ndarray:
    """Return the routers nearest to some ports, which may use their own ports and the free ones of one group, int64 (n,)."""
    devices = boxes.devices
    first = np.array(
        [
            devices.first_node[each.node] if each.node else devices.first_router[boxes.network_names.index(each.network)]
            for each in owners
        ]
    )
    device, base = first[table[:, 2]] + table[:, 3], int(devices.first_router[number])
    usable = free + np.bincount(table[:, 0], minlength=len(free))
    leaves = np.flatnonzero(usable > 0)
    position = {leaf + base: place for place, leaf in enumerate(leaves.tolist())}
    ports = zip(device.tolist(), table[:, 4].tolist(), table[:, 5].tolist(), strict=True)
    plugged = np.array([position.get(boxes.plugged(*port), -1) for port in ports], np.int64)
    return leaves[nearest(device, plugged, base + leaves, usable[leaves], boxes.packed.rack, boxes.packed.unit)]


def _file_names(base: Topology, leaves: np.ndarray) -> tuple[str, ...]:
    """Return the names of some routers in the file of their network; () without one."""
    return tuple(base.router_names[router] for router in leaves.tolist()) if base.router_names else ()


def _router_groups(each: Attachment, network: Network, base: Topology, parts: Parts) -> np.ndarray:
    """Return the port group that takes the ports of an attachment, as an index into the groups of each router's part, int64 (R,).

    -1 is the group of the router's links; -2 marks routers that take no nodes, or lack the wanted group.
    """
    takes = (base.endpoints_of > 0) | (not base.endpoint_count)
    if not each.router_ports:
        return np.where(takes, -1, -2)
    used = [parts[network.parts[name]] for name in base.role_names]
    names = [[group.name for group in part.groups] for part in used]
    known = {name for own, part in zip(names, used, strict=True) for name in own if name != own[main_group(part)]}
    if each.router_ports not in known:
        message = f"no router of {network.name} has the port group {each.router_ports!r} next to that of its links"
        raise InputError(Problem("router_ports", message, suggestion(each.router_ports, known)))
    number = np.array([own.index(each.router_ports) if each.router_ports in own else -2 for own in names])
    return np.where(takes, number[base.role], -2)


def _free_ports(network: Network, base: Topology, parts: Parts, group: np.ndarray, reserved: np.ndarray) -> np.ndarray:
    """Return the number of ports of each router that take nodes, in a port group as from `_router_groups`, int64 (R,)."""
    used = [parts[network.parts[name]] for name in base.role_names]
    named = {each.router_ports for each in network.attachments}
    main, ports = (
        np.array(column)[base.role] for column in zip(*((main_group(part), _pooled(part, named)) for part in used), strict=True)
    )
    count = np.array(
        [used[role].groups[n].count if n >= 0 else 0 for role, n in zip(base.role.tolist(), group.tolist(), strict=True)]
    )
    left = np.where(group == -1, ports - base.degree, count)
    left -= reserved[np.arange(len(left)), np.where(group == -1, main, group)]
    stated = base.endpoints_of if base.endpoint_count else left
    return np.maximum(np.where(group == -1, np.minimum(stated, left), left), 0).astype(np.int64)


def _pooled(part: RouterPart | EndpointPart, named: set[str]) -> int:
    """Return the ports for links and for attachments that name no port group: without line cards that others name."""
    cards = [part.groups[number] for number in main_groups(part)]
    return min(part.ports, sum(card.count for card in cards if card is cards[0] or card.name not in named))


def _uplinks(
    number: int, networks: tuple[Network, ...], nodes: tuple[Node, ...], graph: Callable[[int], Topology], parts: Parts
) -> np.ndarray:
    """Return the ports of each router and port group that other networks attach, int64 (R, groups)."""
    base, network = graph(number), networks[number]
    groups = [len(parts[network.parts[name]].groups) for name in base.role_names]
    found = np.zeros((base.router_count, max(groups)), np.int64)
    for other, each in ((one, each) for one in networks for each in one.attachments if network.name in each.routers):
        # What is wrong with it is reported where it is attached.
        with suppress(InputError):
            for owner, group in _owners(each, other, networks, nodes, graph, parts):
                if owner.network == network.name:
                    found[owner.number, group] += _count(each, owner.part.groups[group])
    return found


def main_group(part: RouterPart | EndpointPart) -> int:
    """Return the first group whose ports join the routers of one network."""
    return main_groups(part)[0]


def main_groups(part: RouterPart | EndpointPart) -> list[int]:
    """Return the groups whose ports join the routers of one network: with the part's own connector and rate, up to its ports.

    Several are the line cards of a director.
    """
    alike = [(group.connector, group.rate_gbps) == (part.connector, part.rate_gbps) for group in part.groups]
    found: list[int] = []
    needed = part.ports if isinstance(part, RouterPart) else 1
    for number in np.flatnonzero(alike).tolist():
        if sum(part.groups[each].count for each in found) < needed:
            found.append(number)
    return found or [0]


def unknown_roles(number: int, network: Network, roles: Sequence[str], parts: Parts) -> Iterator[Problem]:
    """Yield the problems of the tables of a network by role: roles that its family does not have, roles and parts that lack."""
    for key in ("parts", "place", "names", "at"):
        for role in getattr(network, key).keys() - set(roles):
            yield Problem(f"network.{number}.{key}.{role}", f"{network.name} has no role {role!r}", suggestion(role, roles))
    for role in roles:
        name = network.parts.get(role)
        if name is None:
            yield Problem(f"network.{number}.parts", f"has no part for the role {role!r}", f'add {role} = "…"')
        elif not isinstance(parts.get(name), RouterPart):
            known = [each for each, part in parts.items() if isinstance(part, RouterPart)]
            yield Problem(f"network.{number}.parts.{role}", f"there is no router {name!r}", suggestion(name, known))


def unknown_parts(nodes: Sequence[Node], parts: Parts) -> Iterator[Problem]:
    """Yield a problem for each node whose part is not that of a node."""
    known = [name for name, part in parts.items() if not isinstance(part, RouterPart)]
    for number, node in enumerate(nodes):
        if node.part not in known:
            yield Problem(f"node.{number}.part", f"there is no part {node.part!r} for nodes", suggestion(node.part, known))


def _owners(
    each: Attachment,
    network: Network,
    networks: tuple[Network, ...],
    nodes: tuple[Node, ...],
    graph: Callable[[int], Topology],
    parts: Parts,
) -> Iterator[tuple[Owner, int]]:
    """Yield the devices of an attachment, and the port group of each."""
    if each.node:
        node = next(node for node in nodes if node.name == each.node)
        number = numbers(each, node)
        part = parts[node.part]
        names = device_names(node.names, node.name, node.count)[each.skip : each.skip + len(number)]
        yield Owner(node.name, "", number, part, names), group_of(part, each.ports)
        return
    for name in each.routers:
        if name == network.name:
            raise InputError(Problem("routers", f"{name} attaches its own routers", "name another network"))
        other = [known.name for known in networks].index(name)
        base = graph(other)
        for role, role_name in _roles(each, networks[other], base.role_names, parts):
            number = np.flatnonzero(base.role == role)[each.skip :]
            number = number if each.count is None else number[: each.count]
            part = parts[networks[other].parts[role_name]]
            if len(number):
                yield (
                    Owner("", name, number, part, tuple(f"{name} {router}" for router in number.tolist())),
                    group_of(part, each.ports or MANAGEMENT),
                )


def _roles(each: Attachment, other: Network, names: Sequence[str], parts: Parts) -> list[tuple[int, str]]:
    """Return the roles of another network that have the ports: for management those with such a port, if there are any.

    A role without a part, or with one that is not in the catalog, is a problem of the other network.
    """
    roles = [(role, name) for role, name in enumerate(names) if other.parts.get(name) in parts]
    own = [(role, name) for role, name in roles if any(group.name == MANAGEMENT for group in parts[other.parts[name]].groups)]
    return roles if each.ports else own or roles


def numbers(each: Attachment | Direct, node: Node) -> np.ndarray:
    """Return the nodes that an entry chooses, from 0, int64.

    Raises
    ------
    InputError
        When there are fewer.
    """
    last = node.count if each.count is None else each.skip + each.count
    if last > node.count:
        message = f"names devices {each.skip + 1} to {last} of {node.count} {node.name}"
        raise InputError(Problem("count", message, "use fewer, or raise the count of the node"))
    return np.arange(each.skip, last)


def group_of(part: RouterPart | EndpointPart, wanted: str) -> int:
    """Return a port group by its name, as an index into the groups of the part; without a name the only one that is not mgmt.

    Raises
    ------
    InputError
        When there is no such group, or there are several.
    """
    names = [group.name for group in part.groups]
    if not wanted:
        own = [name for name in names if name != MANAGEMENT]
        if len(own) != 1:
            message = f"{part.id} has the port groups {', '.join(names)}"
            raise InputError(Problem("ports", message, "name one of them"))
        wanted = own[0]
    if wanted not in names:
        message = f"{part.id} has no port group {wanted!r}"
        raise InputError(Problem("ports", message, suggestion(wanted, names)))
    return names.index(wanted)


def _count(each: Attachment, group: PortGroup) -> int:
    if each.per_device is not None and each.per_device > group.count:
        message = f"{each.per_device} ports, but the group {group.name} has {group.count}"
        raise InputError(Problem("per_device", message, "use fewer"))
    return each.per_device or group.count


def router_names(network: Network, base: Topology, role: str, members: np.ndarray) -> tuple[str, ...]:
    """Return the names of the routers of a role: by the network's template, or without one those of the network's file.

    Raises
    ------
    InputError
        When the template has other fields.
    """
    template = network.names.get(role, "")
    if template or not base.router_names:
        return device_names(template, f"{network.name}-{role}", len(members))
    return tuple(base.router_names[router] for router in members.tolist())


def device_names(template: str, kind: str, count: int) -> tuple[str, ...]:
    """Return the names of equal devices, from a template with ``{n}``; by default the kind and a number from 1.

    Raises
    ------
    InputError
        When the template has other fields.

    Examples
    --------
    >>> device_names("dgx{n:03}", "dgx", 2)
    ('dgx001', 'dgx002')
    >>> device_names("", "leaf", 2)
    ('leaf1', 'leaf2')
    """
    template = template or f"{kind}{{n:0{len(str(count))}}}"
    if not _TEMPLATE.fullmatch(template):
        raise InputError(Problem("names", f"{template!r} is not a name with one {{n}}", "write for example dgx{n:03}"))
    return tuple(template.format(n=number + 1) for number in range(count))


_TEMPLATE = re.compile(r"[^{}]*\{n(:0?\d{1,2})?\}[^{}]*")
