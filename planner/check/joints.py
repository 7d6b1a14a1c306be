"""Rules of joints: the cables between two kinds of ports are all those of the catalog rows that fit both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import product
from typing import Any

import numpy as np

from planner.check.basis.places import connection_name, unequal, unlike
from planner.check.basis.port_groups import Sockets, sockets_at_ends
from planner.check.basis.rule import Source, rule
from planner.check.basis.tables import has_tables
from planner.domain.model import Joint, Plan, Violation
from planner.domain.parts import DEVICES, Assembly, BreakoutPart, CablePart, FiberPart, LossRule, TransceiverPart

_MEDIA = {"copper": "passive copper", "active copper": "active copper", "optical": "AOC"}


End = tuple[int, Sockets, Sockets]
"""Network of a joint, and the ports at its first and second end."""


@rule(7)
def joints_by_port_kinds(plan: Plan) -> Iterator[Violation]:
    """Connections of one network with equal ports at both ends have one joint; joints are in the order of their parts."""
    if not has_tables(plan):
        return
    rule, (number, ends) = "joints_by_port_kinds", _by_port_kinds(plan)
    yield from unequal(rule, plan.inventory.joint, number, lambda n: connection_name(plan, n), "is of another joint")
    have = [(joint.name, tuple(joint.ports_per_cage)) for joint in plan.inventory.joints]
    want = [(f"{plan.network_names[network]} cables", (a.per_cage, b.per_cage)) for network, a, b in ends]
    yield from unlike(rule, "inventory.joints", have, want, "names and ports of a cage")


def _by_port_kinds(plan: Plan) -> tuple[list[int], list[End]]:
    """Return the joint of each connection, and the ends of each joint, in order of network, parts and port groups."""
    inventory = plan.inventory
    sockets, kind = sockets_at_ends(plan)
    network = np.repeat(np.arange(len(plan.network_names)), np.diff(inventory.first_link))
    part, group = inventory.part[inventory.ends], inventory.port_group
    rows = np.column_stack([network, part[:, 0], group[:, 0], part[:, 1], group[:, 1], kind]).tolist()
    number: dict[tuple, int] = {}
    ends: list[End] = []
    for row in sorted({tuple(row) for row in rows}):
        a, b = (sockets[end] for end in row[-2:])
        if number.setdefault((row[0], a.plug, b.plug), len(ends)) == len(ends):
            ends.append((row[0], a, b))
    return [number[row[0], sockets[row[-2]].plug, sockets[row[-1]].plug] for row in rows], ends


@rule(41, source=True)
def parts_and_joints_of_the_catalog(plan: Plan, source: Source) -> Iterator[Violation]:
    """Devices have the figures of their catalog rows, and joints all assemblies that join their ports, figure by figure."""
    if not has_tables(plan):
        return
    rule, inventory = "parts_and_joints_of_the_catalog", plan.inventory
    known = {part.id: part for kind in DEVICES for part in source.rows(kind)}
    for part in inventory.parts:
        row = known.get(part.id)
        # A unit that takes a slot by itself is as high as the content of a cabinet.
        wanted = replace(row, units=_usable_units(plan)) if row and row.freestanding else row
        yield from unlike(rule, part.id, part == wanted, True, "is not as in the catalog")
    names: set[str] = set()
    shelves = [Shelf(source.rows, plan.study["catalog"], network) for network in plan.study["network"]]
    for joint, (number, a, b) in zip(inventory.joints, _by_port_kinds(plan)[1], strict=True):
        shelf = shelves[number]
        wanted = Joint(joint.name, shelf.single(a, b), shelf.shared(a, b), (a.per_cage, b.per_cage))
        for field in ("single", "shared"):
            own, right = getattr(joint, field), getattr(wanted, field)
            where = f"{field} assemblies of {joint.name}"
            yield from unlike(
                rule, where, [one.id for one in own], [one.id for one in right], "are not those that join the ports"
            )
            wrong = [f"{one.id}.{name}" for one, two in zip(own, right, strict=False) for name in _differing(one, two)]
            yield from unlike(rule, where, wrong[:3], [], "differ from the catalog")
        names |= {name for one in joint.assemblies for name in (one.length_part, one.end_part, one.end_part_b) if name}
    joining = {row.id: row for kind in ("cable", "breakout", "transceiver", "fiber") for row in source.rows(kind)}
    rows = [row.origin for row in (*inventory.parts, *(joining[name] for name in sorted(names & joining.keys())))]
    yield from unlike(
        rule, "inventory.rows", [row.id for row in inventory.rows], [row.id for row in rows], "are not the rows in use"
    )
    wrong = [one.id for one, two in zip(inventory.rows, rows, strict=False) if one != two]
    yield from unlike(rule, "inventory.rows", wrong, [], "differ from the catalog")


def _usable_units(plan: Plan) -> int:
    """Return the units of a cabinet that are neither reserved, kept free nor those of PDUs."""
    catalog, placement = plan.catalog, plan.placement
    of_pdus = placement.feeds * placement.pdus_per_feed * catalog.pdu.units if catalog.pdu else 0
    kept = plan.room.existing.keep_free.of("units", catalog.cabinet.units)
    return catalog.cabinet.units - sum(placement.reserved_units) - of_pdus - kept


def _differing(one: Assembly, two: Assembly) -> list[str]:
    return [spec.name for spec in fields(Assembly) if getattr(one, spec.name) != getattr(two, spec.name)]


class Shelf:
    """The rows that a network may use for its cables, by its table and the section ``[catalog]``."""

    def __init__(self, rows_of: Callable[[str], Iterable[Any]], catalog: dict[str, Any], network: dict[str, Any]):
        chosen, media = network.get("cables") or catalog["cables"], network.get("media") or catalog["media"]
        sure = catalog["allow_estimates"]
        rows = [row for kind in ("cable", "breakout", "transceiver") for row in rows_of(kind)]
        built_in = [row for row in rows if isinstance(row, TransceiverPart) and row.built_in]
        others = [row for row in rows if not (isinstance(row, TransceiverPart) and row.built_in)]
        others = [row for row in others if row.id in chosen] or others
        others = [row for row in others if not media or _medium(row) in media]
        fibers = [row for row in rows_of("fiber") if row.id in chosen] or list(rows_of("fiber"))
        self.rows = [row for row in (*others, *built_in) if sure or not row.estimated]
        self.fibers: list[FiberPart] = [row for row in fibers if sure or not row.estimated]
        self.loss: LossRule = next(row for row in rows_of("loss") if row.id == catalog["loss"])

    def single(self, a: Sockets, b: Sockets) -> tuple[Assembly, ...]:
        """Return the finished cables, and the pairs of modules with a fiber, that join one port with another."""
        rate = min(a.rate_gbps, b.rate_gbps)
        found = [_finished(cable, a, b) for cable in self._cables(a, b, rate) if cable.links == 1]
        modules = [row for row in self.rows if isinstance(row, TransceiverPart) and row.rate_gbps == rate]
        for one, two in product(modules, modules):
            if _takes(a, one) and _takes(b, two) and _interoperate(one, two) and (a.connector != b.connector or one is two):
                found += [self._optical(one, two, fiber, a, b) for fiber in self.fibers if fiber.fiber == one.fiber]
        return tuple(sorted((each for each in found if each.stock_mm), key=lambda each: each.id))

    def shared(self, a: Sockets, b: Sockets) -> tuple[Assembly, ...]:
        """Return twin-port cables and splitters for all ports of a cage."""
        rate = min(a.rate_gbps, b.rate_gbps)
        if a.per_cage == 1:
            return ()
        found = [_finished(cable, a, b) for cable in self._cables(a, b, rate) if cable.links == a.per_cage]
        splitters = [row for row in self.rows if isinstance(row, BreakoutPart) and not row.missing]
        for row in splitters:
            fits = row.connector_head == a.connector and b.connector in {row.connector_tail, *row.fits_tail}
            if fits and (row.rate_gbps, row.tails) == (rate, a.per_cage):
                found.append(_splitter(row, a, b))
        return tuple(sorted(found, key=lambda each: each.id))

    def _cables(self, a: Sockets, b: Sockets, rate: int) -> Iterator[CablePart]:
        for row in self.rows:
            if isinstance(row, CablePart) and row.rate_gbps == rate and "built-in" not in (a.optics, b.optics):
                plugs = [{row.connector_a, *row.fits}, {row.connector_b, *row.fits}]
                if any(a.connector in one and b.connector in two for one, two in (plugs, plugs[::-1])):
                    yield row

    def _optical(self, one: TransceiverPart, two: TransceiverPart, fiber: FiberPart, a: Sockets, b: Sockets) -> Assembly:
        ends = [end.reach_om3_mm or end.reach_mm if fiber.glass == "om3" else end.reach_mm for end in (one, two)]
        budget = min(one.budget_db, two.budget_db)
        per_km = getattr(self.loss, f"{fiber.glass}_db_per_km")
        reach = min(*ends, fiber.reach_mm or max(fiber.stock_mm))
        if round(per_km * reach / 1e6, 9) > budget:
            # The loss is rounded, so the limit is found next to the quotient.
            reach = max(mm for mm in range(int(budget / per_km * 1e6) - 2, int(budget / per_km * 1e6) + 3)
                        if round(per_km * mm / 1e6, 9) <= budget)  # fmt: skip
        price = sum(-(-end.price_cents // end.links) for end in (one, two))
        power = sum(-(-end.power_mw // end.links) for end in (one, two))
        stock = [mm for mm in fiber.stock_mm if mm <= reach]
        bought, bought_b, unlike_ends = *("" if end.built_in else end.id for end in (one, two)), one is not two
        far: dict[str, Any] = {
            "end_part_b": bought_b,
            "end_price_b_cents": two.price_cents,
            "end_power_b_mw": two.power_mw,
            "end_links_b": two.links,
        }
        return Assembly(
            id="+".join(name for name in (bought, fiber.id, bought_b if unlike_ends else "") if name), medium="optical",
            kind=one.kind if bought else "fiber", rate_gbps=one.rate_gbps, connector_a=a.connector, connector_b=b.connector,
            reach_mm=reach, stock_mm=tuple(stock), price_cents=tuple(cents + price for cents in fiber.price_cents[: len(stock)]),
            power_mw=-(-power // 2), **_sheath(fiber), delay_end_ps=-(-(one.delay_end_ps + two.delay_end_ps) // 2),
            length_part=fiber.id, end_part=bought, end_price_cents=one.price_cents, end_power_mw=one.power_mw,
            end_links=one.links, glass=fiber.glass, plug=fiber.plug, fibers=fiber.fibers, budget_db=budget,
            loss_db=round(per_km * stock[-1] / 1e6, 9) if stock else 0.0, **(far if unlike_ends else {}),
        )  # fmt: skip


def _medium(row: Any) -> str:
    return "transceiver" if isinstance(row, TransceiverPart) else _MEDIA[row.medium]


def _takes(socket: Sockets, module: TransceiverPart) -> bool:
    """Return whether a socket takes a module: its connector, and the optics that module or device require."""
    hosts = {"built-in": ("built-in",), "linear": ("", "linear")}.get(socket.optics, ("",))
    return socket.connector in (module.connector, *module.fits) and module.requires_host in hosts


def _interoperate(one: TransceiverPart, two: TransceiverPart) -> bool:
    linear = [end.requires_host == "linear" for end in (one, two)]
    return (one.kind, one.fiber, linear[0]) == (two.kind, two.fiber, linear[1])


def _sheath(row: CablePart | BreakoutPart | FiberPart) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("diameter_um", "bend_mm", "mass_g_per_m", "delay_ps_per_m")}


def _cord(row: CablePart | BreakoutPart, a: Sockets, b: Sockets) -> dict:
    same = ("id", "medium", "kind", "rate_gbps", "reach_mm", "stock_mm", "price_cents", "delay_end_ps")
    ends = {"connector_a": a.connector, "connector_b": b.connector, "length_part": row.id}
    return {name: getattr(row, name) for name in same} | ends | _sheath(row)


def _finished(row: CablePart, a: Sockets, b: Sockets) -> Assembly:
    return Assembly(**_cord(row, a, b), links=row.links, power_mw=-(-row.power_mw // row.links), end_power_mw=row.power_mw)


def _splitter(row: Any, a: Sockets, b: Sockets) -> Assembly:
    power = -(-(row.power_head_mw + row.tails * row.power_tail_mw) // (2 * row.tails))
    ends = {"end_power_mw": row.power_head_mw, "end_power_b_mw": row.power_tail_mw}
    return Assembly(**_cord(row, a, b), tails=row.tails, power_mw=power, **ends)
