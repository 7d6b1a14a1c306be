"""The endpoints of a network that is one of several: which port of which device each of them is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from planner.attachment import Leaves, Ports, attach
from planner.errors import InputError, Problem, suggestion
from planner.inventory.tables import Attachment, Network, Node
from planner.model import Topology
from planner.parts import EndpointPart, PortGroup, RouterPart
from planner.parts.ports import MANAGEMENT
from planner.section import collected

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
        Port group of the router's part, from 0, int64.
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
    number: int, networks: tuple[Network, ...], nodes: tuple[Node, ...], graph: Callable[[int], Topology], parts: Parts
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

    Raises
    ------
    InputError
        With the problems of all attachments of the network.
    """
    network, base = networks[number], graph(number)
    open_ports = _OpenPorts(network, base, parts)
    plane = base.group[:, base.group_names.index("plane")] if "plane" in base.group_names else np.zeros(base.router_count, int)
    rows, owners, problems = [np.zeros((0, 7), np.int64)], [], []
    for place, each in enumerate(network.attachments):
        with collected(problems, f"network.{number}.attach.{place}"):
            for owner, group in _owners(each, network, networks, nodes, graph, parts):
                count = _count(each, owner.part.groups[group])
                at, free = open_ports.of(each.router_ports)
                leaves = np.flatnonzero(free > 0)
                router = attach(
                    each.rule,
                    Ports(each.node or owner.network, len(owner.number), count, owner.names),
                    Leaves(leaves, free[leaves], plane[leaves].astype(np.int64)),
                    **each.parameters,
                )
                open_ports.take(each.router_ports, router)
                devices, port = (axis.ravel() for axis in np.meshgrid(owner.number, np.arange(count), indexing="ij"))
                own = np.full_like(devices, len(owners))
                same = own * 0
                columns = router.ravel(), same + place, own, devices, same + group, port, at[router.ravel()]
                rows.append(np.column_stack(columns))
                owners.append(owner)
    if problems:
        raise InputError(problems)
    table = np.concatenate(rows)
    router, attachment, owner_of, device, group_of, port, at = table[np.argsort(table[:, 0], kind="stable")].T
    return Endpoints(router, attachment, owner_of, device, tuple(owners), group_of, port, at)


class _OpenPorts:
    """Ports of the routers of a network that are open to nodes.

    They are those that the family gives to nodes, or else those that links leave free. Ports of a named group are those of the
    group that are free, and no more than the family gives.
    """

    def __init__(self, network: Network, base: Topology, parts: Parts):
        self._name, self._base = network.name, base
        self._parts = [parts[network.parts[name]] for name in base.role_names]
        self._given = base.endpoint_count > 0
        ports = np.array([part.ports for part in self._parts], np.int64)
        self._open = base.endpoints_of.astype(np.int64) if self._given else ports[base.role] - base.degree
        self._left: dict[str, np.ndarray] = {}

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the group of each router that takes nodes, and its open ports, int64 (R,).

        Raises
        ------
        InputError
            When no router has a group of this name.
        """
        main = np.array([main_group(part) for part in self._parts], np.int64)[self._base.role]
        if not name:
            return main, self._open
        names = [[group.name for group in part.groups] for part in self._parts]
        if not any(name in own for own in names):
            known = dict.fromkeys(each for own in names for each in own)
            message = f"no router of {self._name} has the port group {name!r}"
            raise InputError(Problem("router_ports", message, suggestion(name, known)))
        group = np.array([own.index(name) if name in own else -1 for own in names], np.int64)[self._base.role]
        if name not in self._left:
            counts = [sum(each.count for each in part.groups if each.name == name) for part in self._parts]
            self._left[name] = np.array(counts, np.int64)[self._base.role] - np.where(group == main, self._base.degree, 0)
        left = self._left[name]
        return group, np.minimum(left, self._open) if self._given else left

    def take(self, name: str, router: np.ndarray) -> None:
        """Count a port of each of these routers as used."""
        used = np.bincount(router.ravel(), minlength=self._base.router_count)
        if self._given or not name:
            self._open = self._open - used
        if name:
            self._left[name] = self._left[name] - used


def main_group(part: RouterPart | EndpointPart) -> int:
    """Return the group whose ports join the routers of one network: that with the part's own connector and rate."""
    for number, group in enumerate(part.groups):
        if (group.connector, group.rate_gbps) == (part.connector, part.rate_gbps):
            return number
    return 0


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
        last = node.count if each.count is None else each.skip + each.count
        if last > node.count:
            message = f"names devices {each.skip + 1} to {last} of {node.count} {node.name}"
            raise InputError(Problem("count", message, "use fewer, or raise the count of the node"))
        number = np.arange(each.skip, last)
        part = parts[node.part]
        names = device_names(node.names, node.name, node.count)[each.skip : last]
        yield Owner(node.name, "", number, part, names), _group(each, part)
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
                yield Owner("", name, number, part, tuple(f"{name} {router}" for router in number.tolist())), _group(each, part)


def _roles(each: Attachment, other: Network, names: Sequence[str], parts: Parts) -> list[tuple[int, str]]:
    """Return the roles of another network that have the ports: for management those with such a port, if there are any."""
    roles = list(enumerate(names))
    own = [(role, name) for role, name in roles if any(group.name == MANAGEMENT for group in parts[other.parts[name]].groups)]
    return roles if each.ports else own or roles


def _group(each: Attachment, part: RouterPart | EndpointPart) -> int:
    """Return the port group of an attachment, as an index into the groups of the part."""
    names = [group.name for group in part.groups]
    if each.ports:
        wanted = each.ports
    elif each.routers:
        wanted = MANAGEMENT
    else:
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
