"""Tables of traffic patterns, also over planes that are not joined."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.network.metrics import plane_of, planes
from planner.simulation.elements import element
from planner.simulation.spread import PlaneRule, Spread, interfaces_of, network_of, spread


def pattern(
    traffic: str,
    parameters: dict[str, Any] | None,
    topology: Topology,
    seed: int,
    rule: PlaneRule = "endpoint",
    owner: np.ndarray | None = None,
) -> tuple[np.ndarray, Spread | None]:
    """Return the table of a traffic pattern, and how nodes distribute its packets over planes.

    Parameters
    ----------
    traffic, parameters
        Name and parameters of the pattern.
    topology, seed
        The network, and the seed of the study.
    rule
        ``endpoint``: every endpoint is a node, and packets stay in its plane; see `table_of`. Otherwise the pattern addresses the
        network interfaces, see `planner.simulation.spread`.
    owner
        Device of each endpoint and its port there, int64 (H, 2); by default as the family of the network declares.

    Raises
    ------
    InputError
        When the pattern does not fit the network, or the network has no such planes.
    """
    if rule == "endpoint":
        return table_of(traffic, parameters, topology, seed), None
    port = interfaces_of(topology, rule, owner)
    table = element("traffic", traffic, parameters)(network_of(topology, port), seed)
    return table, spread(port, rule, traffic, table)


def table_of(traffic: str, parameters: dict[str, Any] | None, topology: Topology, seed: int) -> np.ndarray:
    """Return the table of a traffic pattern; if planes are not joined, packets stay in the plane of their source.

    A pattern in which every source has one target is that of each plane by itself, from the same seed: nodes that have one
    port in each of alike planes send to the same node through all of them.

    Raises
    ------
    InputError
        When the pattern does not fit the network, or may lead to another plane.
    """
    prepare, module = element("traffic", traffic, parameters), registry.load("traffic", traffic)
    plane = planes(topology)
    if not plane.any() or getattr(module, "PLANES", False):
        return prepare(topology, seed)
    # Its kernel takes a tenth of a second to load, and few networks need it.
    from planner.simulation.traffic.targets import fixed

    if module.target is not fixed.target:
        message = f"{traffic} may lead to another plane, and planes are not joined"
        remedy = 'use planes = "spray", uniform, or a pattern in which every source has one target'
        raise InputError(Problem("traffic", message, remedy))
    own = plane[topology.endpoint_router]
    table = np.empty(topology.endpoint_count, np.int32)
    for number in np.unique(own):
        members = np.flatnonzero(own == number)
        table[members] = members[prepare(plane_of(topology, plane == number), seed)]
    return table
