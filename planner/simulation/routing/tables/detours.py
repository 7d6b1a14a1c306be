"""Tables and virtual channels of routings via an intermediate router or group."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import groups, targets


def prepared(network: Network, through: str, **weighing: Any) -> Routing:
    """Return the routing via intermediate routers or groups; `weighing` as in `routing`."""
    topology = network.topology
    if through == "router":
        channels = 2 * max(1, network.diameter)
        return routing(network, channels, targets.ports(network.minimal_ports()), network.distance, **weighing)
    if network.plane is not None:
        raise InputError(Problem("routing_parameters.through", "groups may belong to several planes", 'use "router"'))
    if topology.group.shape[1] == 0:
        raise InputError(Problem("routing_parameters.through", f"{topology.family} has no groups", 'use "router"'))
    if topology.family in groups.FAMILIES:
        ports, hops, group = groups.tables(network, "routing through groups", steps.BY_CROSSINGS)
        channels = 3 if topology.family == "dragonfly" else 2
        return routing(network, channels, ports, hops, group, **weighing)
    group = topology.group[:, 0]
    table, hops = targets.toward_groups(network, group)
    used, connected = network.used, topology.degree > 0
    to_groups = hops[used, topology.router_count :]
    if (to_groups == UNREACHED).any():
        raise InputError(Problem("routing_parameters.through", "a group has no cables left", 'use "router"'))
    # To the group from a source, then from any router of it to a target.
    channels = max(int(to_groups.max()) + int(hops[np.ix_(connected, used)].max()), network.diameter)
    return routing(network, channels, targets.ports(table), hops, group, **weighing)


def routing(
    network: Network,
    virtual_channels: int,
    ports: steps.Ports,
    hops: np.ndarray,
    group: np.ndarray | None = None,
    samples: int = 0,
    threshold: int = 0,
    whole_path: bool = False,
) -> Routing:
    """Return a routing via intermediate groups, or via routers with endpoints if no groups are given.

    Parameters
    ----------
    network
        The network.
    virtual_channels
        Virtual channels needed.
    ports, hops
        Ports toward and hops to every target; groups follow the routers: uint8 (R, targets).
    group
        Group of each router (R,).
    samples, threshold, whole_path
        See `planner.kernels.routing.steps.Detours`.
    """
    routers, used = network.topology.router_count, network.used
    place = np.zeros((routers, 3), np.uint32)
    if group is None:
        by_plane = network.used_by_plane
        pool, first = np.concatenate([*by_plane, used[:0]]), 0
        for own in by_plane:
            place[own] = np.column_stack([np.arange(len(own)), np.full((len(own), 2), [first, len(own)])])
            first += len(own)
    else:
        pool = np.arange(routers, hops.shape[1])
        place[:] = np.column_stack([group, np.full((routers, 2), [0, len(pool)])])
    neighbor, first_port = targets.neighbors(network), network.first_port[:-1].astype(np.uint32)
    hops = np.ascontiguousarray(hops)
    detours = steps.Detours(ports, hops, neighbor, first_port, pool, place, samples, threshold, whole_path)
    return Routing(virtual_channels, detours, lookup=ports.mask)
