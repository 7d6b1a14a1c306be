"""The inventory of several networks: unlike devices, nodes with many ports, and the cabinets that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.inventory.attached import Endpoints, Parts
from planner.design.inventory.boxes import Boxes
from planner.design.inventory.connections import Rows
from planner.design.inventory.devices import Devices
from planner.design.inventory.direct import used_twice
from planner.design.inventory.replaced import with_own_parts
from planner.design.inventory.tables import Network, Node
from planner.domain.model import Inventory, Joint, Topology
from planner.domain.parts import PortGroup, Row

Join = Callable[[str, PortGroup, PortGroup, int], Joint]
"""Returns the cables between two port groups in a network (its number), with a name for messages."""


def several(
    networks: Sequence[Network],
    nodes: Sequence[Node],
    topologies: Sequence[Topology],
    endpoints: Sequence[Endpoints],
    placed: Boxes,
    parts: Parts,
    join: Join,
    rows_by_id: Mapping[str, Row],
    *,
    wanted: Mapping[str, tuple[str, str]] | None = None,
) -> Inventory:
    """Return the devices and connections of several networks.

    Parameters
    ----------
    networks, nodes
        The checked tables of the study.
    topologies, endpoints
        Of each network: its topology with endpoints, and what they are.
    placed
        All devices and their cabinets.
    parts
        Catalog rows of all routers and nodes.
    join
        Finds the cables between two port groups.
    rows_by_id
        Catalog rows of cables, transceivers and fibers.
    wanted
        Parts of devices that have another one than their role, see `planner.design.inventory.replaced.with_own_parts`.

    Raises
    ------
    InputError
        With all ports that no cable joins or that are used twice.
    """
    devices, packed = placed.devices, placed.packed
    rows = Rows.of(networks, nodes, topologies, endpoints, devices, parts)
    if wanted:
        columns = devices.parts, devices.part, rows.ends, rows.group
        own = with_own_parts(devices.names.tolist(), int(devices.first_router[-1]), *columns, wanted, parts)
        devices, rows = replace(devices, parts=own.parts, part=own.part), replace(rows, group=own.group)
    rows = rows.on_line_cards(devices.parts, devices.part)
    groups = [devices.parts[part].groups for part in range(len(devices.parts))]
    if twice := list(used_twice(devices.names, devices.part, rows.ends, rows.group, rows.port, groups)):
        raise InputError(twice)
    joints, joint = _joints(networks, devices, rows, join)
    return Inventory(
        parts=devices.parts,
        per_box=(1,) * len(devices.parts),
        part=devices.part,
        role=devices.role,
        role_names=devices.role_names,
        first_router=devices.first_router,
        network_names=placed.network_names,
        group=placed.group,
        group_names=placed.group_names,
        coords=placed.coords,
        coord_names=placed.coord_names,
        ends=rows.ends,
        rank=rows.rank,
        kind=rows.kind,
        kind_names=rows.kind_names,
        port_group=rows.group,
        port=rows.port,
        apart=rows.apart,
        joint=joint,
        joints=joints,
        rows=_rows_in_use(devices, joints, rows_by_id),
        first_link=rows.first[::3],
        first_endpoint=rows.first[1::3],
        first_direct=rows.first[2::3],
        names=devices.names,
        rack=packed.rack,
        at=devices.at,
        rack_unit=packed.unit,
        rack_position=packed.position,
    )


def _joints(networks: Sequence[Network], devices: Devices, rows: Rows, join: Join) -> tuple[tuple[Joint, ...], np.ndarray]:
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
    number_of, problems = [], list[Problem]()
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


def _rows_in_use(devices: Devices, joints: Sequence[Joint], known: Mapping[str, Row]) -> tuple[Row, ...]:
    """Return the catalog rows of all devices and cables."""
    assemblies = [assembly for joint in joints for assembly in joint.assemblies]
    used = {name for each in assemblies for name in (each.length_part, each.end_part, each.end_part_b) if name}
    return tuple(row.origin for row in (*devices.parts, *(known[name] for name in sorted(used))))
