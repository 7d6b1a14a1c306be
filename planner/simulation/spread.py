"""How the packets of nodes are distributed over planes that are not joined."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.planes import fill_planes
from planner.network.metrics import interfaces, plane_of, planes

PlaneRule = Literal["endpoint", "spray", "hash"]


@dataclass(frozen=True, eq=False)
class Spread:
    """Interfaces that distribute their packets over their ports, one in each plane.

    Traffic patterns address the interfaces by their number.

    Attributes
    ----------
    port
        Endpoint of each interface in each plane, int64 (N, planes), in the order of the first plane's endpoints.
    share
        Packets through each port relative to an even share, float64 (N, planes): 1 for ports in turn.
    in_turn
        Whether packets take the ports in turn; otherwise the plane follows from source and target.
    """

    port: np.ndarray
    share: np.ndarray
    in_turn: bool


def interfaces_of(topology: Topology, rule: PlaneRule, owner: np.ndarray | None) -> np.ndarray:
    """Return `Spread.port`.

    Raises
    ------
    InputError
        When the network is one plane, or no interface has a port in every plane.
    """
    remedy = "remove the key, or use endpoint"
    if not planes(topology).any():
        raise InputError(Problem("planes", f"{topology.family} has no planes to distribute packets over", remedy))
    port = interfaces(topology, owner).port
    if len(port) < 2:
        raise InputError(Problem("planes", f"{rule} needs two nodes with a port in every plane of {topology.family}", remedy))
    return port[np.argsort(port[:, 0])]


def network_of(topology: Topology, port: np.ndarray) -> Topology:
    """Return the first plane with an endpoint for each interface: the network that traffic patterns see."""
    plane = planes(topology)
    inside = plane == plane[topology.endpoint_router[port[0, 0]]]
    router = (np.cumsum(inside) - 1)[topology.endpoint_router[port[:, 0]]]
    return dataclasses.replace(plane_of(topology, inside), endpoint_router=router)


def spread(port: np.ndarray, rule: PlaneRule, traffic: str, table: np.ndarray) -> Spread:
    """Return how interfaces distribute the packets of a traffic pattern.

    Raises
    ------
    InputError
        For ``hash`` and a pattern that does not state how likely its targets are.
    """
    if rule == "spray":
        return Spread(port, np.ones(port.shape), True)
    chances = getattr(registry.load("traffic", traffic), "chances", None)
    if chances is None:
        message = f"{traffic} defines no function chances(), which hash needs"
        raise InputError(Problem("traffic", message, 'define it, or use planes = "spray"'))
    return Spread(port, hash_shares(port.shape[0], port.shape[1], lambda source: chances(table, source)), False)


def hash_shares(nodes: int, count: int, chances: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return `Spread.share` for hashed pairs; ``chances(source)`` is the probability of each target, float64 (N,)."""
    share, target = np.empty((nodes, count)), np.arange(nodes)
    plane = np.empty(nodes, np.int64)
    for source in range(nodes):
        fill_planes(np.full(nodes, source), target, count, plane)
        share[source] = count * np.bincount(plane, chances(source), count)
    return share
