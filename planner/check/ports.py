"""Rules of ports: every link and endpoint has its cable, in the port that the rule of ports gives it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import boxes
from planner.check.basis.distinct import distinct
from planner.check.basis.places import cable_name, device_name, error, unequal
from planner.check.basis.port_groups import sockets_at_ends
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(10)
def ports_used_once(plan: Plan) -> Iterator[Violation]:
    """No port of a box has two cables, and every cable uses a port of its group that is there."""
    rule, cables = "ports_used_once", plan.cables
    device, port = cables.device.ravel(), cables.port.ravel()
    first, _, count = distinct(boxes(plan).of_device[device], port)
    low, ports = (_of_sockets(plan, name).ravel() for name in ("first_port", "ports"))

    def where(end: int) -> str:
        return f"{device_name(plan, device[end])} port {port[end]}"

    for place in np.flatnonzero(count > 1).tolist():
        yield error(rule, where(first[place]), count[place], 1, "cables", "two cables in one port")
    for end in np.flatnonzero((port <= low) | (port > low + ports)).tolist():
        yield error(rule, where(end), port[end], low[end] + ports[end], "", "no such port")


@rule(40)
def ends_agree_with_the_network(plan: Plan) -> Iterator[Violation]:
    """Every row joins the devices of its connection: the routers of a link, or the router and the node of an endpoint."""
    cables, wanted, rule = plan.cables, plan.inventory.ends, "ends_agree_with_the_network"
    for number in np.flatnonzero((cables.device != wanted).any(axis=1)).tolist():
        a, b = (device_name(plan, device) for device in cables.device[number].tolist())
        right = " and ".join(device_name(plan, device) for device in wanted[number].tolist())
        yield error(rule, cable_name(plan, number), 0, 1, "", f"joins {a} and {b}, not {right}")


@rule(20)
def ports_in_their_cages(plan: Plan) -> Iterator[Violation]:
    """Port p of a group is in its cage ceil(p / ports per cage); groups follow each other in ports and cages."""
    cables = plan.cables
    ports, cages = (_of_sockets(plan, name) for name in ("first_port", "first_cage"))
    expected = cages - (ports - cables.port) // _per_cage(plan)
    yield from unequal("ports_in_their_cages", cables.cage, expected, lambda n: cable_name(plan, n), "port and cage do not agree")


@rule(30)
def ports_follow_their_rule(plan: Plan) -> Iterator[Violation]:
    """Ports are numbered by rule: links in the order of the network, endpoints after them, and what can share a cage does.

    Each port group of a device is numbered by itself, after those before it. Ports that the inventory fixes are those of it.
    Connections of a kept plan keep their ports; new ones have another port than that of the rule only where a kept one has it.
    """
    if (_per_cage(plan) == 1).all() and (plan.inventory.port < 0).all():
        wanted = _one_by_one(plan)
    else:
        numbered = _Numbering(plan)
        numbered.links()
        numbered.endpoints()
        wanted = np.array(numbered.ports, np.int64).reshape(-1, 2)
    if plan.kept is not None:
        wanted = _around_kept(plan, wanted)
    yield from unequal(
        "ports_follow_their_rule", plan.cables.port, wanted, lambda n: cable_name(plan, n), "is not the port that the rule gives"
    )


def _one_by_one(plan: Plan) -> np.ndarray:
    """Return the ports where every cage has one and the study fixes none, int64 (W, 2): links by rank, then endpoints."""
    inventory = plan.inventory
    wanted, link = _of_sockets(plan, "first_port").copy(), inventory.is_link
    _, owner, _ = distinct(inventory.ends.ravel(), inventory.port_group.ravel())
    owner = owner.reshape(-1, 2)
    wanted[link] += 1 + _position(owner[link].ravel(), inventory.rank[link].ravel()).reshape(-1, 2)
    rows = np.flatnonzero(~link)
    degree = np.bincount(owner[link].ravel(), minlength=owner.max(initial=0) + 1)
    attached = np.bincount(owner[rows, 0], minlength=len(degree))
    wanted[rows, 0] += 1 + degree[owner[rows, 0]] + _position(owner[rows, 0], rows)
    _, box, _ = distinct(boxes(plan).of_device[inventory.ends[rows, 1]], inventory.port_group[rows, 1])
    # Uplinks follow the links and endpoints of their router.
    first = np.full(box.max(initial=-1) + 1, len(plan.inventory.ends))
    np.minimum.at(first, box, rows)
    before = (degree + attached)[owner[first, 1]]
    wanted[rows, 1] += 1 + before[box] + _position(box, rows)
    return wanted


def _position(group: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Return the position of each row in its group, by key and then by row, from 0; int64."""
    order = np.lexsort((key, group))
    start = np.searchsorted(group[order], group[order])
    place = np.empty(len(group), np.int64)
    place[order] = np.arange(len(group)) - start
    return place


