"""Rules of ports: every link and endpoint has its cable."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import cable_name, device_name, error
from planner.model import Plan, Violation


def ports_used_once(plan: Plan) -> Iterator[Violation]:
    """Every port that the network needs has exactly one cable, and no cable uses a port that is not there."""
    cables, topology = plan.cables, plan.topology
    ends = np.column_stack([cables.device.ravel(), cables.port.ravel()])
    pairs, count = np.unique(ends, axis=0, return_counts=True)
    for (device, port), uses in zip(pairs[count > 1], count[count > 1], strict=True):
        yield error("ports_used_once", f"{device_name(plan, device)} port {port}", uses, 1, "cables", "two cables in one port")
    most = np.where(pairs[:, 0] < topology.router_count, plan.catalog.router.ports, plan.catalog.endpoint.endpoints)
    for device, port in pairs[(pairs[:, 1] < 1) | (pairs[:, 1] > most)]:
        yield error(
            "ports_used_once", f"{device_name(plan, device)} port {port}", port, plan.catalog.router.ports, "", "no such port"
        )
    needed = 2 * (topology.link_count + topology.endpoint_count)
    if ends.shape[0] != needed:
        yield error("ports_used_once", "the whole plan", ends.shape[0], needed, "cable ends", "cables are missing or too many")


def ends_agree_with_the_network(plan: Plan) -> Iterator[Violation]:
    """Every row joins the routers of its link, or the router and the endpoint.

    Where each port has a cage of its own, port p leads to the neighbour that the network has behind port p.
    """
    cables, topology = plan.cables, plan.topology
    rule = "ends_agree_with_the_network"
    behind = {}
    for router in range(topology.router_count):
        for place in range(topology.indptr[router], topology.indptr[router + 1]):
            behind[router, place - topology.indptr[router] + 1] = int(topology.indices[place])
    fixed = plan.catalog.router.ports_per_cage == 1
    for number in range(min(topology.link_count, cables.cable_count)):
        (a, b), (port_a, port_b) = cables.device[number].tolist(), cables.port[number].tolist()
        crossed = fixed and (behind.get((a, port_a)) != b or behind.get((b, port_b)) != a)
        if crossed or [a, b] != topology.links[number].tolist():
            message = f"joins {device_name(plan, a)} and {device_name(plan, b)}"
            yield error(rule, cable_name(plan, number), 0, 1, "", message)
    for number in range(topology.link_count, cables.cable_count):
        endpoint = number - topology.link_count
        if cables.device[number].tolist() != [int(topology.endpoint_router[endpoint]), topology.router_count + endpoint]:
            message = f"does not join endpoint {endpoint} to its router"
            yield error(rule, cable_name(plan, number), 0, 1, "", message)


def ports_in_their_cages(plan: Plan) -> Iterator[Violation]:
    """A router's port p is in cage ceil(p / ports per cage)."""
    cables, per_cage = plan.cables, plan.catalog.router.ports_per_cage
    is_router = cables.device < plan.topology.router_count
    expected = -(-cables.port // per_cage)
    for number, side in np.argwhere(is_router & (cables.cage != expected)):
        cage, wanted = cables.cage[number, side], expected[number, side]
        yield error("ports_in_their_cages", cable_name(plan, number), cage, wanted, "", "port and cage do not agree")
