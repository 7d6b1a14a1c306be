"""Rules of studies with several networks: devices, links and the content of cabinets are those of the study's tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import connection_name, device_name, unequal, unlike
from planner.check._rule import rule
from planner.check._tables import Kind, attached, has_tables, kinds, network_group, topologies
from planner.check.inventory import ranks
from planner.model import POSITIONS, Plan, Violation
from planner.parts import EndpointPart, RouterPart
from planner.record import plain


@rule(1)
def devices_follow_the_tables(plan: Plan) -> Iterator[Violation]:
    """Devices are the routers of each network, role by role in the parts of its table, then the nodes of each table."""
    if not has_tables(plan):
        return
    inventory, graphs, rule = plan.inventory, topologies(plan), "devices_follow_the_tables"
    parts = list(dict.fromkeys(kind.part for kind in kinds(plan)))
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
    part, role, names = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, object)
    for kind in kinds(plan):
        part[kind.devices], role[kind.devices] = parts.index(kind.part), roles.index(kind.role)
        names[kind.devices] = kind.names
    group, coords = _of_routers(plan, "group", levels["group"], count), _of_routers(plan, "coords", levels["coord"], count)
    columns = {"part": part, "role": role, "names": names.astype(str), "group": group, "coords": coords}
    for field in ("part", "role", "group", "coords"):
        yield from unequal(rule, getattr(inventory, field), columns[field], lambda n: device_name(plan, n), f"inventory.{field}")
    yield from unlike(rule, "inventory.names", inventory.names.tolist(), columns["names"].tolist(), "are not those of the tables")


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
    """Connections are, network by network, the links of its topology and one for each endpoint, in the ports of their routers."""
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "links_follow_their_networks"
    first_link, first_endpoint, names = [0], [], []
    for number, graph in enumerate(topologies(plan)):
        names += [*graph.link_class_names, *(each.label for each in attached(plan, number))]
        first_endpoint.append(first_link[-1] + graph.link_count)
        first_link.append(first_endpoint[-1] + graph.endpoint_count)
    names = list(dict.fromkeys(names))
    for field, want in (("kind_names", names), ("first_link", first_link), ("first_endpoint", first_endpoint)):
        yield from unlike(rule, f"inventory.{field}", plain(getattr(inventory, field)), want, "does not match the networks")
    main = np.array([network_group(part) for part in inventory.parts])
    for number, graph in enumerate(topologies(plan)):
        links, ends = slice(first_link[number], first_endpoint[number]), slice(first_endpoint[number], first_link[number + 1])
        first = inventory.routers(number).start

        def where(row: int, start: int = links.start) -> str:
            return connection_name(plan, start + row)

        def where_end(row: int, start: int = ends.start) -> str:
            return connection_name(plan, start + row)

        both = graph.links.reshape(-1, 2) + first
        kind = np.array([names.index(name) for name in graph.link_class_names], np.int64)
        order = np.array(ranks(graph), np.int64).reshape(-1, 2)
        for field, want in (
            ("ends", both),
            ("rank", order[: graph.link_count]),
            ("kind", kind[graph.link_class]),
            ("port_group", main[inventory.part[both]]),
            ("port", np.full((graph.link_count, 2), -1)),
        ):
            yield from unequal(rule, getattr(inventory, field)[links], want, where, f"inventory.{field}")
        router = graph.endpoint_router + first
        for field, have, want in (
            ("ends", inventory.ends[ends, 0], router),
            ("rank", inventory.rank[ends], order[graph.link_count :]),
            ("port", inventory.port[ends, 0], np.full(len(router), -1)),
        ):
            yield from unequal(rule, have, want, where_end, f"inventory.{field}")


@rule(8)
def cabinets_hold_what_the_tables_state(plan: Plan) -> Iterator[Violation]:
    """Each set of cabinets has the devices, the scalable units and the wanted position of the study's tables."""
    if not has_tables(plan):
        return
    inventory, rule = plan.inventory, "cabinets_hold_what_the_tables_state"
    stated = {each["name"]: each for each in plan.study.get("cabinets", ())}
    rack, unit, position = np.full(inventory.device_count, -1), [], []
    for home in dict.fromkeys(kind.home for kind in kinds(plan)):
        own = [kind for kind in kinds(plan) if kind.home == home]
        table = stated.get(home, {})
        content, units = _Set(plan, own).filled(table.get("count"))
        for kind, cabinets in zip(own, content, strict=True):
            rack[kind.devices] = len(unit) + np.array(cabinets, np.int64)
        unit += units
        position += [POSITIONS.index(table.get("position", "any"))] * len(units)
    yield from unequal(rule, inventory.rack, rack, lambda n: device_name(plan, n), "is in another cabinet")
    yield from unequal(rule, inventory.rack_unit, unit, lambda n: f"cabinet {n + 1}", "is of another scalable unit")
    yield from unequal(rule, inventory.rack_position, position, lambda n: f"cabinet {n + 1}", "has another wanted position")
    yield from unequal(rule, plan.placement.cabinet, inventory.rack, lambda n: device_name(plan, n), "is placed elsewhere")


