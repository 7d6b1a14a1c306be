"""The inventory of several networks: unlike devices, nodes with many ports, and the cabinets that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.errors import InputError, Problem
from planner.inventory.attached import Endpoints, Parts, device_names, main_group
from planner.inventory.near import nearest
from planner.inventory.racks import Cabinets, Kind, Racks, racks
from planner.inventory.tables import Network, Node
from planner.model import Catalog, Inventory, Joint, Topology
from planner.parts import EndpointPart, PortGroup, RouterPart, Row

NEAR = "near"
"""Rule whose devices are exchanged once cabinets are filled."""

Join = Callable[[str, PortGroup, PortGroup, int], Joint]
"""Returns the cables between two port groups in a network (its number), with a name for messages."""


def several(
    networks: Sequence[Network],
    nodes: Sequence[Node],
    cabinets: Sequence[Cabinets],
    topologies: Sequence[Topology],
    endpoints: Sequence[Endpoints],
    catalog: Catalog,
    parts: Parts,
    join: Join,
    rows_by_id: Mapping[str, Row],
    *,
    units: int,
    power_mw: int,
) -> Inventory:
    """Return the devices and connections of several networks.

    Parameters
    ----------
    networks, nodes, cabinets
        The checked tables of the study.
    topologies, endpoints
        Of each network: its topology with endpoints, and what they are.
    parts
        Catalog rows of all routers and nodes.
    join
        Finds the cables between two port groups.
    rows_by_id
        Catalog rows of cables, transceivers and fibers.
    units, power_mw
        Rack units that devices may use in a cabinet, and the maximum power of their sum.

    Raises
    ------
    InputError
        With all ports that no cable joins, names that several devices have, and cabinets over their limits.
    """
    devices = _Devices.of(networks, nodes, topologies, parts)
    rows = _Rows.of(networks, topologies, endpoints, devices)
    packed = racks(devices.kinds, cabinets, catalog.cabinet, units, power_mw, devices.count)
    rows = rows.brought_near(packed)
    joints, joint = _joints(networks, devices, rows, join)
    counts = [len(each.router) for each in endpoints]
    links = [topology.link_count for topology in topologies]
    ends = np.cumsum([0, *(count for pair in zip(links, counts, strict=True) for count in pair)])
    group, group_names = _levels(devices, topologies, "group")
    coords, coord_names = _levels(devices, topologies, "coords")
    return Inventory(
        parts=devices.parts,
        per_box=(1,) * len(devices.parts),
        part=devices.part,
        role=devices.role,
        role_names=devices.role_names,
        first_router=devices.first_router,
        network_names=tuple(network.name for network in networks),
        group=group,
        group_names=group_names,
        coords=coords,
        coord_names=coord_names,
        ends=rows.ends,
        rank=rows.rank,
        kind=rows.kind,
        kind_names=rows.kind_names,
        port_group=rows.group,
        port=rows.port,
        joint=joint,
        joints=joints,
        rows=_rows_in_use(devices, joints, rows_by_id),
        first_link=ends[::2],
        first_endpoint=ends[1::2],
        names=devices.names,
        rack=packed.rack,
        rack_unit=packed.unit,
        rack_position=packed.position,
    )


@dataclass(frozen=True, eq=False)
class _Devices:
    """All devices: the routers of each network in turn, then the nodes of each kind."""

    parts: tuple[RouterPart | EndpointPart, ...]
    part: np.ndarray
    role: np.ndarray
    role_names: tuple[str, ...]
    names: np.ndarray
    first_router: np.ndarray
    first_node: dict[str, int]
    kinds: tuple[Kind, ...]

    @property
    def count(self) -> int:
        return len(self.part)

    @classmethod
    def of(cls, networks: Sequence[Network], nodes: Sequence[Node], topologies: Sequence[Topology], parts: Parts) -> _Devices:
        used: list[str] = []
        roles: list[str] = []
        part, role, names, kinds, problems = [], [], [], [], []

        def number(listed: list[str], name: str) -> int:
            if name not in listed:
                listed.append(name)
            return listed.index(name)

        first_router, first = [0], 0
        for place, (network, topology) in enumerate(zip(networks, topologies, strict=True)):
            ids = [network.parts[name] for name in topology.role_names]
            part.append(np.array([number(used, each) for each in ids])[topology.role])
            role.append(np.array([number(roles, each) for each in topology.role_names])[topology.role])
            own = np.empty(topology.router_count, object)
            for index, name in enumerate(topology.role_names):
                members = np.flatnonzero(topology.role == index)
                try:
                    own[members] = device_names(network.names.get(name, ""), f"{network.name}-{name}", len(members))
                except InputError as error:
                    problems += error.located(section=f"network.{place}").problems
                home = network.place.get(name, network.name)
                kinds.append(Kind(f"{network.name} {name}", parts[ids[index]], first + members, home))
            names.append(own)
            first += topology.router_count
            first_router.append(first)
        first_node = {}
        for place, node in enumerate(nodes):
            first_node[node.name] = first
            part.append(np.full(node.count, number(used, node.part)))
            role.append(np.full(node.count, number(roles, node.role)))
            try:
                names.append(np.array(device_names(node.names, node.name, node.count), object))
            except InputError as error:
                problems += error.located(section=f"node.{place}").problems
            own_cabinets = node.cabinets or node.name
            member = first + np.arange(node.count)
            defines = node.per_cabinet is not None or not node.cabinets
            kinds.append(Kind(node.name, parts[node.part], member, own_cabinets, node.per_cabinet, node.unit, defines))
            first += node.count
        if problems:
            raise InputError(problems)
        every = np.concatenate(names)
        values, counts = np.unique(every.astype(str), return_counts=True)
        if (counts > 1).any():
            message = f"{int(counts.max())} devices have the name {values[np.argmax(counts)]}"
            raise InputError(Problem("names", message, "give networks and nodes other names or templates"))
        return cls(
            tuple(parts[name] for name in used), np.concatenate(part), np.concatenate(role), tuple(roles), every.astype(str),
            np.array(first_router), first_node, tuple(kinds),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Rows:
    """All connections; arrays (W, 2) and (W,) as in `planner.model.Inventory`."""

    ends: np.ndarray
    rank: np.ndarray
    kind: np.ndarray
    kind_names: tuple[str, ...]
    group: np.ndarray
    port: np.ndarray
    network: np.ndarray
    near: np.ndarray

    def brought_near(self, packed: Racks) -> _Rows:
        """Return the connections with the devices of the rule near exchanged, those of each network among each other."""
        ends, group, port, kind = self.ends.copy(), self.group.copy(), self.port.copy(), self.kind.copy()
        for network in np.unique(self.network[self.near]).tolist():
            own = np.flatnonzero(self.near & (self.network == network))
            order = own[nearest(ends[own, 0], ends[own, 1], packed.rack, packed.unit)]
            for column in (ends, group, port):
                column[own, 1] = column[order, 1]
            kind[own] = kind[order]
        return replace(self, ends=ends, group=group, port=port, kind=kind)

    @classmethod
    def of(
        cls, networks: Sequence[Network], topologies: Sequence[Topology], endpoints: Sequence[Endpoints], devices: _Devices
    ) -> _Rows:
        main = np.array([main_group(part) for part in devices.parts])
        names: list[str] = []
        columns: list[tuple[np.ndarray, ...]] = []

        def kind(name: str) -> int:
            if name not in names:
                names.append(name)
            return names.index(name)

        numbers = {network.name: number for number, network in enumerate(networks)}
        for number, (network, topology, each) in enumerate(zip(networks, topologies, endpoints, strict=True)):
            first = int(devices.first_router[number])
            links = topology.links.astype(np.int64) + first
            classes = np.array([kind(name) for name in topology.link_class_names], np.int64)
            columns.append(
                (
                    links, link_ranks(topology), classes[topology.link_class], main[devices.part[links]],
                    np.full((len(links), 2), -1), np.full(len(links), number), np.zeros(len(links), bool),
                )
            )  # fmt: skip
            base = np.array(
                [devices.first_node[o.node] if o.node else devices.first_router[numbers[o.network]] for o in each.owners],
                np.int64,
            )
            far = base[each.owner] + each.device
            near = first + each.router
            # Uplinks use the ports that the links and endpoints of their router leave; cabling chooses them.
            uplink = (far < devices.first_router[-1]) & (each.group == main[devices.part[far]])
            own = [attachment.kind or _kind_of(attachment, network) for attachment in network.attachments]
            labels = np.array([kind(name) for name in own], np.int64)
            near_rule = np.array([attachment.rule == NEAR for attachment in network.attachments], bool)
            columns.append(
                (
                    np.column_stack([near, far]), endpoint_ranks(topology),
                    labels[each.attachment] if len(far) else np.zeros(0, np.int64),
                    np.column_stack([each.router_group, each.group]),
                    np.column_stack([np.full(len(far), -1), np.where(uplink, -1, each.port)]), np.full(len(far), number),
                    near_rule[each.attachment] if len(far) else np.zeros(0, bool),
                )
            )  # fmt: skip
        ends, rank, kinds, group, port, network_of, close = (np.concatenate(column) for column in zip(*columns, strict=True))
        return cls(ends, rank, kinds, tuple(names), group, port, network_of, close)


def _kind_of(attachment, network: Network) -> str:
    return attachment.ports or ("mgmt" if attachment.routers else network.name)


def link_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each link at both routers, counted from 0, int64 (L, 2)."""
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    link = topology.link.astype(np.int64)
    # Both ends of a link differ, so the owner identifies the end of a position.
    side = (topology.links[link, 0] != owner).astype(np.int64)
    ranks = np.zeros((topology.link_count, 2), np.int64)
    ranks[link, side] = np.arange(len(owner)) - topology.indptr[owner]
    return ranks


