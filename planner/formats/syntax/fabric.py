"""An InfiniBand fabric as ibsim and ibnetdiscover describe it: switches, adapters, their GUIDs and links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.domain.model import Plan
from planner.domain.parts.ports import MANAGEMENT
from planner.view.ends import End, cables, distinct, plain
from planner.view.names import device_names
from planner.view.selection import Selection, one_network

_NAME = "A-Za-z0-9_.:+-"
"""Descriptions of nodes are words in quotes."""

_SWITCH, _HOST = 0x00AA << 48, 0x00BB << 48
"""GUIDs of a plan: real ones are known when devices are delivered."""

_STEP = 0x100
"""Between GUIDs of devices; those of ports are in between."""

_SPEEDS = {10: "SDR", 20: "DDR", 40: "QDR", 56: "FDR", 100: "EDR", 200: "HDR"}
"""Speeds of four lanes in Gb/s that ibsim 0.10 knows; faster links are written as the fastest of them."""


@dataclass(frozen=True)
class Fabric:
    """Switches and adapters of one network, with their GUIDs and ports."""

    plan: Plan
    selection: Selection
    endpoint_port: str
    switch_name: str

    @cached_property
    def links(self) -> list[tuple[End, End, str]]:
        """Return both ends and the speed of each link."""
        inventory = one_network(self.plan, self.selection.network).inventory
        rates = inventory.rates_gbps(direct=True).tolist()
        return [(cable.a, cable.b, _speed(rate)) for cable, rate in zip(cables(self.plan, self.selection), rates, strict=True)]

    @cached_property
    def switches(self) -> list[int]:
        """Return the routers of the network, as devices."""
        inventory = self.plan.inventory.of(one_network(self.plan, self.selection.network).network)
        return list(range(inventory.device_count)[inventory.routers()])

    @cached_property
    def port_count(self) -> dict[int, int]:
        """Return the number of ports of each switch, without management ports after them."""
        inventory = self.plan.inventory
        found = {}
        for device in self.switches:
            groups = list(inventory.part_of(device).groups)
            while len(groups) > 1 and groups[-1].name == MANAGEMENT:
                groups.pop()
            found[device] = sum(group.count for group in groups)
        return found

    @cached_property
    def hosts(self) -> dict[tuple[int, int], str]:
        """Return the description of each adapter by device and port: ``name mlx5_0``; each is a node of its own."""
        ends = {(end.device, end.port): end for pair in self.links for end in pair[:2] if not end.is_router}
        names = {
            key: f"{self.names[end.device]} {self.endpoint_port.replace('{n}', str(end.adapter - 1))}"
            for key, end in sorted(ends.items())
        }
        return distinct(names, 60)

    @cached_property
    def places(self) -> dict[tuple[int, int], int]:
        return {key: place for place, key in enumerate(self.hosts)}

    @cached_property
    def names(self) -> list[str]:
        spelled = plain(device_names(self.plan), _NAME, 30)
        return [spelled[name] for name in device_names(self.plan)]

    @cached_property
    def described_switches(self) -> dict[int, str]:
        """Return the description of each switch."""
        return {device: self.switch_name.replace("{name}", self.names[device]) for device in self.switches}

    @property
    def count(self) -> int:
        return len(self.switches) + len(self.hosts)

    def switch_guid(self, device: int) -> int:
        return _SWITCH + (device - self.switches[0] + 1) * _STEP

    def host_guid(self, place: int) -> int:
        return _HOST + (place + 1) * _STEP

    def identifier(self, end: End) -> str:
        """Return the name of a node in the file, as ibnetdiscover makes it from the GUID."""
        if end.is_router:
            return f"S-{self.switch_guid(end.device):016x}"
        return f"H-{self.host_guid(self.places[end.device, end.port]):016x}"

    def described(self) -> Iterator[tuple[str, int]]:
        """Yield description and node GUID of all nodes, adapters first."""
        yield from ((name, self.host_guid(place)) for place, name in enumerate(self.hosts.values()))
        yield from ((name, self.switch_guid(device)) for device, name in self.described_switches.items())

    def guids(self) -> Iterator[tuple]:
        for place, ((device, _), name) in enumerate(self.hosts.items()):
            node = self.host_guid(place)
            yield self.names[device], name.partition(" ")[2], f"0x{node:016x}", f"0x{node + 1:016x}"
        for device in self.switches:
            node = self.switch_guid(device)
            yield self.names[device], "", f"0x{node:016x}", f"0x{node:016x}"

    def net(self) -> Iterator[str]:
        """Yield the lines of the fabric: adapters first, since clients attach to the first node."""
        at_switch: dict[int, list[tuple[int, str]]] = {device: [] for device in self.switches}
        at_host: dict[tuple[int, int], str] = {}
        for near, far, speed in [each for a, b, of in self.links for each in ((a, b, of), (b, a, of))]:
            about = self.described_switches[far.device] if far.is_router else self.hosts[far.device, far.port]
            port = far.port if far.is_router else 1
            head, tail = f'"{self.identifier(far)}"[{port}]', f'"{about}" lid 0 4x{speed}'
            if near.is_router:
                at_switch[near.device].append((near.port, f"[{near.port}]\t{head}\t\t# {tail}"))
            else:
                guid = self.host_guid(self.places[near.device, near.port]) + 1
                at_host[near.device, near.port] = f"[1]({guid:x})\t{head}\t\t# lid 0 lmc 0 {tail}"
        for place, (key, name) in enumerate(self.hosts.items()):
            guid = self.host_guid(place)
            yield from (f"caguid=0x{guid:x}", f'Ca\t1 "H-{guid:016x}"\t\t# "{name}"', at_host[key], "")
        for device in self.switches:
            guid = self.switch_guid(device)
            yield f"switchguid=0x{guid:x}({guid:x})"
            head = f'Switch\t{self.port_count[device]} "S-{guid:016x}"'
            yield f'{head}\t\t# "{self.described_switches[device]}" base port 0 lid 0 lmc 0'
            yield from (line for _, line in sorted(at_switch[device]))
            yield ""

    def attach(self) -> list[str]:
        """Return the node that OpenSM attaches to in each connected part of the network: an adapter where there is one."""
        nodes = [f"{'H' if guid >= _HOST else 'S'}-{guid:016x}" for _, guid in self.described()]
        numbers = {name: number for number, name in enumerate(nodes)}
        ends = np.array([[numbers[self.identifier(end)] for end in (a, b)] for a, b, _ in self.links], int).reshape(-1, 2)
        joined = coo_array((np.ones(len(ends)), ends.T), shape=(len(numbers), len(numbers)))
        part = connected_components(joined, directed=False)[1]
        first = np.unique(part, return_index=True)[1]
        return [nodes[number] for number in sorted(first.tolist())]


def _speed(rate_gbps: int) -> str:
    return _SPEEDS[max((rate for rate in _SPEEDS if rate <= rate_gbps), default=10)]
