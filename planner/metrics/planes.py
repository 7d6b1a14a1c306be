"""Planes: the components of a network that are not joined."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from planner.metrics.graph import adjacency
from planner.model import Topology


def planes(topology: Topology) -> np.ndarray:
    """Return the plane of each router, int32 (R,), numbered by first routers; all 0 in a connected network.

    Examples
    --------
    >>> from planner.topology import build
    >>> planes(build("leaves", leaves=3, endpoints_per_leaf=2)).tolist()
    [0, 1, 2]
    """
    return connected_components(adjacency(topology), directed=False)[1]


def largest_plane(topology: Topology) -> Topology:
    """Return the first of the planes with the maximum number of routers; the network itself if it is connected."""
    plane = planes(topology)
    if not plane.any():
        return topology
    inside = plane == np.bincount(plane).argmax()
    number = np.cumsum(inside) - 1
    kept = inside[topology.links[:, 0]]
    ports = kept[topology.link]
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
        group=np.column_stack([np.unique(column, return_inverse=True)[1] for column in topology.group[inside].T])
        if topology.group.shape[1]
        else topology.group[inside],
        group_names=topology.group_names,
        coords=topology.coords[inside],
        coord_names=topology.coord_names,
        role=topology.role[inside],
        role_names=topology.role_names,
    )
