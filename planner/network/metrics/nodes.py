"""Nodes of a network: the endpoints that belong to one device, and the interfaces that have a port in every plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import Topology
from planner.network.metrics.graph import declared
from planner.network.metrics.planes import planes


@dataclass(frozen=True, eq=False)
class Interfaces:
    """Network interfaces, node by node; each has one port in every plane of the network.

    Attributes
    ----------
    port
        Endpoint of each interface in each plane, int64 (N, planes).
    node
        Node of each interface, ascending, int64 (N,).
    """

    port: np.ndarray
    node: np.ndarray


def nodes(topology: Topology, owner: np.ndarray | None = None) -> np.ndarray:
    """Return the node of each endpoint and its place among the node's ports, int64 (H, 2).

    Parameters
    ----------
    topology
        The network.
    owner
        Device of each endpoint and its port there, int64 (H, 2). By default what the family declares by its function ``nodes``;
        where it declares nothing, every endpoint is a node.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> plane = {"leaves": 2, "spines": 1, "uplinks": 1, "endpoints_per_leaf": 1}
    >>> nodes(build("multiplane", planes=2, plane="leafspine", plane_parameters=plane)).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    found = np.zeros((topology.endpoint_count, 2), np.int64)
    if owner is not None:
        found[:, 0] = np.unique(owner[:, 0], return_inverse=True)[1]
        found[:, 1] = owner[:, 1]
        return found
    of_family = declared(topology, "nodes", None)
    if of_family is None:
        found[:, 0] = np.arange(topology.endpoint_count)
        return found
    ports = of_family(topology)
    found[ports, 0] = np.arange(len(ports))[:, None]
    found[ports, 1] = np.arange(ports.shape[1])
    return found


def interfaces(topology: Topology, owner: np.ndarray | None = None) -> Interfaces:
    """Return the interfaces of all nodes: the j-th ports of a node in each plane are interface j.

    Ports without a counterpart in every other plane belong to none.

    Parameters
    ----------
    topology, owner
        As for `nodes`.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = interfaces(build("hpn", segments=1, rails=2, hosts_per_segment=2, spines_per_plane=1))
    >>> found.port.tolist(), found.node.tolist()
    ([[0, 2], [4, 6], [1, 3], [5, 7]], [0, 0, 1, 1])
    """
    of_node, plane = nodes(topology, owner), planes(topology)[topology.endpoint_router]
    count = int(plane.max(initial=0)) + 1
    order = np.lexsort((of_node[:, 1], plane, of_node[:, 0]))
    # Ports of a node in one plane follow each other.
    key = of_node[order, 0] * count + plane[order]
    sizes = np.bincount(key, minlength=count * (int(of_node[:, 0].max(initial=-1)) + 1))
    place = np.arange(len(key)) - (np.cumsum(sizes) - sizes)[key]
    node = key // count
    kept = place < sizes.reshape(-1, count).min(axis=1)[node]
    order, node, place = order[kept], node[kept], place[kept]
    by_interface = np.lexsort((plane[order], place, node))
    return Interfaces(order[by_interface].reshape(-1, count), node[by_interface].reshape(-1, count)[:, 0])
