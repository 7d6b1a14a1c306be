"""Rules of attachments: which router takes each port of a node, and what the rule of an attachment promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from planner.check.basis.places import connection_name, device_name, error, unequal
from planner.check.basis.replaced import group_by_role
from planner.check.basis.rule import Source, rule
from planner.check.basis.tables import MANAGEMENT, Attached, attached, has_tables, network_group, open_cards, topologies
from planner.core import delimited
from planner.domain.model import Plan, Topology, Violation

Row = tuple[int, int, int, int, int, int]
"""Router and its port group, far device, its port group, port of that group, and kind of a connection."""


@rule(5)
def ports_of_groups_suffice(plan: Plan) -> Iterator[Violation]:
    """No port group of a device has more connections than ports, and none of its ports has two."""
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "ports_of_groups_suffice"
    ends, groups, ports = (getattr(inventory, field).reshape(-1).tolist() for field in ("ends", "port_group", "port"))
    used = Counter(zip(ends, groups, strict=True))
    twice = Counter((device, group, port) for device, group, port in zip(ends, groups, ports, strict=True) if port >= 0)
    for (device, group), count in used.items():
        known = inventory.part_of(device).groups
        limit = known[group].count if group < len(known) else 0
        if count > limit:
            name = known[group].name if group < len(known) else f"group {group}"
            yield error(rule, f"{device_name(plan, device)} {name}", count, limit, "ports", "has more connections than ports")
    for (device, group, port), count in twice.items():
        known = inventory.part_of(device).groups
        if count > 1 or group >= len(known) or port >= known[group].count:
            yield error(rule, f"{device_name(plan, device)} port {port + 1}", count, 1, "", "is not a free port of its group")


@rule(42)
def dual_homed_ports_on_different_routers(plan: Plan) -> Iterator[Violation]:
    """The ports of a node that are attached in pairs are on different routers."""
    for number, each in _by_rule(plan, "pairs"):
        for device, router in zip(each.devices.tolist(), _routers(plan, number, each), strict=True):
            given = [one for one in router if one >= 0]
            if len(set(given)) < each.count:
                where = device_name(plan, device)
                yield error("dual_homed_ports_on_different_routers", where, len(set(given)), each.count, "routers", each.label)


@rule(44)
def rails_on_one_router(plan: Plan) -> Iterator[Violation]:
    """Each rail of a block of nodes is on one router, and no other rail is."""
    for number, each in _by_rule(plan, "rail"):
        block = each.parameters["block"]
        routers = np.array(_routers(plan, number, each), np.int64).reshape(len(each.devices), each.count)
        owner: dict[int, tuple[int, int]] = {}
        for first in range(0, len(routers), block):
            for rail in range(each.count):
                used = np.unique(routers[first : first + block, rail]).tolist()
                mixed = [router for router in used if owner.setdefault(router, (first, rail)) != (first, rail)]
                if len(used) != 1 or mixed:
                    where = f"rail {rail + 1} of block {first // block + 1} of {each.label}"
                    yield error("rails_on_one_router", where, len(used), 1, "routers", "is not on a router of its own")


_PLANES = ("hpn", "multiplane")
"""Families whose planes are not joined; those of others are levels of groups."""


@rule(46)
def planes_are_disjoint(plan: Plan) -> Iterator[Violation]:
    """No link joins two planes of a network, and the ports of a node are distributed evenly over its planes."""
    for number, graph in enumerate(topologies(plan)):
        if "plane" not in graph.group_names or (graph.family not in _PLANES and not [*_by_rule(plan, "planes")]):
            continue
        plane = graph.group[:, graph.group_names.index("plane")]
        for link in np.flatnonzero((plane[graph.links] != plane[graph.links][:, :1]).any(axis=1)).tolist():
            where = connection_name(plan, plan.inventory.links(number).start + link) if plan.inventory else f"link {link + 1}"
            one, two = plane[graph.links[link]].tolist()
            yield error("planes_are_disjoint", where, one, two, "", "joins two planes")
        for own, each in _by_rule(plan, "planes"):
            count = len(np.unique(plane[graph.endpoints_of > 0]))
            for device, router in zip(each.devices.tolist(), _routers(plan, number, each) if own == number else (), strict=False):
                used = Counter(int(plane[one]) for one in router if one >= 0)
                if len(used) != count or len(set(used.values())) > 1:
                    yield error("planes_are_disjoint", device_name(plan, device), len(used), count, "planes", each.label)


@rule(48)
def management_ports_are_connected(plan: Plan) -> Iterator[Violation]:
    """Where a network connects management ports, those of all other devices are connected. A warning."""
    if not has_tables(plan):
        return
    inventory = plan.inventory
    groups = [[group.name for group in part.groups] for part in inventory.parts]
    port = np.array([names.index(MANAGEMENT) if MANAGEMENT in names else -1 for names in groups])[inventory.part]
    ends, group = inventory.ends.reshape(-1), inventory.port_group.reshape(-1)
    connected = np.zeros(inventory.device_count, bool)
    connected[ends[group == port[ends]]] = True
    # Switches that connect management ports are managed over these ports.
    exempt = np.zeros(inventory.device_count, bool)
    some = False
    for number in range(len(plan.network_names)):
        if any(groups[inventory.part[each.devices[0]]][each.group] == MANAGEMENT for each in attached(plan, number)):
            exempt[inventory.routers(number)], some = True, True
    for device in np.flatnonzero((port >= 0) & ~connected & ~exempt).tolist() if some else ():
        where, message = device_name(plan, device), "its management port is on no network"
        yield Violation("management_ports_are_connected", where, 0.0, 1.0, "connections", "warning", message)


def _by_rule(plan: Plan, name: str) -> Iterator[tuple[int, Attached]]:
    """Yield the attachments by one rule, each with the number of its network."""
    for number in range(len(plan.network_names)) if has_tables(plan) else ():
        yield from ((number, each) for each in attached(plan, number) if each.rule == name)


def _routers(plan: Plan, number: int, each: Attached) -> list[list[int]]:
    """Return the router of each port of the devices of an attachment, in its network; -1 for a port that is not attached."""
    inventory = plan.inventory
    rows = inventory.endpoints(number)
    place = {device: index for index, device in enumerate(each.devices.tolist())}
    found = [[-1] * each.count for _ in place]
    columns = inventory.ends[rows].tolist(), group_by_role(plan)[rows, 1].tolist(), inventory.port[rows, 1].tolist()
    for (router, device), group, port in zip(*columns, strict=True):
        if device in place and group == each.group:
            own = found[place[device]]
            # Of uplinks, whose ports are not fixed, the order is that of their rows.
            port = port if each.fixed or -1 not in own else own.index(-1)
            if 0 <= port < each.count:
                own[port] = router - inventory.routers(number).start
    return found


@rule(31, source=True)
def attachments_follow_their_rules(plan: Plan, source: Source) -> Iterator[Violation]:
    """Every port that the study attaches is on the router that its rule gives, or, by distance, on one with free ports."""
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "attachments_follow_their_rules"
    for number, name in enumerate(plan.network_names):
        leaves, open_order, rows = Leaves(plan, source.bare(number), number), False, []
        # Ports that are attached by distance take what other rules leave.
        for each in sorted(attached(plan, number), key=lambda each: each.rule == "near"):
            chosen = leaves.routers(each)
            if chosen is None:
                open_order, chosen = True, _routers(plan, number, each)
            group, free = leaves.group(each.router_ports), leaves.free(each.router_ports)
            for router in (router for routers in chosen for router in routers if router >= 0):
                free[router] -= 1
            kind = inventory.kind_names.index(each.label)
            for device, routers in zip(each.devices.tolist(), chosen, strict=True):
                ports = range(each.count) if each.fixed else [-1] * each.count
                rows += [
                    (router, group[router], device, each.group, port, kind) for port, router in zip(ports, routers, strict=True)
                ]
        for router, short in leaves.over():
            yield error(rule, f"{name} router {router}", -short, 0, "ports", "takes more ports than it has free")
        have, want = _stored(plan, number), sorted(rows, key=lambda row: row[0])
        if open_order:
            # Rows of ports that are attached by distance have no order of their own within a router.
            have, want = sorted(have), sorted(want)
        yield from unequal(
            rule, np.array(have).reshape(-1, 6), np.array(want).reshape(-1, 6),
            [f"{name} endpoint {n + 1}" for n in range(len(have))].__getitem__,
            "router, device, port groups, port and kind are not those of its rule",
        )  # fmt: skip


def _stored(plan: Plan, number: int) -> list[Row]:
    inventory, rows, group = plan.inventory, plan.inventory.endpoints(number), group_by_role(plan)
    columns = (
        inventory.ends[rows, 0] - inventory.routers(number).start, group[rows, 0], inventory.ends[rows, 1],
        group[rows, 1], inventory.port[rows, 1], inventory.kind[rows],
    )  # fmt: skip
    return list(zip(*(column.tolist() for column in columns), strict=True))


class Leaves:
    """Routers of a network that take ports, with the ports that are still free."""

    def __init__(self, plan: Plan, bare: Topology, number: int):
        parts = {part.id: part for part in plan.inventory.parts}
        given = plan.study["network"][number]["parts"]
        self.parts = [parts[given[bare.role_names[role]]] for role in bare.role.tolist()]
        self.uplinks = _uplinks(plan, number)
        left = [
            min(part.ports, sum(part.groups[card].count for card in open_cards(plan, number, part)))
            - used
            - self.uplinks[router, network_group(part)]
            for router, (part, used) in enumerate(zip(self.parts, bare.degree.tolist(), strict=True))
        ]
        stated = bare.endpoints_of.tolist() if bare.endpoint_count else left
        self.left: dict[str, list[int]] = {"": [max(0, min(own)) for own in zip(stated, left, strict=True)]}
        self.takes = [not bare.endpoint_count or count > 0 for count in bare.endpoints_of.tolist()]
        self.names = bare.router_names
        names = bare.group_names
        self.plane = bare.group[:, names.index("plane")].tolist() if "plane" in names else [0] * bare.router_count

    def group(self, name: str) -> list[int]:
        """Return the port group of each router by its name, that of its links without one; -1 where the router lacks it."""
        names = [[group.name for group in part.groups] for part in self.parts]
        if not name:
            return [network_group(part) for part in self.parts]
        return [own.index(name) if name in own else -1 for own in names]

    def free(self, name: str) -> list[int]:
        """Return the ports that are still free in a port group of each router."""
        if name not in self.left:
            self.left[name] = [
                max(0, part.groups[group].count - self.uplinks[router, group]) if takes and group >= 0 else 0
                for router, (part, group, takes) in enumerate(zip(self.parts, self.group(name), self.takes, strict=True))
            ]
        return self.left[name]

    def over(self) -> list[tuple[int, int]]:
        """Return the routers that take more ports than they have, with their number of free ports."""
        return [(router, free) for own in self.left.values() for router, free in enumerate(own) if free < 0]

    def routers(self, each: Attached) -> list[list[int]] | None:
        """Return the router of each port by the rule of an attachment; None where distance or other code decides."""
        free = self.free(each.router_ports)
        rules: dict[str, Callable[..., list[list[int]]]] = {
            "rail": _rail,
            "pairs": _pairs,
            "fill": _fill,
            "free": _free,
            "planes": _planes,
            "table": _table,
        }
        leaves = [(router, free, self.plane[router]) for router, free in enumerate(free) if free > 0]
        given = {"names": self.names} if each.rule == "table" else {}
        return rules[each.rule](each, leaves, **each.parameters, **given) if each.rule in rules else None


def left_free(plan: Plan, bare: Topology, number: int) -> Leaves:
    """Return the routers of a network with the ports that all attachments of the plan leave free."""
    leaves = Leaves(plan, bare, number)
    for each in attached(plan, number):
        free = leaves.free(each.router_ports)
        for router in (router for routers in _routers(plan, number, each) for router in routers if router >= 0):
            free[router] -= 1
    return leaves


def _uplinks(plan: Plan, number: int) -> Counter[tuple[int, int]]:
    """Return the number of ports of each router (in its network) and port group that other networks attach."""
    own, found = plan.inventory.routers(number), Counter[tuple[int, int]]()
    for other in range(len(plan.network_names)):
        for each in attached(plan, other) if other != number else ():
            routers = [device - own.start for device in each.devices.tolist() if own.start <= device < own.stop]
            found.update(dict.fromkeys(((router, each.group) for router in routers), each.count))
    return found


Leaf = tuple[int, int, int]
"""Router, its free ports, its plane."""


def _rail(each: Attached, leaves: list[Leaf], block: int) -> list[list[int]]:
    first = [number // block * each.count for number in range(len(each.devices))]
    return [[leaves[number][0] for number in range(start, start + each.count)] for start in first]


def _pairs(each: Attached, leaves: list[Leaf]) -> list[list[int]]:
    sets = [leaves[first : first + each.count] for first in range(0, len(leaves), each.count)]
    return [[router for router, _, _ in sets[number % len(sets)]] for number in range(len(each.devices))]


def _fill(each: Attached, leaves: list[Leaf], per_leaf: int | None = None) -> list[list[int]]:
    ports = iter([router for router, free, _ in leaves for _ in range(free if per_leaf is None else min(free, per_leaf))])
    return [[next(ports, -1) for _ in range(each.count)] for _ in each.devices]


def _free(each: Attached, leaves: list[Leaf]) -> list[list[int]]:
    left = {router: free for router, free, _ in leaves}
    found: list[list[int]] = []
    for _ in each.devices:
        found.append([])
        for _ in range(each.count):
            best = min(left, key=lambda router: (-left[router], router))
            left[best] -= 1
            found[-1].append(best)
    return found


def _planes(each: Attached, leaves: list[Leaf], within: str = "fill", block: int = 1) -> list[list[int]]:
    planes = sorted({plane for _, _, plane in leaves})
    inside = {"fill": _fill, "free": _free}.get(within)
    found = [[-1] * each.count for _ in each.devices]
    for number, plane in enumerate(planes):
        own = [leaf for leaf in leaves if leaf[2] == plane]
        ports = range(number, each.count, len(planes))
        part = Attached(each.place, each.rule, {}, each.label, each.devices, each.names, each.group, len(ports))
        chosen = _rail(part, own, block) if inside is None else inside(part, own)
        for have, routers in zip(found, chosen, strict=True):
            for port, router in zip(ports, routers, strict=True):
                have[port] = router
    return found


def _table(each: Attached, leaves: list[Leaf], path: str, names: Sequence[str] = ()) -> list[list[int]]:
    router = {
        (row["device"], int(row["port"])): names.index(row["router"]) if names else int(row["router"])
        for _, row in delimited.read(Path(path)).records()
    }
    return [[router[name, port + 1] for port in range(each.count)] for name in each.names]
