"""The devices of several networks and the cabinet of each, known before ports are attached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.core.errors import InputError
from planner.design.inventory.attached import Parts, unknown_parts, unknown_roles
from planner.design.inventory.built import Built
from planner.design.inventory.devices import Devices
from planner.design.inventory.kept_names import Addresses
from planner.design.inventory.racks import Cabinets, Racks, racks
from planner.design.inventory.tables import Network, Node
from planner.domain.model import Topology
from planner.domain.parts import CabinetPart


@dataclass(frozen=True, eq=False)
class Boxes:
    """Devices with their names and cabinets.

    `group` and `coords` hold the groups and coordinates of all devices by name, int64 (D, n), -1 for none. `plugged` returns
    the device where a port (device, port group, number) of a kept plan is plugged, -1 for none.
    """

    network_names: tuple[str, ...]
    devices: Devices
    packed: Racks
    group: np.ndarray
    group_names: tuple[str, ...]
    coords: np.ndarray
    coord_names: tuple[str, ...]
    plugged: Callable[[int, int, int], int]


def boxes(
    networks: Sequence[Network],
    nodes: Sequence[Node],
    cabinets: Sequence[Cabinets],
    graphs: Sequence[Topology],
    cabinet: CabinetPart,
    parts: Parts,
    *,
    units: int,
    power_mw: int,
    built: Built | None = None,
    wanted: Mapping[str, tuple[str, str]] | None = None,
) -> Boxes:
    """Return all devices and their cabinets.

    Parameters
    ----------
    networks, nodes, cabinets
        The checked tables of the study.
    graphs
        Topology of each network; endpoints are not read.
    cabinet, parts
        Catalog rows of cabinets, and of all routers and nodes.
    units, power_mw, built, wanted
        As for `planner.design.inventory.several.several`.

    Raises
    ------
    InputError
        With unknown roles and parts, names that several devices have, and cabinets over their limits.
    """
    network_names = tuple(network.name for network in networks)
    unknown = [
        problem
        for number, (network, graph) in enumerate(zip(networks, graphs, strict=True))
        for problem in unknown_roles(number, network, graph.role_names, parts)
    ]
    if unknown := [*unknown, *unknown_parts(nodes, parts)]:
        raise InputError(unknown)
    devices = Devices.of(networks, nodes, graphs, parts)
    group, group_names = _levels(devices, graphs, "group")
    coords, coord_names = _levels(devices, graphs, "coords")
    if built is not None:
        columns = devices.first_router, devices.role, devices.role_names, coords, coord_names
        links = [
            graph.links.astype(np.int64) + first for graph, first in zip(graphs, devices.first_router.tolist(), strict=False)
        ]
        devices = replace(devices, names=built.names(Addresses(devices.names, network_names, *columns, links)))
    packed = racks(devices.kinds, cabinets, cabinet, units, power_mw, devices.count)
    if built is not None:
        own = [parts.get(id) for id, _ in ((wanted or {}).get(name, ("", "")) for name in devices.names.tolist())]
        by_role = [devices.parts[part] for part in devices.part.tolist()]
        each_part = [part or role for part, role in zip(own, by_role, strict=True)]
        packed = built.around(packed, devices.names.tolist(), each_part, cabinet, units, power_mw)
    plugged = _nowhere if built is None else built.plugged(devices)
    return Boxes(network_names, devices, packed, group, group_names, coords, coord_names, plugged)


def _nowhere(device: int, group: int, port: int) -> int:
    return -1


def _levels(devices: Devices, graphs: Sequence[Topology], which: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the groups or the coordinates of all devices by name, int64 (D, n), -1 for none, and the names."""
    names = {"group": [t.group_names for t in graphs], "coords": [t.coord_names for t in graphs]}[which]
    every = list(dict.fromkeys(name for own in names for name in own))
    table = np.full((devices.count, len(every)), -1, np.int64)
    for number, (graph, own) in enumerate(zip(graphs, names, strict=True)):
        first, last = devices.first_router[number : number + 2]
        for column, name in enumerate(own):
            table[first:last, every.index(name)] = getattr(graph, which)[:, column]
    return table, tuple(every)
