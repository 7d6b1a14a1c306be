"""Fabric for the simulator ibsim with forwarding tables for OpenSM: a rehearsal of the plan before cables are bought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner import registry
from planner.errors import InputError, Problem
from planner.model import Plan
from planner.parts.ports import MANAGEMENT
from planner.report._book import archive, csv_lines
from planner.report._ends import End, cables, distinct, plain
from planner.report._names import device_names, rates
from planner.report._selection import Selection, one_network

ENDING = ".ibsim.zip"

_NAME = "A-Za-z0-9_.:+-"
"""Descriptions of nodes are words in quotes."""

_SWITCH, _HOST = 0x00AA << 48, 0x00BB << 48
"""GUIDs of a plan: real ones are known when devices are delivered."""

_STEP = 0x100
"""Between GUIDs of devices; those of ports are in between."""

_SPEEDS = {10: "SDR", 20: "DDR", 40: "QDR", 56: "FDR", 100: "EDR", 200: "HDR"}
"""Speeds of four lanes in Gb/s that ibsim 0.10 knows; faster links are written as the fastest of them."""

_PORTS, _LIDS = 254, 49_151
"""Maximum ports of a switch and unicast LIDs of a subnet."""

_SCRIPT = Path(__file__).parent / "_rehearse.sh"


def write(
    plan: Plan,
    path: Path,
    *,
    routing: str = "minimal",
    endpoint_port: str = "mlx5_{n}",
    network: str | None = None,
) -> None:
    """Write an archive with the fabric, its names and GUIDs, forwarding tables and a script that runs the rehearsal.

    Parameters
    ----------
    routing
        The routing of the forwarding tables, with its default parameters; each destination has one port at every switch.
    endpoint_port
        Name of the adapters of a node, after the name of the node; ``{n}`` is the number of the port in its group, from 0.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, a switch has more ports or the network more destinations than InfiniBand allows, or the
        routing does not fit the network or has no fixed paths.

    References
    ----------
    .. [1] linux-rdma/ibsim, ibsim/sim_net.c (the grammar of ``fabric.net``).
    .. [2] linux-rdma/opensm, opensm/osm_ucast_file.c (that of ``routes.lft``) and man/opensm.8.in.
    """
    if plan.cables is None:
        raise InputError(Problem("", "the plan has no cables", "run the study to its end"))
    fabric = _Fabric(plan, Selection(network=network).of_one_network(plan), endpoint_port)
    plan = one_network(plan, fabric.selection.network)
    problems = list(_beyond(fabric))
    if problems:
        raise InputError(problems)
    from planner.simulation.forwarding import forwarding_tables

    tables, channels = forwarding_tables(plan.topology, routing)
    files = {
        "fabric.net": fabric.net(),
        "limits": [
            f"-N {fabric.count + 1} -S {len(fabric.switches) + 1} -P {sum(fabric.port_count.values()) + 2 * fabric.count}"
        ],
        "attach": fabric.attach(),
        "guids.csv": csv_lines(("device", "adapter", "node_guid", "port_guid"), fabric.guids()),
        "node-name-map": (f'0x{node:016x} "{name}"' for name, node in fabric.described()),
        "root_guids": (f"0x{fabric.switch_guid(device):016x}" for device in _roots(plan, fabric)),
        "cn_guids": (f"0x{fabric.host_guid(place) + 1:016x}" for place in range(len(fabric.hosts))),
        "routes.lft": _forwarding(plan, fabric, tables),
        "rehearse.sh": _SCRIPT.read_text(encoding="ascii").splitlines(),
        "README.txt": _README.format(routing=routing, channels=channels).splitlines(),
    }
    archive(path, files)


def examine(*, routing: str = "minimal", **others: object) -> None:
    """Reject a routing that does not exist."""
    registry.function("routing", routing)


_README = """\
Rehearsal of a fabric: sh rehearse.sh

ibsim simulates the switches, adapters and cables of fabric.net, OpenSM configures them with routes.lft, ibnetdiscover and
dump_fts read the fabric back, and the script compares links and forwarding tables with the plan. sh rehearse.sh ENGINE lets
an engine of OpenSM route instead.

fabric.net      the fabric, in the format of ibnetdiscover
guids.csv       GUIDs of the rehearsal; the real ones are known when devices are delivered
node-name-map   names of the GUIDs, for --node-name-map of infiniband-diags
root_guids      switches of the top tier, for opensm -a; empty where there are no tiers
cn_guids        adapters, for opensm -u
routes.lft      forwarding tables, for opensm -R file -U: routing "{routing}"
limits, attach  sizes of the simulation; adapters where OpenSM runs, one for each subnet

