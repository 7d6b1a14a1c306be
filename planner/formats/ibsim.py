"""Fabric for the simulator ibsim with forwarding tables for OpenSM: a rehearsal of the plan before cables are bought."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.formats.syntax.fabric import Fabric
from planner.formats.workbook.book import archive, csv_lines
from planner.view.selection import Selection, cables_of, one_network

ENDING = ".ibsim.zip"

_PORTS, _LIDS = 254, 49_151
"""Maximum ports of a switch and unicast LIDs of a subnet."""

_SCRIPT = Path(__file__).parent / "_rehearse.sh"


def write(
    plan: Plan,
    path: Path,
    *,
    routing: str = "minimal",
    endpoint_port: str = "mlx5_{n}",
    switch_name: str = "{name}",
    network: str | None = None,
) -> None:
    """Write an archive with the fabric, its names and GUIDs, forwarding tables and a script that runs the rehearsal.

    Parameters
    ----------
    routing
        The routing of the forwarding tables, with its default parameters; each destination has one port at every switch.
    endpoint_port
        Name of the adapters of a node, after the name of the node; ``{n}`` is the number of the port in its group, from 0.
    switch_name
        Description of the switches; ``{name}`` is the name of the device. Managed switches of NVIDIA are called
        ``MF0;{name}:MQM9700/U1``.
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
    cables_of(plan)
    examine(routing=routing, endpoint_port=endpoint_port, switch_name=switch_name)
    fabric = Fabric(plan, Selection(network=network).of_one_network(plan), endpoint_port, switch_name)
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


def examine(*, routing: str = "minimal", endpoint_port: str = "mlx5_{n}", switch_name: str = "{name}", **others: object) -> None:
    """Reject a routing that does not exist, and names that the files cannot hold."""
    registry.function("routing", routing)
    given = {"endpoint_port": (endpoint_port, "{n}"), "switch_name": (switch_name, "{name}")}
    problems = [
        Problem(key, f"{text!r} is not up to 30 characters of ASCII without spaces, quotes, # and @", f"give one such as {mark}")
        for key, (text, mark) in given.items()
        if not re.fullmatch(r"[!$-&(-?A-~]{1,30}", text)
    ]
    if problems:
        raise InputError(problems)


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


def _beyond(fabric: Fabric) -> Iterator[Problem]:
    """Yield problems of fabrics that are larger than InfiniBand allows."""
    device, ports = max(fabric.port_count.items(), key=lambda item: item[1], default=(0, 0))
    if ports > _PORTS:
        message = f"switch {fabric.names[device]} has {ports} ports, and InfiniBand allows {_PORTS}"
        yield Problem("", message, "choose another format")
    if fabric.count > _LIDS:
        message = f"{len(fabric.hosts):,} adapters and {len(fabric.switches):,} switches are more than the {_LIDS:,} of a subnet"
        yield Problem("", message, "choose another format")


def _roots(plan: Plan, fabric: Fabric) -> list[int]:
    """Return the switches of the top tier, for engines that need them."""
    topology = plan.topology
    if "level" not in topology.coord_names or not len(topology.coords):
        return []
    level = topology.coords[:, topology.coord_names.index("level")]
    return [fabric.switches[router] for router in np.flatnonzero(level == level.max()).tolist()] if level.any() else []


def _forwarding(plan: Plan, fabric: Fabric, tables: np.ndarray) -> Iterator[str]:
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
    to_switches = [_entry(lid[of], "Switch", fabric.switch_guid(of), fabric.described_switches[of]) for of in fabric.switches]
    for router, device in enumerate(fabric.switches):
        row = tables[router]
        ports = np.where(row < 0, -1, port_at[topology.indptr[router] + np.maximum(row, 0)])
        own = slice(*np.searchsorted(topology.endpoint_router, (router, router + 1)).tolist())
        ports[own] = made.port[endpoints, 0][own]
        ports[len(to_hosts) + router] = 0
        about = f"of switch Lid {lid[device]} guid 0x{fabric.switch_guid(device):016x} ('{fabric.described_switches[device]}')"
        yield f"Unicast lids [0-{fabric.count}] {about}:"
        entries = zip((*to_hosts, *to_switches), ports.tolist(), strict=True)
        yield from (f"{head} {port:03d} : {tail}" for (head, tail), port in entries if port >= 0)


def _entry(lid: int, kind: str, guid: int, name: str) -> tuple[str, str]:
    """Return what is before and after the port in a line to a destination."""
    return f"0x{lid:04x}", f"({kind} portguid 0x{guid:016x}: '{name}')"
