"""Planes of a network that are not joined by design."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from planner.domain.model import Topology
from planner.network.metrics.graph import adjacency, declared


def planes(topology: Topology) -> np.ndarray:
    """Return the plane of each router, int32 (R,), numbered by first routers.

    Planes are the components of networks whose family declares ``JOINED = False``; other networks are one plane.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> planes(build("leaves", leaves=3, endpoints_per_leaf=2)).tolist()
    [0, 1, 2]
    """
    if declared(topology, "JOINED", True):
        return np.zeros(topology.router_count, np.int32)
    return connected_components(adjacency(topology), directed=False)[1]


def largest_plane(topology: Topology) -> Topology:
    """Return the first of the planes with the maximum number of routers; the network itself if it is one plane."""
    plane = planes(topology)
    return plane_of(topology, plane == np.bincount(plane).argmax()) if plane.any() else topology


def plane_of(topology: Topology, inside: np.ndarray) -> Topology:
    """Return the network of the routers marked by `inside`, bool (R,), which have no links to others."""
    number = np.cumsum(inside) - 1
    kept = inside[topology.links].all(axis=1)
    ports = kept[topology.link]
    groups = [np.unique(column, return_inverse=True)[1] for column in topology.group[inside].T]
    return Topology(
        family=f"plane of {topology.family}",  # properties of the family need not hold
        params=topology.params,
        links=number[topology.links[kept]],
        link_class=topology.link_class[kept],
        link_class_names=topology.link_class_names,
        indptr=np.append(0, np.cumsum(topology.degree[inside])),
        indices=number[topology.indices[ports]],
        link=(np.cumsum(kept) - 1)[topology.link[ports]],
        endpoint_router=number[topology.endpoint_router[inside[topology.endpoint_router]]],
        group=np.column_stack(groups) if groups else topology.group[inside],
        group_names=topology.group_names,
        coords=topology.coords[inside],
        coord_names=topology.coord_names,
        role=topology.role[inside],
        role_names=topology.role_names,
    )