The routing "{routing}" is free of deadlock with {channels} virtual channel(s). A file of forwarding tables has no service
levels: in the real fabric a routing that needs more than one channel takes an engine that assigns them (dfsssp, lash, nue).
"""


@dataclass(frozen=True)
class _Fabric:
    """Switches and adapters of one network, with their GUIDs and ports."""

    plan: Plan
    selection: Selection
    endpoint_port: str

    @cached_property
    def links(self) -> list[tuple[End, End, str]]:
        """Return both ends and the speed of each link."""
        speeds = [_speed(rate) for rate in rates(self.plan).tolist()]
        return [(cable.a, cable.b, speeds[cable.number - 1]) for cable in cables(self.plan, self.selection)]

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
        spelled = plain(device_names(self.plan), _NAME, 50)
        return [spelled[name] for name in device_names(self.plan)]

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
        yield from ((self.names[device], self.switch_guid(device)) for device in self.switches)

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
            about = self.names[far.device] if far.is_router else self.hosts[far.device, far.port]
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
            yield f'Switch\t{self.port_count[device]} "S-{guid:016x}"\t\t# "{self.names[device]}" base port 0 lid 0 lmc 0'
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


def _beyond(fabric: _Fabric) -> Iterator[Problem]:
    """Yield problems of fabrics that are larger than InfiniBand allows."""
    device, ports = max(fabric.port_count.items(), key=lambda item: item[1], default=(0, 0))
    if ports > _PORTS:
        message = f"switch {fabric.names[device]} has {ports} ports, and InfiniBand allows {_PORTS}"
        yield Problem("", message, "choose another format")
    if fabric.count > _LIDS:
        message = f"{len(fabric.hosts):,} adapters and {len(fabric.switches):,} switches are more than the {_LIDS:,} of a subnet"
        yield Problem("", message, "choose another format")


def _roots(plan: Plan, fabric: _Fabric) -> list[int]:
    """Return the switches of the top tier, for engines that need them."""
    topology = plan.topology
    if "level" not in topology.coord_names or not len(topology.coords):
        return []
    level = topology.coords[:, topology.coord_names.index("level")]
    return [fabric.switches[router] for router in np.flatnonzero(level == level.max()).tolist()] if level.any() else []


def _forwarding(plan: Plan, fabric: _Fabric, tables: np.ndarray) -> Iterator[str]:
    """Yield the lines of the forwarding tables; OpenSM maps destinations by the GUIDs of their ports."""
    topology, inventory, made = plan.topology, plan.inventory, plan.cables
    links, endpoints = inventory.links(plan.network), inventory.endpoints(plan.network)
    port_at = np.zeros(len(topology.indices) + 1, np.int64)
    port_at[topology.indptr[topology.links] + inventory.rank[links]] = made.port[links]
    nodes, far_port = inventory.ends[endpoints, 1].tolist(), made.port[endpoints, 1].tolist()
    places = [fabric.places[key] for key in zip(nodes, far_port, strict=True)]
    names = list(fabric.hosts.values())
    lid = {device: len(fabric.hosts) + 1 + number for number, device in enumerate(fabric.switches)}
    to_hosts = [_entry(place + 1, "Channel Adapter", fabric.host_guid(place) + 1, names[place]) for place in places]
    to_switches = [_entry(lid[of], "Switch", fabric.switch_guid(of), fabric.names[of]) for of in fabric.switches]
    for router, device in enumerate(fabric.switches):
        row = tables[router]
        ports = np.where(row < 0, -1, port_at[topology.indptr[router] + np.maximum(row, 0)])
        own = slice(*np.searchsorted(topology.endpoint_router, (router, router + 1)).tolist())
        ports[own] = made.port[endpoints, 0][own]
        ports[len(to_hosts) + router] = 0
        about = f"of switch Lid {lid[device]} guid 0x{fabric.switch_guid(device):016x} ('{fabric.names[device]}')"
        yield f"Unicast lids [0-{fabric.count}] {about}:"
        entries = zip((*to_hosts, *to_switches), ports.tolist(), strict=True)
        yield from (f"{head} {port:03d} : {tail}" for (head, tail), port in entries if port >= 0)


def _entry(lid: int, kind: str, guid: int, name: str) -> tuple[str, str]:
    """Return what is before and after the port in a line to a destination."""
    return f"0x{lid:04x}", f"({kind} portguid 0x{guid:016x}: '{name}')"
