"""The simulated network: its rates, and in planes that are not joined the nodes that own endpoints in several."""

from __future__ import annotations

from collections import Counter

import numpy as np

from planner.check.basis.graph import components
from planner.domain.model import Plan

PLANES = ("multiplane", "hpn", "leaves")
"""Families of planes that are not joined."""


def planes_of(plan: Plan) -> np.ndarray:
    """Return the plane of each router, int (R,): the part of the network that links join."""
    return components(plan.topology.links, plan.topology.router_count)


def link_rates(plan: Plan, section: str) -> np.ndarray:
    """Return the rate of each link in phits per cycle, float64 (L,): of several networks that of the slower port."""
    count, inventory = plan.topology.link_count, plan.inventory
    if inventory is None or plan.network_names == ("",) or plan.study.get(section, {}).get("link_gbps"):
        return np.ones(count)
    rows = range(inventory.links().start, inventory.links().stop)
    ports = [[(inventory.part_of(inventory.ends[row, side]), inventory.port_group[row, side]) for side in (0, 1)] for row in rows]
    slower = [min(part.groups[group].rate_gbps for part, group in pair) for pair in ports]
    return np.array(slower, np.float64).reshape(count) / min(inventory.of_routers("rate_gbps").tolist())


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


def joined_pairs(node: np.ndarray, part: np.ndarray) -> tuple[int, int]:
    """Return the number of nodes, and the ordered pairs of them with endpoints in one part of the network.

    `node` and `part`, int (n,), are those of each surviving endpoint.
    """
    if np.bincount(node).max(initial=0) <= 1:
        together = np.bincount(part).astype(np.int64)
        return len(node), int((together * (together - 1)).sum())
    homes: dict[int, set[int]] = {}
    for number, place in zip(node.tolist(), part.tolist(), strict=True):
        homes.setdefault(number, set()).add(place)
    kinds = Counter(frozenset(places) for places in homes.values())
    return len(homes), sum(a * b for one, a in kinds.items() for two, b in kinds.items() if one & two) - len(homes)


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