class _Set:
    """Cabinets that some kinds share: the cabinet of each device, and the scalable unit of each cabinet."""

    def __init__(self, plan: Plan, own: list[Kind]):
        catalog, interior = plan.catalog, plan.study["placement"]["interior"]
        pdus = {"A": 1, "A+B": 2}[interior["feeds"]] * interior["pdus_per_feed"] * catalog.pdu.units if catalog.pdu else 0
        self.units = catalog.cabinet.units - interior["reserve_bottom_units"] - interior["reserve_top_units"] - pdus
        self.power_mw = int(plan.room.slot_power_mw.max())
        self.own, self.parts = own, {part.id: part for part in plan.inventory.parts}

    def filled(self, count: int | None) -> tuple[list[list[int]], list[int]]:
        """Return the cabinets of the devices of each kind, and the scalable unit of each cabinet."""
        if count is not None:
            return [self._evenly(kind, count) for kind in self.own], [-1] * count
        if not any(kind.defines for kind in self.own):
            return self._in_turn()
        units: list[int] = []
        dense = {id(kind): self._dense(kind, units) for kind in self.own if kind.defines}
        return [dense.get(id(kind)) or self._evenly(kind, len(units)) for kind in self.own], units

    @staticmethod
    def _evenly(kind: Kind, count: int) -> list[int]:
        return [number * count // len(kind.devices) for number in range(len(kind.devices))]

    def _dense(self, kind: Kind, units: list[int]) -> list[int]:
        """Return the cabinets of nodes that fill them, and add those cabinets: a new one for each scalable unit."""
        part: RouterPart | EndpointPart = self.parts[kind.part]
        limit = kind.per_cabinet or max(1, min(self.units // max(part.units, 1), self.power_mw // max(part.power_max_mw, 1)))
        found, here = [], limit
        for number in range(len(kind.devices)):
            begins = bool(kind.unit) and number % kind.unit == 0
            if here == limit or begins:
                units.append(number // kind.unit if kind.unit else -1)
                here = 0
            found.append(len(units) - 1)
            here += 1
        return found

    def _in_turn(self) -> tuple[list[list[int]], list[int]]:
        """Return the cabinets of devices that fill one after the other by units and power."""
        found, cabinet, units, power_mw = [], 0, 0, 0
        for kind in self.own:
            part, places = self.parts[kind.part], []
            for _ in kind.devices:
                full = units + part.units > self.units or power_mw + part.power_max_mw > self.power_mw
                if full and (units or power_mw):
                    cabinet, units, power_mw = cabinet + 1, 0, 0
                units, power_mw = units + part.units, power_mw + part.power_max_mw
                places.append(cabinet)
            found.append(places)
        return found, [-1] * (cabinet + 1)
