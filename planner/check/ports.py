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
    """The cable in port p of a router leads to the neighbour that the network has behind port p, and back."""
    cables, topology = plan.cables, plan.topology
    neighbour = {}
    for router in range(topology.router_count):
        for place in range(topology.indptr[router], topology.indptr[router + 1]):
            neighbour[router, place - topology.indptr[router] + 1] = int(topology.indices[place])
    for number in range(min(topology.link_count, cables.cable_count)):
        (a, b), (port_a, port_b) = cables.device[number].tolist(), cables.port[number].tolist()
        if neighbour.get((a, port_a)) != b or neighbour.get((b, port_b)) != a:
            yield error(
                "ends_agree_with_the_network",
                cable_name(plan, number),
                0,
                1,
                "",
                f"joins {device_name(plan, a)} and {device_name(plan, b)}",
            )
    for number in range(topology.link_count, cables.cable_count):
        endpoint = number - topology.link_count
        if cables.device[number].tolist() != [int(topology.endpoint_router[endpoint]), topology.router_count + endpoint]:
            yield error(
                "ends_agree_with_the_network",
                cable_name(plan, number),
                0,
                1,
                "",
                f"does not join endpoint {endpoint} to its router",
            )