def _around_kept(plan: Plan, wanted: np.ndarray) -> np.ndarray:
    """Return the ports that the rule gives next to those of a kept plan; free choices count as right."""
    kept, cables = plan.kept, plan.cables
    built, held = {}, set()
    for place in np.flatnonzero(kept.row >= 0).tolist():
        ports = kept.port[place].tolist()
        built[int(kept.row[place])] = ports[::-1] if kept.turned[place] else ports
    box = boxes(plan).of_device
    for row, ports in built.items():
        held |= {(int(box[device]), port) for device, port in zip(cables.device[row].tolist(), ports, strict=True)}
    size, found = _per_cage(plan).tolist(), wanted.tolist()
    for row, ports in enumerate(found):
        for side, device in enumerate(cables.device[row].tolist()):
            if row in built and built[row][side]:
                ports[side] = built[row][side]
            elif row in built or size[row][side] > 1 or (int(box[device]), ports[side]) in held:
                ports[side] = int(cables.port[row, side])
    return np.array(found, np.int64).reshape(-1, 2)


def _per_cage(plan: Plan) -> np.ndarray:
    """Return the ports of a cage at both ends of each connection, at least 1, int64 (W, 2)."""
    sizes = np.array([joint.ports_per_cage for joint in plan.inventory.joints], np.int64).reshape(-1, 2)
    return np.maximum(sizes, 1)[plan.inventory.joint]


def _of_sockets(plan: Plan, name: str) -> np.ndarray:
    """Return an attribute of the port group at both ends of each connection, int64 (W, 2)."""
    kinds, kind = sockets_at_ends(plan)
    return np.array([getattr(each, name) for each in kinds], np.int64)[kind]


Owner = tuple[int, int]
"""Device and port group, or box and port group."""


