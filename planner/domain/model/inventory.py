"""Devices and connections of all networks."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.parts import Assembly, CoolingUnit, EndpointPart, PduPart, PowerShelf, RouterPart, Row

POSITIONS = ("any", "end of row", "middle of row")
"""Wanted positions of cabinets."""

AT = {"bottom": 0, "top": -1, "middle": -2}
"""Where in a cabinet devices are located, unless from a given rack unit upward: stacked from one end, or in the middle."""


@dataclass(frozen=True)
class Joint:
    """The cables between two kinds of ports.

    `single` lists the assemblies that join one port with another; `shared` those that join all ports of a cage with the ports of
    one cage, or with one cage for each. `ports_per_cage` holds the ports of a cage at the first and at the second end.
    """

    name: str
    single: tuple[Assembly, ...]
    shared: tuple[Assembly, ...] = ()
    ports_per_cage: tuple[int, int] = (1, 1)

    @property
    def assemblies(self) -> tuple[Assembly, ...]:
        """All assemblies, single ones first."""
        return (*self.single, *self.shared)


@dataclass(frozen=True, eq=False)
class Inventory(Record, name="inventory", needs=("topology", "catalog")):
    """Devices and connections of all networks: what is placed and what is cabled.

    Devices are the routers of each network in turn, then the nodes. Connections are those of each network in turn: its links,
    then its endpoints, both in the order of the topology, then those between two nodes.

    Attributes
    ----------
    own
        Network whose connections and routers are meant where none is named; see `of`.
    """

    own: ClassVar[int] = 0

    parts: tuple[RouterPart | EndpointPart | PduPart | PowerShelf | CoolingUnit, ...] = value("parts in use")
    per_box: tuple[int, ...] = value("maximum number of devices in one box, by part: 4 for a chassis of four nodes")
    part: np.ndarray = array("int16", "D", "part of each device, index into parts")
    role: np.ndarray = array("uint8", "D", "role of each device, index into role_names")
    role_names: tuple[str, ...] = value("names of the roles: router, leaf, spine, node …")
    first_router: np.ndarray = array("int32", "N+1", "first router of each network, as a device; last entry: the first node")
    network_names: tuple[str, ...] = value("names of the networks")
    group: np.ndarray = array("int32", "D,G", "group of each device at each level; -1 for none")
    group_names: tuple[str, ...] = value("names of the group levels: supernode, cluster …")
    coords: np.ndarray = array("int32", "D,X", "coordinates of each router in the address scheme of its network; -1 for none")
    coord_names: tuple[str, ...] = value("names of the coordinates")
    ends: np.ndarray = array("int32", "W,2", "devices at both ends of each connection; of an endpoint its router first")
    rank: np.ndarray = array("int32", "W,2", "rank of each connection at both ends in the port order of the network")
    kind: np.ndarray = array("uint8", "W", "kind of each connection, index into kind_names")
    kind_names: tuple[str, ...] = value("kinds of connections: the link classes of the networks, then endpoint")
    port_group: np.ndarray = array("uint8", "W,2", "port group at both ends, index into the groups of the device's part")
    port: np.ndarray = array("int32", "W,2", "port of that group at both ends, from 0; -1 where cabling chooses it")
    apart: np.ndarray = array("int32", "W", "connections whose cables shall not all share a tray segment; -1 for none")
    joint: np.ndarray = array("uint8", "W", "ports and cables of each connection, index into joints")
    joints: tuple[Joint, ...] = value("pairs of port kinds, and the cables between them")
    rows: tuple[Row, ...] = value("catalog rows of devices and cables that are not in the catalog record")
    first_link: np.ndarray = array("int32", "N+1", "first connection of each network; last entry: their number")
    first_endpoint: np.ndarray = array("int32", "N", "first endpoint connection of each network")
    first_direct: np.ndarray = array("int32", "N", "first connection between two nodes of each network, after its endpoints")
    names: np.ndarray = array("str", "D", "name of each device")
    rack: np.ndarray = array("int32", "D", "cabinet of each device where the study fixes it; -1 where placement packs devices")
    at: np.ndarray = array("int32", "D", "rack unit from which devices of a kind are stacked; 0, -1, -2 as in AT")
    rack_unit: np.ndarray = array("int32", "C", "scalable unit of each of these cabinets; -1 for none")
    rack_position: np.ndarray = array("uint8", "C", "wanted position of each of these cabinets, index into POSITIONS")

    @property
    def device_count(self) -> int:
        return len(self.part)

    @property
    def connection_count(self) -> int:
        return len(self.ends)

    @property
    def router_count(self) -> int:
        """Number of routers of all networks; they are the first devices."""
        return int(self.first_router[-1])

    @cached_property
    def is_router(self) -> np.ndarray:
        """Whether each device is a router of a network, bool (D,)."""
        return np.arange(self.device_count) < self.router_count

    @cached_property
    def is_link(self) -> np.ndarray:
        """Whether each connection is a link of a network, bool (W,)."""
        return np.arange(self.connection_count) < self.first_endpoint[self._network]

    @cached_property
    def is_direct(self) -> np.ndarray:
        """Whether each connection joins two nodes, bool (W,)."""
        return np.arange(self.connection_count) >= self.first_direct[self._network]

    @property
    def is_endpoint(self) -> np.ndarray:
        """Whether each connection joins a router with what is attached to it, bool (W,)."""
        return ~(self.is_link | self.is_direct)

    @property
    def _network(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.network_names)), np.diff(self.first_link))

    def of(self, network: int) -> Inventory:
        """Return the inventory as one network sees it: its connections and routers are those of that network."""
        view = copy(self)
        object.__setattr__(view, "own", network)
        return view

    def only(self, rows: np.ndarray) -> Inventory:
        """Return the inventory with some of its connections, and all devices.

        Parameters
        ----------
        rows
            Connections, ascending, int64.
        """
        part = copy(self)
        part.__dict__.pop("is_link", None)
        part.__dict__.pop("is_direct", None)
        part.__dict__.pop("_endpoints_by_device", None)
        kept = {name: getattr(self, name)[rows] for name in ("ends", "rank", "kind", "port_group", "port", "apart", "joint")}
        starts = ("first_link", "first_endpoint", "first_direct")
        kept |= {name: np.searchsorted(rows, getattr(self, name)).astype(np.int32) for name in starts}
        for name, column in kept.items():
            column.setflags(write=False)
            object.__setattr__(part, name, column)
        return part

    def number(self, network: int | None) -> int:
        """Return the number of a network, by default that of this view."""
        return self.own if network is None else network

    def routers(self, network: int | None = None) -> slice:
        """Return the devices that are the routers of a network, in the order of its topology."""
        number = self.number(network)
        return slice(*self.first_router[number : number + 2].tolist())

    def connections(self, network: int | None = None, *, direct: bool = False) -> slice:
        """Return the connections of a network: its links, its endpoints, and if wanted those between two nodes."""
        number = self.number(network)
        return slice(int(self.first_link[number]), int(self.first_link[number + 1] if direct else self.first_direct[number]))

    def links(self, network: int | None = None) -> slice:
        """Return the connections that are the links of a network, in the order of its topology."""
        number = self.number(network)
        return slice(int(self.first_link[number]), int(self.first_endpoint[number]))

    def endpoints(self, network: int | None = None) -> slice:
        """Return the connections that are the endpoints of a network, in the order of its topology."""
        number = self.number(network)
        return slice(int(self.first_endpoint[number]), int(self.first_direct[number]))

    def direct(self, network: int | None = None) -> slice:
        """Return the connections of a network that join two nodes."""
        number = self.number(network)
        return slice(int(self.first_direct[number]), int(self.first_link[number + 1]))

    def attached(self, network: int | None = None) -> np.ndarray:
        """Return the devices with ports in a network, but for its own routers, ascending, int64."""
        devices = np.unique(self.ends[self.connections(network, direct=True)])
        routers = self.routers(network)
        return devices[(devices < routers.start) | (devices >= routers.stop)]

    def endpoints_at(self, devices: np.ndarray, network: int | None = None) -> np.ndarray:
        """Return the endpoints of a network that are ports of some devices, ascending, int64."""
        order, start = self._endpoints_by_device[self.number(network)]
        count = start[devices + 1] - start[devices]
        place = np.arange(count.sum()) + np.repeat(start[devices] - np.cumsum(count) + count, count)
        return np.sort(order[place])

    @cached_property
    def _endpoints_by_device(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Endpoints of each network by the device of their port, and the start of each device's, int64 (D+1,)."""
        found = []
        for network in range(len(self.network_names)):
            device = self.ends[self.endpoints(network), 1]
            count = np.bincount(device, minlength=self.device_count)
            found.append((np.argsort(device, kind="stable"), np.append(0, np.cumsum(count))))
        return found

    def owners(self, network: int | None = None) -> np.ndarray | None:
        """Return the device of each endpoint of a network, and a number by which its ports are ordered, int64 (H, 2).

        None where networks have no names: a node of the inventory is then one endpoint of the topology.
        """
        if self.network_names == ("",):
            return None
        rows = self.endpoints(network)
        group, port = self.port_group[rows, 1].astype(np.int64), self.port[rows, 1].astype(np.int64)
        return np.column_stack([self.ends[rows, 1].astype(np.int64), group * (int(port.max(initial=0)) + 2) + port])

    def rates_gbps(self, network: int | None = None, *, direct: bool = False) -> np.ndarray:
        """Return the rate of each of the `connections` of a network, that of its slower port, int64 (W,)."""
        rows = self.connections(network, direct=direct)
        pairs, index = np.unique(
            np.stack([self.part[self.ends[rows]], self.port_group[rows]], axis=2).reshape(-1, 2), axis=0, return_inverse=True
        )
        rates = np.array([self.parts[part].groups[group].rate_gbps for part, group in pairs.tolist()], np.int64)
        return rates[index].reshape(-1, 2).min(axis=1)

    def part_of(self, device: int) -> RouterPart | EndpointPart:
        """Return the part of a device."""
        return self.parts[self.part[device]]

    def of_routers(self, name: str, network: int | None = None) -> np.ndarray:
        """Return an attribute of the part of each router of a network, such as ``"delay_ps"``, as an array (R,)."""
        used, index = np.unique(self.part[self.routers(network)], return_inverse=True)
        return np.array([getattr(self.parts[part], name) for part in used.tolist()])[index]

    def of_part(self, name: str) -> np.ndarray:
        """Return an attribute of each device's part, such as ``"units"``, as an array (D,)."""
        return np.array([getattr(part, name) for part in self.parts])[self.part]
