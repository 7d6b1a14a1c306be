"""Rules of ports: every link and endpoint has its cable, in the port that the rule of ports gives it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from planner.check._boxes import box_ports, endpoint_boxes
from planner.check._places import cable_name, device_name, error, unequal
from planner.check._rule import rule
from planner.model import Plan, Violation


@rule(10)
def ports_used_once(plan: Plan) -> Iterator[Violation]:
    """Every port that the network needs has exactly one cable, and no cable uses a port that is not there."""
    cables, topology = plan.cables, plan.topology
    ends = np.column_stack([cables.device.ravel(), cables.port.ravel()])
    pairs, count = np.unique(ends, axis=0, return_counts=True)
    for (device, port), uses in zip(pairs[count > 1], count[count > 1], strict=True):
        yield error("ports_used_once", f"{device_name(plan, device)} port {port}", uses, 1, "cables", "two cables in one port")
    max_port = np.where(pairs[:, 0] < topology.router_count, plan.catalog.router.ports, plan.catalog.endpoint.endpoints)
    for device, port in pairs[(pairs[:, 1] < 1) | (pairs[:, 1] > max_port)]:
        yield error(
            "ports_used_once", f"{device_name(plan, device)} port {port}", port, plan.catalog.router.ports, "", "no such port"
        )
    needed = 2 * (topology.link_count + topology.endpoint_count)
    if ends.shape[0] != needed:
        yield error("ports_used_once", "the whole plan", ends.shape[0], needed, "cable ends", "cables are missing or too many")


@rule(40)
def ends_agree_with_the_network(plan: Plan) -> Iterator[Violation]:
    """Every row joins the routers of its link, or the router and the endpoint."""
    cables, topology = plan.cables, plan.topology
    rule, routers = "ends_agree_with_the_network", topology.router_count
    to_endpoints = np.column_stack([topology.endpoint_router, routers + np.arange(topology.endpoint_count)])
    wanted = np.concatenate([topology.links.reshape(-1, 2), to_endpoints])[: cables.cable_count]
    for number in np.flatnonzero((cables.device != wanted).any(axis=1)).tolist():
        a, b = (device_name(plan, device) for device in cables.device[number].tolist())
        right = " and ".join(device_name(plan, device) for device in wanted[number].tolist())
        yield error(rule, cable_name(plan, number), 0, 1, "", f"joins {a} and {b}, not {right}")


@rule(20)
def ports_in_their_cages(plan: Plan) -> Iterator[Violation]:
    """Port p of a box is in cage ceil(p / ports per cage)."""
    cables = plan.cables
    is_router = cables.device < plan.topology.router_count
    expected = -(-cables.port // np.where(is_router, plan.catalog.router.ports_per_cage, box_ports(plan)))
    yield from unequal("ports_in_their_cages", cables.cage, expected, lambda n: cable_name(plan, n), "port and cage do not agree")


@rule(30)
def ports_follow_their_rule(plan: Plan) -> Iterator[Violation]:
    """Ports are numbered by rule: links in the order of the network, endpoints after them, and what can share a cage does."""
    numbered = _Numbering(plan)
    wanted = np.array([*numbered.links(), *numbered.endpoints()], np.int64).reshape(-1, 2)
    yield from unequal(
        "ports_follow_their_rule", plan.cables.port, wanted, lambda n: cable_name(plan, n), "is not the port that the rule gives"
    )


class _Numbering:
    """Ports of links and endpoints, assigned box by box."""

    def __init__(self, plan: Plan):
        self.plan, self.topology = plan, plan.topology
        self.size, self.box_size = plan.catalog.router.ports_per_cage, box_ports(plan)

    def links(self) -> list[list[int]]:
        """Return the ports at both ends of each link: first links that fill cages together, then the others in order."""
        topology = self.topology
        pairs: dict[tuple[int, int], list[int]] = defaultdict(list)
        for link, ends in enumerate(topology.links.tolist()):
            pairs[min(ends), max(ends)].append(link)
        together = _cut(pairs, self.size)
        ports = [[0, 0] for _ in range(topology.link_count)]
        links, starts, ends = topology.link.tolist(), topology.indptr.tolist(), topology.links.tolist()
        alone = len(pairs) * topology.link_count + 1
        for router in range(topology.router_count):
            own = links[starts[router] : starts[router + 1]]
            for port, link in enumerate(sorted(own, key=lambda link: together.get(link, alone)), 1):
                ports[link][ends[link][0] != router] = port
        return ports

    def endpoints(self) -> list[list[int]]:
        """Return the ports at the router and at the box of each endpoint."""
        topology, placement = self.topology, self.plan.placement
        box = endpoint_boxes(self.plan).tolist()
        cabinet, unit = placement.endpoint_cabinet.tolist(), placement.endpoint_unit.tolist()
        near = sorted(range(topology.endpoint_count), key=lambda end: (cabinet[end], unit[end]))
        routers = topology.endpoint_router.tolist()
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)
        by_router: dict[int, list[int]] = defaultdict(list)
        for end in near:
            groups[routers[end], box[end] if self.box_size > 1 else cabinet[end]].append(end)
        for end in near if self.size > 1 else range(topology.endpoint_count):
            by_router[routers[end]].append(end)
        together = _cut(groups, self.size)
        at_router = [0] * topology.endpoint_count
        for router, own in by_router.items():
            for port, end in self._assigned(int(topology.degree[router]), own, together):
                at_router[end] = port
        at_box, used = [0] * topology.endpoint_count, defaultdict(int)
        order = range(topology.endpoint_count)
        if self.box_size > 1:
            order = sorted(order, key=lambda end: (end not in together, together.get(end, 0), end))
        for end in order:
            used[box[end]] += 1
            at_box[end] = used[box[end]]
        return [list(both) for both in zip(at_router, at_box, strict=True)]

    def _assigned(self, degree: int, own: list[int], together: dict[int, int]) -> Iterator[tuple[int, int]]:
        """Yield port and endpoint of each endpoint of a router, starting in a new cage where the ports are enough.

        `together` loses the endpoints of a share that is given up, because too few single ones fill the cage of the last link.
        """
        fresh = -(-degree // self.size) * self.size
        begin = fresh if fresh + len(own) <= self.plan.catalog.router.ports else degree
        left = -begin % self.size
        shared = [end for end in own if end in together]
        if shared and len(own) - len(shared) < left:
            last = max(together[end] for end in shared)
            for end in shared:
                if together[end] == last:
                    del together[end]
        single = [end for end in own if end not in together]
        full = sorted((end for end in own if end in together), key=together.__getitem__)
        yield from enumerate([*single[:left], *full, *single[left:]], begin + 1)


def _cut(groups: dict[tuple[int, int], list[int]], size: int) -> dict[int, int]:
    """Number the runs of `size` members into which sorted groups are cut, by member; what is left over has no number."""
    number, found = 0, {}
    for key in sorted(groups) if size > 1 else ():
        members = groups[key]
        for first in range(0, len(members) - size + 1, size):
            found |= dict.fromkeys(members[first : first + size], number)
            number += 1
    return found
