"""Routing tables: ports that packets may take, by source router and target."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.core.reading import arguments
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.domain.model import Topology
from planner.kernels import compile_for
from planner.kernels.packet import records
from planner.kernels.routing.view import candidate_array, offered_ports
from planner.simulation.network import Network, Routing, candidates_of

FORMATS = (".csv", ".json", ".npz")
"""File suffixes that `write` supports."""

_PACKET_PHITS, _QUEUE_PACKETS = 16, 4


@dataclass(frozen=True, eq=False)
class RoutingTable:
    """Routing table, one entry per router, target and port, sorted: int32 (N,) each."""

    routing: str
    virtual_channels: int
    router: np.ndarray
    target: np.ndarray
    """Router of the target endpoints."""
    port: np.ndarray
    """Port of the router: its position in the topology's row."""
    neighbor: np.ndarray
    """Neighbor at the port."""
    channel: np.ndarray
    """Virtual channel of the hop."""


def routing_table(
    topology: Topology, routing: str = "minimal", packets: int = 1, *, plane: np.ndarray | None = None, **parameters: Any
) -> RoutingTable:
    """Return the routing table of an idle network.

    Parameters
    ----------
    topology
        The network.
    routing
        Name of the routing.
    packets
        Packets sampled per pair. Routings that draw a path at the source, such as `valiant` and `ksp`, may choose another
        path for each packet; the table lists the ports of all samples.
    plane
        Plane of each router, int (R,), if planes are not joined by design: no paths between them.
    **parameters
        Parameters of the routing.

    Raises
    ------
    InputError
        For a routing or parameters that do not fit.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> table = routing_table(build("torus", sizes=(4,)), "dimension_order")
    >>> list(zip(table.router.tolist(), table.target.tolist(), table.neighbor.tolist()))[:3]
    [(0, 1, 1), (0, 2, 1), (0, 3, 3)]
    """
    network = Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32), plane=plane)
    prepare = registry.function("routing", routing)
    given = registry.KINDS["routing"].given
    prepared = prepare(network, **arguments(prepare, data=parameters, owner=routing, given=given))
    rows = [_ports_of(network, routing, prepared, int(router), packets) for router in range(topology.router_count)]
    router = np.repeat(np.arange(topology.router_count), [len(row) for row in rows])
    target, port, channel = np.concatenate(rows).T
    neighbor = topology.indices[topology.indptr[router] + port]
    columns = (column.astype(np.int32) for column in (router, target, port, neighbor, channel))
    return RoutingTable(routing, prepared.virtual_channels, *columns)


def _ports_of(network: Network, routing: str, prepared: Routing, router: int, packets: int) -> np.ndarray:
    """Return target, port and channel of the ports that a router's packets may take, int64 (N, 3)."""
    topology, channels = network.topology, prepared.virtual_channels
    output = np.zeros(int(network.first_port[-1]) * channels, records.OUTPUT)
    output["credit"] = output["space"] = _QUEUE_PACKETS
    sizes = _PACKET_PHITS, _QUEUE_PACKETS, _QUEUE_PACKETS
    own = np.flatnonzero(topology.endpoint_router == router)
    sources = np.resize(own if len(own) else np.zeros(1, np.int64), packets)
    degree = max(1, int(topology.degree.max(initial=1)))
    ports = np.zeros((len(network.used), degree), np.int32)
    function = candidates_of(routing, prepared)
    view = prepared.view(sizes, np.zeros(1, records.PACKET), output, candidate_array(degree))
    first_queue = int(network.first_port[router]) * channels
    compile_for(offered_ports, 0, 0, 0, network.used, sources, 0, 0, 0, ports)
    offered_ports(function, router, first_queue, network.used, sources, channels, view.address, packets, ports)
    place, port = np.nonzero(ports)
    return np.column_stack([network.used[place], port, ports[place, port] - 1])


def write(table: RoutingTable, path: Path | str) -> None:
    """Write a table as ``.csv`` (one line per router and target), ``.json`` or ``.npz`` (its arrays).

    Ports are positions in the topology's rows, counted from 0; the cable list has the port names of the devices.

    Raises
    ------
    InputError
        For another suffix.
    """
    path = Path(path)
    if path.suffix not in FORMATS:
        raise InputError(Problem("", f"unknown format of {path.name}", f"use {', '.join(FORMATS)}"))
    with replacing(path) as temporary:
        _write(table, temporary)


def _write(table: RoutingTable, path: Path) -> None:
    if path.suffix == ".npz":
        names = ("router", "target", "port", "neighbor", "channel")
        np.savez_compressed(path, **{name: getattr(table, name) for name in names})
        return
    start = np.flatnonzero((np.diff(table.router, prepend=-1) != 0) | (np.diff(table.target, prepend=-1) != 0))
    ports, neighbors = ([part.tolist() for part in np.split(each, start[1:])] for each in (table.port, table.neighbor))
    pairs = list(zip(table.router[start].tolist(), table.target[start].tolist(), ports, neighbors, strict=True))
    with path.open("w", newline="", encoding="utf-8") as file:
        if path.suffix == ".csv":
            rows = Writer(file)
            rows.writerow(["router", "target", "ports", "neighbors"])
            rows.writerows([*pair, " ".join(map(str, many)), " ".join(map(str, behind))] for *pair, many, behind in pairs)
        else:
            nested: dict[int, dict[int, list[int]]] = {}
            for router, target, many, _ in pairs:
                nested.setdefault(router, {})[target] = many
            json.dump({"routing": table.routing, "virtual_channels": table.virtual_channels, "ports": nested}, file)