class _Numbering:
    """Ports at both ends of each connection, assigned owner by owner."""

    def __init__(self, plan: Plan):
        self.inventory, self.placement = plan.inventory, plan.placement
        self.ends, self.rank = plan.inventory.ends.tolist(), plan.inventory.rank.tolist()
        self.group, self.fixed = plan.inventory.port_group.tolist(), plan.inventory.port.tolist()
        self.size, self.box = _per_cage(plan).tolist(), boxes(plan).of_device.tolist()
        self.first, self.limit = (_of_sockets(plan, name).tolist() for name in ("first_port", "ports"))
        self.degree: Counter[Owner] = Counter()
        self.is_link = plan.inventory.is_link.tolist()
        # Where both ports are given, as between nodes, nothing is chosen.
        self.ports = [
            [one + port + 1 if fixed[0] >= 0 else one for one, port in zip(first, fixed, strict=True)]
            for first, fixed in zip(self.first, self.fixed, strict=True)
        ]

    def _owner(self, row: int, side: int) -> Owner:
        return self.ends[row][side], self.group[row][side]

    def links(self) -> None:
        """Assign the ports of links: first those of links that fill cages together, then the others by rank."""
        pairs: dict[tuple[Owner, ...], list[int]] = defaultdict(list)
        at_router: dict[Owner, list[tuple[int, int]]] = defaultdict(list)
        for row in (row for row, link in enumerate(self.is_link) if link):
            owners = [self._owner(row, side) for side in (0, 1)]
            pairs[tuple(sorted(owners))].append(row)
            for side, owner in enumerate(owners):
                at_router[owner].append((row, side))
        together = _cut(pairs, self.size)
        alone = len(self.ends)
        for owner, own in at_router.items():
            self.degree[owner] = len(own)
            order = sorted(own, key=lambda end: (together.get(end[0], alone), self.rank[end[0]][end[1]]))
            for port, (row, side) in enumerate(order, 1):
                self.ports[row][side] += port

    def endpoints(self) -> None:
        """Assign the ports of endpoint cables at the router and at the box."""
        cabinet, unit = self.placement.cabinet.tolist(), self.placement.unit.tolist()
        rows = [row for row, fixed in enumerate(self.fixed) if fixed[0] < 0 and not self.is_link[row]]
        groups: dict[tuple, list[int]] = defaultdict(list)
        by_router: dict[Owner, list[int]] = defaultdict(list)
        by_box: dict[Owner, list[int]] = defaultdict(list)
        for row in sorted(rows, key=lambda row: (cabinet[self.ends[row][1]], unit[self.ends[row][1]])):
            node, size, fixed = self.ends[row][1], self.size[row][1], self.fixed[row][1]
            caged, given = size > 1, fixed >= 0
            # What shares a cable at the far end: a cage of the node, any cage of a box, or a cabinet.
            there: tuple[int, ...] = (cabinet[node],)
            if caged:
                there = (*self._owner(row, 1), fixed // size) if given else (self.box[node],)
            groups[self._owner(row, 0), caged, given, there].append(row)
            by_router[self._owner(row, 0)].append(row)
        together = _cut(groups, self.size)
        for owner, own in by_router.items():
            size, ports = self.size[own[0]][0], self.limit[own[0]][0]
            for port, row in self._assigned(owner, own if size > 1 else sorted(own), size, ports, together):
                self.ports[row][0] += port
        for row in rows:
            if (fixed := self.fixed[row][1]) >= 0:
                self.ports[row][1] += fixed + 1
            else:
                by_box[self.box[self.ends[row][1]], self.group[row][1]].append(row)
        for own in by_box.values():
            # Where boxes have cages of several ports, what shares them comes first.
            caged = {row for row in own if self.size[row][1] > 1}
            order = sorted(
                own, key=lambda row: (row in caged and row not in together, together.get(row, 0) if row in caged else 0)
            )
            # Uplinks follow the links and endpoints of their router.
            owner = self._owner(own[0], 1)
            first = self.degree[owner] + len(by_router.get(owner, ())) + 1
            for port, row in enumerate(order, first):
                self.ports[row][1] += port

    def _assigned(
        self, owner: Owner, own: list[int], size: int, ports: int, together: dict[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Yield port and row of each endpoint cable of a router, starting in a new cage where the ports are enough.

        `together` loses the rows of a share that is given up, because too few single ones fill the cage of the last link.
        """
        degree = self.degree[owner]
        fresh = -(-degree // size) * size
        begin = fresh if fresh + len(own) <= ports else degree
        left = -begin % size
        shared = [row for row in own if row in together]
        if shared and len(own) - len(shared) < left:
            last = max(together[row] for row in shared)
            for row in shared:
                if together[row] == last:
                    del together[row]
        single = [row for row in own if row not in together]
        full = sorted((row for row in own if row in together), key=together.__getitem__)
        yield from enumerate([*single[:left], *full, *single[left:]], begin + 1)


def _cut(groups: dict[tuple, list[int]], size: list[list[int]]) -> dict[int, int]:
    """Number the runs of rows that fill a cage into which sorted groups are cut, by row; what is left over has no number.

    `size` holds the ports of a cage at both ends of each row.
    """
    number, found = 0, dict[int, int]()
    for key in sorted(groups):
        members = groups[key]
        per_cage = size[members[0]][0]
        for first in range(0, len(members) - per_cage + 1 if per_cage > 1 else 0, per_cage):
            found |= dict.fromkeys(members[first : first + per_cage], number)
            number += 1
    return found
