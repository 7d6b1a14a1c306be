"""Rules of studies with several networks: devices, links and the content of cabinets are those of the study's tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from planner.check.basis.existing import in_use, kept, names_with_kept, taken_slots
from planner.check.basis.places import connection_name, device_name, error, unequal, unlike
from planner.check.basis.replaced import first_cards, parts_in_use, with_replaced
from planner.check.basis.rule import rule
from planner.check.basis.tables import Kind, attached, direct, has_tables, kinds, network_group, open_cards, topologies
from planner.check.inventory import ranks
from planner.core.record import plain
from planner.domain.model import AT, POSITIONS, Plan, Violation
from planner.domain.parts import EndpointPart, RouterPart


@rule(1)
def devices_follow_the_tables(plan: Plan) -> Iterator[Violation]:
    """Devices are the routers of each network, role by role in the parts of its table, then the nodes of each table."""
    if not has_tables(plan):
        return
    inventory, graphs, rule = plan.inventory, topologies(plan), "devices_follow_the_tables"
    parts = parts_in_use(plan, [kind.part for kind in kinds(plan)])
    roles = list(dict.fromkeys(kind.role for kind in kinds(plan)))
    levels = {field: _levels(plan, f"{field}_names") for field in ("group", "coord")}
    for field, want in (
        ("per_box", [1] * len(parts)),
        ("role_names", roles),
        ("network_names", [table["name"] for table in plan.study["network"]]),
        ("group_names", levels["group"]),
        ("coord_names", levels["coord"]),
        ("first_router", np.cumsum([0, *(graph.router_count for graph in graphs)])),
    ):
        yield from unlike(rule, f"inventory.{field}", plain(getattr(inventory, field)), plain(want), "does not match the tables")
    yield from unlike(rule, "inventory.parts", [one.id for one in inventory.parts], parts, "are not those of the tables")
    count = sum(len(kind.devices) for kind in kinds(plan))
    part, role, at, names = *(np.zeros(count, np.int64) for _ in range(3)), np.zeros(count, object)
    for kind in kinds(plan):
        part[kind.devices], role[kind.devices] = parts.index(kind.part), roles.index(kind.role)
        names[kind.devices], at[kind.devices] = kind.names, AT.get(str(kind.at), kind.at)
    part = with_replaced(plan, part, parts)
    group, coords = _of_routers(plan, "group", levels["group"], count), _of_routers(plan, "coords", levels["coord"], count)
    columns = {"part": part, "role": role, "at": at, "names": names.astype(str), "group": group, "coords": coords}
    for field in ("part", "role", "at", "group", "coords"):
        yield from unequal(rule, getattr(inventory, field), columns[field], lambda n: device_name(plan, n), f"inventory.{field}")
    yield from unlike(
        rule,
        "inventory.names",
        inventory.names.tolist(),
        names_with_kept(plan, columns["names"].tolist()),
        "are not those of the tables",
    )


def _levels(plan: Plan, field: str) -> list[str]:
    """Return the names of the groups or coordinates of all networks, each once."""
    return list(dict.fromkeys(name for graph in topologies(plan) for name in getattr(graph, field)))


def _of_routers(plan: Plan, field: str, names: list[str], count: int) -> np.ndarray:
    """Return groups or coordinates of all devices by name, -1 for none, int64 (D, n)."""
    rows = []
    for graph in topologies(plan):
        own = graph.group_names if field == "group" else graph.coord_names
        rows += [[row[own.index(name)] if name in own else -1 for name in names] for row in getattr(graph, field).tolist()]
    rows += [[-1] * len(names)] * (count - len(rows))
    return np.array(rows, np.int64).reshape(count, len(names))


@rule(3)
def links_follow_their_networks(plan: Plan) -> Iterator[Violation]:
    """Connections are, network by network, the links of its topology and one for each endpoint, then those between nodes."""
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "links_follow_their_networks"
    first, names = [0], []
    for number, graph in enumerate(topologies(plan)):
        between = [label for *_, label in direct(plan, number)]
        names += [*graph.link_class_names, *(each.label for each in attached(plan, number)), *between]
        first += [graph.link_count, graph.endpoint_count, len(between)]
    names, first = list(dict.fromkeys(names)), np.cumsum(first).tolist()
    wanted = {"kind_names": names, "first_link": first[::3], "first_endpoint": first[1::3], "first_direct": first[2::3]}
    for field, want in wanted.items():
        yield from unlike(rule, f"inventory.{field}", plain(getattr(inventory, field)), want, "does not match the networks")
    main, groups = np.array([network_group(part) for part in inventory.parts]), first_cards(plan, inventory.port_group)
    for number, graph in enumerate(topologies(plan)):
        links, ends = (slice(*first[3 * number + place : 3 * number + place + 2]) for place in (0, 1))
        start = inventory.routers(number).start

        def where(row: int, before: int = links.start) -> str:
            return connection_name(plan, before + row)

        def where_end(row: int, before: int = ends.start) -> str:
            return connection_name(plan, before + row)

        both = graph.links.reshape(-1, 2) + start
        kind = np.array([names.index(name) for name in graph.link_class_names], np.int64)
        order = ranks(graph)
        for field, want in (
            ("ends", both),
            ("rank", order[: graph.link_count]),
            ("kind", kind[graph.link_class]),
            ("port", np.full((graph.link_count, 2), -1)),
        ):
            yield from unequal(rule, getattr(inventory, field)[links], want, where, f"inventory.{field}")
        yield from unequal(rule, groups[links], main[inventory.part[both]], where, "inventory.port_group")
        router = graph.endpoint_router + start
        for field, have, want in (
            ("ends", inventory.ends[ends, 0], router),
            ("rank", inventory.rank[ends], order[graph.link_count :]),
            ("port", inventory.port[ends, 0], np.full(len(router), -1)),
        ):
            yield from unequal(rule, have, want, where_end, f"inventory.{field}")


@rule(11)
def line_cards_in_printed_order(plan: Plan) -> Iterator[Violation]:
    """The ports of a director are used card by card: by its links in their order, by attached ports, then by its uplinks."""
    if not has_tables(plan):
        return
    inventory, is_link = plan.inventory, plan.inventory.is_link
    pooled = first_cards(plan, inventory.port_group)
    network = np.repeat(np.arange(len(plan.network_names)), np.diff(inventory.first_router)).tolist()
    for device, number in enumerate(network):
        part = inventory.part_of(device)
        if len(cards := open_cards(plan, number, part)) < 2:
            continue
        ends = np.argwhere((inventory.ends == device) & (pooled == cards[0])).tolist()
        ends.sort(key=lambda end: (not is_link[end[0]], end[1], inventory.rank[tuple(end)] if is_link[end[0]] else 0, end[0]))
        printed = [card for card in cards for _ in range(part.groups[card].count)]
        have = [int(inventory.port_group[tuple(end)]) for end in ends]
        want = [printed[min(place, len(printed) - 1)] for place in range(len(ends))]
        yield from unlike("line_cards_in_printed_order", device_name(plan, device), have, want, "uses other line cards")


@rule(8)
def cabinets_hold_what_the_tables_state(plan: Plan) -> Iterator[Violation]:
    """Each set of cabinets has the devices, the scalable units and the wanted position of the study's tables.

    Devices of a kept plan share a cabinet where they share one there, and new devices join them where they fit.
    """
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "cabinets_hold_what_the_tables_state"
    if plan.kept is not None:
        yield from unequal(rule, plan.placement.cabinet, inventory.rack, lambda n: device_name(plan, n), "is placed elsewhere")
        yield from _as_built(plan, rule)
        return
    stated = {each["name"]: each for each in plan.study.get("cabinets", ())}
    rack, unit, position = np.full(inventory.device_count, -1), list[int](), list[int]()
    members: dict[str, list[Member]] = defaultdict(list)
    for kind in kinds(plan):
        count = len(kind.devices)
        for number in range(count):
            home = kind.homes[number * len(kind.homes) // count]
            if not members[home] or members[home][-1][0] is not kind:
                members[home].append((kind, []))
            members[home][-1][1].append(number)
    for home, own in members.items():
        table = stated.get(home, {})
        content, units = _Set(plan, own, table.get("order") == "in turn").filled(table.get("count"))
        for (kind, numbers), cabinets in zip(own, content, strict=True):
            rack[kind.devices[numbers]] = len(unit) + np.array(cabinets, np.int64)
        unit += units
        position += [POSITIONS.index(table.get("position", "any"))] * len(units)
    yield from unequal(rule, inventory.rack, rack, lambda n: device_name(plan, n), "is in another cabinet")
    yield from unequal(rule, inventory.rack_unit, unit, lambda n: f"cabinet {n + 1}", "is of another scalable unit")
    yield from unequal(rule, inventory.rack_position, position, lambda n: f"cabinet {n + 1}", "has another wanted position")
    yield from unequal(rule, plan.placement.cabinet, inventory.rack, lambda n: device_name(plan, n), "is placed elsewhere")


def _as_built(plan: Plan, rule: str) -> Iterator[Violation]:
    """Yield the devices of a kept plan that are in one cabinet with those of another, or not with those of their own."""
    cabinet_of: dict[int, int] = {}
    slot_of: dict[int, int] = {}
    for device, slot in zip(plan.kept.device.tolist(), plan.kept.slot.tolist(), strict=True):
        if device >= 0:
            rack = int(plan.inventory.rack[device])
            if cabinet_of.setdefault(slot, rack) != rack or slot_of.setdefault(rack, slot) != slot:
                name = plan.room.slot_names[slot]
                yield error(rule, device_name(plan, device), 0, 1, "", f"does not share a cabinet with the others of {name}")


Member = tuple[Kind, list[int]]
"""A kind with the devices of it that are in a set, by their numbers in the kind."""


class _Set:
    """Cabinets that some kinds share: the cabinet of each device, and the scalable unit of each cabinet."""

    def __init__(self, plan: Plan, own: list[Member], in_turn: bool):
        catalog, interior = plan.catalog, plan.study["placement"]["interior"]
        pdus = {"A": 1, "A+B": 2}[interior["feeds"]] * interior["pdus_per_feed"] * catalog.pdu.units if catalog.pdu else 0
        self.units = catalog.cabinet.units - interior["reserve_bottom_units"] - interior["reserve_top_units"] - pdus
        self.units -= kept(plan.room.existing.keep_free.units, catalog.cabinet.units)
        free = [slot for slot in range(plan.room.slot_count) if slot not in taken_slots(plan.room)]
        left = np.maximum(plan.room.slot_power_mw - in_use(plan.room, "power_mw"), 0)[free]
        self.power_mw = int(left.max(initial=0))
        self.own, self.in_turn, self.parts = own, in_turn, {part.id: part for part in plan.inventory.parts}

    def filled(self, count: int | None) -> tuple[list[list[int]], list[int]]:
        """Return the cabinets of the devices of each kind, and the scalable unit of each cabinet."""
        if count is not None:
            return [self._evenly(numbers, count) for _, numbers in self.own], [-1] * count
        if not any(kind.defines for kind, _ in self.own):
            return self._in_order()
        units: list[int] = []
        dense = [self._dense(kind, numbers, units) if kind.defines else [] for kind, numbers in self.own]
        return [found or self._evenly(own[1], len(units)) for found, own in zip(dense, self.own, strict=True)], units

    def _evenly(self, numbers: list[int], count: int) -> list[int]:
        if self.in_turn:
            return [place % count for place in range(len(numbers))]
        return [place * count // len(numbers) for place in range(len(numbers))]

    def _dense(self, kind: Kind, numbers: list[int], units: list[int]) -> list[int]:
        """Return the cabinets of nodes that fill them, and add those cabinets: a new one for each scalable unit."""
        part: RouterPart | EndpointPart = self.parts[kind.part]
        limit = kind.per_cabinet or max(1, min(self.units // max(part.units, 1), self.power_mw // max(part.power_max_mw, 1)))
        found, here = [], limit
        for number in numbers:
            begins = kind.unit is not None and number % kind.unit == 0
            if here == limit or begins:
                units.append(number // kind.unit if kind.unit else -1)
                here = 0
            found.append(len(units) - 1)
            here += 1
        return found

    def _in_order(self) -> tuple[list[list[int]], list[int]]:
        """Return the cabinets of devices that fill one after the other by units and power."""
        found, cabinet, units, power_mw = [], 0, 0, 0
        for kind, numbers in self.own:
            part, places = self.parts[kind.part], []
            for _ in numbers:
                full = units + part.units > self.units or power_mw + part.power_max_mw > self.power_mw
                if full and (units or power_mw):
                    cabinet, units, power_mw = cabinet + 1, 0, 0
                units, power_mw = units + part.units, power_mw + part.power_max_mw
                places.append(cabinet)
            found.append(places)
        return found, [-1] * (cabinet + 1)
