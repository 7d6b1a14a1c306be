"""Forwarding tables of a network: one port for each router and destination, as switches hold them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.routing.forwarding import forwarding
from planner.network.metrics.planes import planes
from planner.simulation.tables import RoutingTable, routing_table


def forwarding_tables(topology: Topology, routing: str = "minimal", **parameters: Any) -> tuple[np.ndarray, int]:
    """Return the port of each router to each endpoint and router, and the virtual channels of the routing.

    Of the ports that the routing offers, each destination gets one; successive destinations get the port with the smallest number
    of packets so far when every endpoint sends to every other one, as in OpenSM's engines [1]_. Routers are destinations too, for
    management: those without endpoints over minimal paths.

    Parameters
    ----------
    topology
        The network.
    routing
        Name of the routing.
    **parameters
        Parameters of the routing.

    Returns
    -------
    tuple
        Ports by position in the topology's rows, int32 (R, H + R): of the endpoints, then of the routers. -1 at the destination's
        own router and where no path leads. Then the number of virtual channels.

    Raises
    ------
    InputError
        For a routing or parameters that do not fit, or when the routing's paths to one destination are not a tree.

    References
    ----------
    .. [1] T. Hoefler, T. Schneider, A. Lumsdaine, "Optimized routing for large-scale InfiniBand networks",
       Hot Interconnects 2009.
    """
    routers, endpoints = topology.router_count, topology.endpoint_count
    chosen = np.full((routers, endpoints + routers), -1, np.int32)
    if not topology.link_count:
        return chosen, 1
    every = planes(topology)
    plane = every if every.any() else None
    own = routing_table(topology, routing, plane=plane, **parameters) if endpoints else None
    tables = [] if own is None else [own]
    if len(without := np.setdiff1d(np.arange(routers), topology.endpoint_router)):
        tables.append(_to(topology, without, plane))
    target = np.concatenate([table.target for table in tables])
    order = np.lexsort((np.concatenate([table.router for table in tables]), target))
    router, target, port, neighbor = (
        np.concatenate([getattr(table, name) for table in tables])[order].astype(np.int64)
        for name in ("router", "target", "port", "neighbor")
    )
    start = np.searchsorted(target * (routers + 1) + router, np.arange(routers)[:, None] * (routers + 1) + np.arange(routers + 1))
    destinations = np.concatenate([topology.endpoint_router, np.arange(routers)]).astype(np.int64)
    circling = forwarding(
        destinations, start, port, neighbor, topology.indptr.astype(np.int64), topology.endpoints_of.astype(np.int64),
        *np.zeros((3, routers), np.int64), np.zeros(len(topology.indices), np.int64), chosen,
    )  # fmt: skip
    if circling >= 0:
        message = f"packets of {routing} may pass router {circling} twice on their path to one destination"
        raise InputError(Problem("routing", message, 'choose one with a fixed path, "minimal", "single_path" or "up_down"'))
    return chosen, 1 if own is None else own.virtual_channels


def _to(topology: Topology, routers: np.ndarray, plane: np.ndarray | None) -> RoutingTable:
    """Return the minimal ports to some routers, as if each had one endpoint."""
    return routing_table(replace(topology, endpoint_router=routers.astype(np.int32)), "minimal", plane=plane)
