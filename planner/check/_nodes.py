"""Nodes of networks in planes that are not joined: which endpoints one device owns."""

from __future__ import annotations

import numpy as np

from planner.check._graph import components
from planner.model import Plan

PLANES = ("multiplane", "hpn", "leaves")
"""Families of planes that are not joined."""


def planes_of(plan: Plan) -> np.ndarray:
    """Return the plane of each router, int (R,): the part of the network that links join."""
    return components(plan.topology.links, plan.topology.router_count)


def nodes(plan: Plan) -> list[np.ndarray]:
    """Return the node of each endpoint, int64 (H,): in a network of one plane every endpoint is one.

    Of networks in several parts whose family is not known here, both possible answers.
    """
    topology, alone = plan.topology, np.arange(plan.topology.endpoint_count)
    if not planes_of(plan).any():
        return [alone]
    if plan.inventory is not None and plan.network_names != ("",):
        owned = np.unique(plan.inventory.ends[plan.inventory.endpoints(), 1], return_inverse=True)[1]
        return [owned] if topology.family in PLANES else [alone, owned]
    if topology.family == "multiplane":
        return [alone % (len(alone) // topology.params["planes"])]
    if topology.family == "hpn":
        hosts = topology.params["hosts_per_segment"]
        return [alone // (2 * topology.params["rails"] * hosts) * hosts + alone % hosts]
    return [alone]


def interfaces(plan: Plan) -> list[int]:
    """Return how many sets of ports with one in every plane the nodes own, for each answer of `nodes`."""
    plane = planes_of(plan)[plan.topology.endpoint_router]
    count = int(plane.max(initial=0)) + 1
    found = []
    for node in nodes(plan):
        ports = np.zeros((int(node.max(initial=-1)) + 1, count), np.int64)
        np.add.at(ports, (node, plane), 1)
        found.append(int(ports.min(axis=1).sum()))
    return found
