"""Inventory: the devices of a study and the connections between their ports."""

from __future__ import annotations

import numpy as np

from planner.design.inventory.connections import endpoint_ranks, link_ranks
from planner.domain.model import Catalog, Inventory, Joint, Topology


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
    router, endpoint = catalog.router_part, catalog.endpoint_part
    return Inventory(
        parts=(router, endpoint),
        per_box=(1, endpoint.endpoints),
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
        rank=np.concatenate([link_ranks(topology), endpoint_ranks(topology)]),
        kind=np.concatenate([topology.link_class, np.full(endpoints, len(topology.link_class_names))]),
        kind_names=(*topology.link_class_names, "endpoint"),
        port_group=np.zeros((links + endpoints, 2)),
        port=np.full((links + endpoints, 2), -1),
        joint=np.repeat([0, 1], [links, endpoints]),
        joints=_joints(catalog),
        rows=(),
        apart=np.full(links + endpoints, -1),
        first_link=np.array([0, links + endpoints]),
        first_endpoint=np.array([links]),
        first_direct=np.array([links + endpoints]),
        names=np.array(_names(routers, topology), np.str_),
        rack=np.full(routers + endpoints, -1),
        at=np.zeros(routers + endpoints),
        rack_unit=np.zeros(0),
        rack_position=np.zeros(0),
    )


def _names(routers: int, topology: Topology) -> list[str]:
    """Return R0001 … for routers and E0001 … for nodes, numbered from 0 like the topology, or by the numbers of its file.

    Routers and nodes that the file names otherwise keep these names.
    """
    endpoints = topology.endpoint_names or tuple(map(str, range(topology.endpoint_count)))
    width = max(len(str(max(routers, len(endpoints), 1) - 1)), 3)
    numbered = all(name.isdecimal() for name in endpoints)
    nodes = [f"E{int(name):0{width}d}" if numbered else name for name in endpoints]
    return [*(topology.router_names or [f"R{n:0{width}d}" for n in range(routers)]), *nodes]


def _joints(catalog: Catalog) -> tuple[Joint, ...]:
    """Return the joints between two routers, and between a router and a node."""
    router, endpoint = catalog.router_part, catalog.endpoint_part
    per_cage = router.ports_per_cage
    # A box has the router's number of ports in a cage if both have the same connector, otherwise one.
    of_box = per_cage if endpoint.connector == router.connector else 1
    return (
        Joint("links", catalog.link_assemblies, catalog.shared_link_assemblies, (per_cage, per_cage)),
        Joint("endpoint cables", catalog.endpoint_assemblies, catalog.shared_endpoint_assemblies, (per_cage, of_box)),
    )