def endpoint_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each endpoint at its router, after the links, and 0 at the node, int64 (H, 2)."""
    router = topology.endpoint_router
    place = np.arange(len(router)) - np.searchsorted(router, router)
    return np.column_stack([topology.degree[router] + place, np.zeros_like(place)])


def _joints(networks: Sequence[Network], devices: _Devices, rows: _Rows, join: Join) -> tuple[tuple[Joint, ...], np.ndarray]:
    """Return the pairs of port groups that connections join, with their cables, and the pair of each connection.

    Raises
    ------
    InputError
        With every pair that no cable joins.
    """
    part = devices.part[rows.ends]
    keys = np.column_stack([rows.network, part[:, 0], rows.group[:, 0], part[:, 1], rows.group[:, 1]])
    pairs, pair = np.unique(keys, axis=0, return_inverse=True)
    joints: list[Joint] = []
    known: dict[tuple, int] = {}
    number_of, problems = [], []
    for number, a, a_group, b, b_group in pairs.tolist():
        first, second = devices.parts[a].groups[a_group], devices.parts[b].groups[b_group]
        key = (number, first.connector, first.ports_per_cage, second.connector, second.ports_per_cage, first.rate_gbps,
               second.rate_gbps, first.optics, second.optics)  # fmt: skip
        if key not in known:
            try:
                joints.append(join(f"{networks[number].name} cables", first, second, number))
            except InputError as error:
                problems += error.located(section=f"network.{number}").problems
            known[key] = len(joints) - 1
        number_of.append(known[key])
    if problems:
        raise InputError(problems)
    return tuple(joints), np.array(number_of, np.int64)[pair.ravel()]


def _rows_in_use(devices: _Devices, joints: Sequence[Joint], known: Mapping[str, Row]) -> tuple[Row, ...]:
    """Return the catalog rows of all devices and cables."""
    assemblies = [assembly for joint in joints for assembly in joint.assemblies]
    used = {name for each in assemblies for name in (each.length_part, each.end_part, each.end_part_b) if name}
    return tuple(row.origin for row in (*devices.parts, *(known[name] for name in sorted(used))))


def _levels(devices: _Devices, topologies: Sequence[Topology], which: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the groups or the coordinates of all devices by name, int64 (D, n), -1 for none, and the names."""
    names = {"group": [t.group_names for t in topologies], "coords": [t.coord_names for t in topologies]}[which]
    every = list(dict.fromkeys(name for own in names for name in own))
    table = np.full((devices.count, len(every)), -1, np.int64)
    for number, (topology, own) in enumerate(zip(topologies, names, strict=True)):
        first, last = devices.first_router[number : number + 2]
        for column, name in enumerate(own):
            table[first:last, every.index(name)] = getattr(topology, which)[:, column]
    return table, tuple(every)
