"""Inventory: the devices of a study and the connections between their ports."""

from __future__ import annotations

import numpy as np

from planner.model import Catalog, Inventory, Joint, Topology


def inventory(topology: Topology, catalog: Catalog) -> Inventory:
    """Return the devices and connections of one network whose nodes have one port each.

    Every endpoint of the topology is a node; nodes share boxes of ``catalog.endpoint``.

    Parameters
    ----------
    topology, catalog
        Supplied by the flow.
    """
    routers, links, endpoints = topology.router_count, topology.link_count, topology.endpoint_count
    nodes = routers + np.arange(endpoints)
    none = np.full((endpoints, 1), -1)
    return Inventory(
        parts=(catalog.router, catalog.endpoint),
        per_box=(1, catalog.endpoint.endpoints),
        part=np.repeat([0, 1], [routers, endpoints]),
        role=np.concatenate([topology.role, np.full(endpoints, len(topology.role_names))]),
        role_names=(*topology.role_names, "node"),
        first_router=np.array([0, routers]),
        network_names=("",),
        group=np.concatenate([topology.group, np.broadcast_to(none, (endpoints, topology.group.shape[1]))]),
        group_names=topology.group_names,
        coords=np.concatenate([topology.coords, np.broadcast_to(none, (endpoints, topology.coords.shape[1]))]),
        coord_names=topology.coord_names,
        ends=np.concatenate([topology.links.reshape(-1, 2), np.column_stack([topology.endpoint_router, nodes])]),
        rank=np.concatenate([_link_ranks(topology), _endpoint_ranks(topology)]),
        kind=np.concatenate([topology.link_class, np.full(endpoints, len(topology.link_class_names))]),
        kind_names=(*topology.link_class_names, "endpoint"),
        joint=np.repeat([0, 1], [links, endpoints]),
        joints=_joints(catalog),
        first_link=np.array([0, links + endpoints]),
        first_endpoint=np.array([links]),
    )


def _joints(catalog: Catalog) -> tuple[Joint, ...]:
    """Return the joints between two routers, and between a router and a node."""
    per_cage = catalog.router.ports_per_cage
    # A box has the router's number of ports in a cage if both have the same connector, otherwise one.
    of_box = per_cage if catalog.endpoint.connector == catalog.router.connector else 1
    return (
        Joint("links", catalog.link_assemblies, catalog.shared_link_assemblies, (per_cage, per_cage)),
        Joint("endpoint cables", catalog.endpoint_assemblies, catalog.shared_endpoint_assemblies, (per_cage, of_box)),
    )


def _link_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each link at both routers, counted from 0, int64 (L, 2)."""
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    link = topology.link.astype(np.int64)
    # Both ends of a link differ, so the owner identifies the end of a position.
    side = (topology.links[link, 0] != owner).astype(np.int64)
    ranks = np.zeros((topology.link_count, 2), np.int64)
    ranks[link, side] = np.arange(len(owner)) - topology.indptr[owner]
    return ranks


def _endpoint_ranks(topology: Topology) -> np.ndarray:
    """Return the port of each endpoint at its router, after the links, and 0 at the node, int64 (H, 2)."""
    router = topology.endpoint_router
    place = np.arange(len(router)) - np.searchsorted(router, router)
    return np.column_stack([topology.degree[router] + place, np.zeros_like(place)])
