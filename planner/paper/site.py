"""The site: power and heat of the whole room, its removal, floor load, and the power feeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from planner.core.units import amount, named, system, unit
from planner.core.units import heading as with_unit
from planner.domain.model import FEEDS, Plan, ZoneLimit, pdu_loads_mw
from planner.domain.model.cooling import Cooling, CoolingArea
from planner.domain.parts import PduPart, PowerShelf
from planner.paper.axes import draw_legend, draw_title
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, PAPER, Pen
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, filled, table
from planner.view.cabinets import Cabinet
from planner.view.figures import SPACE, grouped
from planner.view.site import GOODS, SiteLoads, cabinets_in

_LOOKS = (("air of the room", ACCENT_LIGHT, ""), ("rear doors", PAPER, "diagonal"), ("liquid", ACCENT, ""))
"""What removes the heat: fill and hatch; hatching distinguishes them without color."""
_HEAT = ("heat", "to liquid", "liquid supply", "remaining", "to rear doors", "to air", "air supply", "remaining")
_BAR, _MAX_BARS = 11.0, 24


def site_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return power, heat, cooling, floor load and feeds of the room, its halls, zones, rows and aisles."""
    found = plan.cooling
    if found is None:
        return []
    areas = [area for area in found.areas if area.cabinets]
    loads = SiteLoads.of(plan)
    blocks: list[Block] = [heading("Site", Mark("site", "Site")), paragraph(_text(found)), *_key_figures(plan), space(8)]
    if areas:
        blocks += [_bars(areas[-_MAX_BARS:]), space(8), *_power(plan, areas, loads), space(8), *_heat(areas)]
        blocks += [space(8), *_load(plan, areas, loads)]
    if found.aisles:
        blocks += [space(8), *_aisles(found)]
    if found.units:
        blocks += [space(8), *_units(found)]
    blocks += [space(8), *_supplies(plan)]
    if cabinets:
        blocks += [space(8), *_cabinets(plan, cabinets, loads)]
    return sheets("Site", blocks)


def _text(found: Cooling) -> str:
    text = (
        f"All power becomes heat: the {found.load} power of routers and endpoint devices, nodes included. Air carries the "
        f"heat away that liquid does not remove, at {_degrees(found.supply_celsius, '°C')} at the inlet, a rise of "
        f"{_degrees(found.rise_kelvin, 'K')} and {named(found.altitude_m, 'altitude')} above sea level. "
        "The mass includes cabinets, devices, PDUs, cable managers and rear doors, without cables."
    )
    if not found.units:
        return f"{text} The study states no cooling units, so their capacity is not checked."
    largest = "largest" if found.spare == 1 else f"{grouped(found.spare)} largest"
    spare = f" without the {largest} for air and for liquid" if found.spare else ""
    return f"{text} Supplies are the capacities of the units of each hall{spare}."


def _degrees(value: float, kind: str) -> str:
    own = unit(kind)
    return f"{own.of(value):g}{SPACE}{own.name}"


def _heat_in(mw: int | None) -> str:
    return "" if mw is None else amount(mw, "heat")


def _kw(mw: int | None) -> str:
    return "" if mw is None else grouped(mw / 1e6, 1)


def _title(area: CoolingArea) -> str:
    return f"{area.kind} {area.name}" if area.name else "whole room"


def _key_figures(plan: Plan) -> list[Block]:
    whole, catalog = plan.cooling.whole, plan.catalog
    floor_mm2 = max(whole.floor_mm2, 1)
    footprint_mm2 = catalog.cabinet.width_mm * catalog.cabinet.depth_mm
    heaviest = int(plan.cooling.mass_g.max(initial=0)) * 1000 / footprint_mm2
    rows = [
        (f"{plan.cooling.load} power of all devices", f"{_kw(whole.heat_mw)}{SPACE}kW"),
        *_as_heat(whole.heat_mw),
        (f"per square {'foot' if system().feet else 'meter'} of the room", named(whole.heat_mw * 1000 / floor_mm2, "W/m²")),
        ("hottest cabinet", named(int(plan.cooling.heat_mw.max(initial=0)), "heat")),
        ("airflow through all cabinets", named(whole.airflow_l_per_s, "air")),
        ("mass of all cabinets", named(whole.mass_g, "tons")),
        ("heaviest cabinet on its footprint", named(heaviest, "kg/m²")),
        ("mean load on the floor of the room", named(whole.mass_g * 1000 / floor_mm2, "kg/m²")),
    ]
    return table((Column("figure"), Column("value", "right")), rows, TEXT_WIDTH, 8)


def _as_heat(mw: int) -> list[tuple[str, str]]:
    """Return the heat where its unit is not that of power, with the tons of cooling that it takes."""
    if not system().feet:
        return []
    return [("as heat", f"{named(mw, 'heat')} ({named(mw, 'cooling')} of cooling)")]


def _bars(areas: list[CoolingArea]) -> Block:
    """Return a bar for each area, divided by what removes the heat."""
    names = 90.0
    scale = (TEXT_WIDTH - names - 70) / max(area.heat_mw for area in areas)
    shares = [(area.air_mw, area.door_mw, area.liquid_mw) for area in areas]
    used = [look for look, values in zip(_LOOKS, zip(*shares, strict=True), strict=True) if any(values)]

    def draw(pen: Pen, x: float, top: float) -> None:
        draw_title(pen, x, top, "Heat by area", TEXT_WIDTH)
        draw_legend(pen, x + TEXT_WIDTH, top - 10, used)
        for line, (area, parts) in enumerate(zip(areas, shares, strict=True)):
            y, left = top - 34 - line * (_BAR + 4), x + names
            pen.text(x, y + 2, _title(area), 7, width=names - 4)
            for part, (_, fill, hatch) in zip(parts, _LOOKS, strict=True):
                if part:
                    pen.box(left, y, part * scale, _BAR, fill, DARK, weight=0.4, hatch=hatch)
                left += part * scale
            pen.text(left + 4, y + 2, named(area.heat_mw, "heat"), 7, width=66)

    return Block(40 + len(areas) * (_BAR + 4), draw)


def _numbers(kind: str, *words: str) -> list[Column]:
    """Return columns of numbers with the unit of a kind of quantity in their titles."""
    return [Column(with_unit(each, kind), "right") for each in words]


def _titled(name: str, key: str, text: str = "") -> list[Block]:
    blocks = [heading(name, Mark(key, name, 1), 11)]
    return [*blocks, paragraph(text, 7.5, keep=True)] if text else blocks


def _power(plan: Plan, areas: list[CoolingArea], loads: SiteLoads) -> list[Block]:
    """Return typical and maximum power of network and nodes by area."""
    columns = (
        Column("area"), Column("cabinets", "right"),
        *(Column(f"{goods}, {load} (kW)", "right") for load in ("typical", "maximum") for goods in (*GOODS, "all")),
    )  # fmt: skip
    rows = []
    for area in areas:
        own = cabinets_in(plan, area)
        sums = [values[own].sum(axis=0).tolist() for values in (loads.typical_mw, loads.maximum_mw)]
        rows.append((_title(area), grouped(area.cabinets), *(_kw(each or None) for one in sums for each in (*one, sum(one)))))
    text = (
        "Typical power includes the plugs of the planned cables, maximum power plugs in all ports. Facility is equipment that "
        "feeds or cools cabinets."
    )
    return [*_titled("Power", "site-power", text), *table(*filled(columns, rows), TEXT_WIDTH, 7)]


def _heat(areas: list[CoolingArea]) -> list[Block]:
    columns = (
        Column("area"), Column("cabinets", "right"), *_numbers("heat", *_HEAT),
        *_numbers("air", "airflow"),
    )  # fmt: skip
    rows = [
        (
            _title(area), grouped(area.cabinets), _heat_in(area.heat_mw),
            _heat_in(area.liquid_mw or None), _heat_in(area.liquid_supply_mw or None),
            _left(area.liquid_supply_mw or None, area.loop_mw),
            _heat_in(area.door_mw or None), _heat_in(area.air_mw), _heat_in(area.air_supply_mw),
            _left(area.air_supply_mw, area.air_mw),
            amount(area.airflow_l_per_s, "air"),
        )
        for area in areas
    ]  # fmt: skip
    return [*_titled("Heat and cooling", "site-heat"), *table(*filled(columns, rows), TEXT_WIDTH, 7)]


def _tons(mw: int | None) -> str:
    return "" if mw is None else amount(mw, "cooling")


def _left(supply_mw: int | None, used_mw: int) -> str:
    return "" if supply_mw is None else _heat_in(supply_mw - used_mw)


def _load(plan: Plan, areas: list[CoolingArea], loads: SiteLoads) -> list[Block]:
    """Return mass and floor load by area, with the limits of the room."""
    columns = (
        Column("area"), *_numbers("tons", "cabinets", *GOODS, "all", "limit"), *_numbers("floor", "floor"),
        *_numbers("kg/m²", "load"),
        Column("power limit (kW)", "right"), *_numbers("cooling", "cooling limit"),
    )  # fmt: skip
    limits = {limit.name: limit for limit in plan.room.zones}
    rows = []
    for area in areas:
        limit = limits.get(area.name if area.kind == "zone" else _title(area), ZoneLimit("", (), None, None, None))
        load = amount(area.mass_g * 1000 / area.floor_mm2, "kg/m²") if area.floor_mm2 else ""
        goods = loads.mass_g[cabinets_in(plan, area)].sum(axis=0).tolist()
        parts = [amount(each, "tons") if each else "" for each in (area.cabinets * plan.catalog.cabinet.mass_g, *goods)]
        mass = (amount(area.mass_g, "tons"), "" if limit.load_g is None else amount(limit.load_g, "tons"))
        floor = amount(area.floor_mm2, "floor")
        rows.append((_title(area), *parts, *mass, floor, load, _kw(limit.power_mw), _tons(limit.cooling_mw)))
    return [*_titled("Mass and floor load", "site-mass"), *table(*filled(columns, rows), TEXT_WIDTH, 7)]


def _aisles(found: Cooling) -> list[Block]:
    columns = Column("aisle"), Column("kind"), Column("cabinets", "right"), *_numbers("air", "airflow")
    rows = [(one.name, one.kind, grouped(one.cabinets), amount(one.airflow_l_per_s, "air")) for one in found.aisles]
    return table(columns, rows, TEXT_WIDTH, 7)


def _units(found: Cooling) -> list[Block]:
    columns = (
        Column("cooling unit"), Column("cools"), Column("place"), Column("units", "right"), *_numbers("cooling", "capacity"),
        Column("confidence", "center"),
    )  # fmt: skip
    sure = {row.id: "D, estimate" if "capacity_mw" in row.estimates else row.confidence for row in found.parts}
    rows = [
        (one.part, one.cools, one.where or "whole room", grouped(one.count), _tons(one.capacity_mw), sure[one.part])
        for one in found.units
    ]
    return table(columns, rows, TEXT_WIDTH, 7)


def _supplies(plan: Plan) -> list[Block]:
    """Return what feeds the cabinets: PDUs and power shelves with phases, and the load of each feed by row."""
    rows = list(_equipment(plan))
    title = "Feeds and phases"
    if not rows:
        return _titled(title, "site-feeds", "The study selects no PDUs, so feeds and phases are not planned.")
    columns = (
        Column("part"), Column("feed"), Column("quantity", "right"), Column("phases", "right"), Column("V", "right"),
        Column("A", "right"), Column("rating (kW)", "right"), Column("plug"),
    )  # fmt: skip
    blocks = [*_titled(title, "site-feeds"), *table(*filled(columns, rows), TEXT_WIDTH, 7)]
    return [*blocks, space(6), *_feeds(plan)] if plan.placement.feeds and plan.catalog.pdu is not None else blocks


def _equipment(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield the PDUs of each feed, then those and the power shelves among the devices."""
    placement, inventory, pdu = plan.placement, plan.inventory, plan.catalog.pdu
    if pdu is not None:
        for feed in range(placement.feeds):
            yield _supply(pdu, FEEDS[feed], placement.cabinet_count * placement.pdus_per_feed)
    boxes = np.bincount(inventory.part[placement.first_of_box], minlength=len(inventory.parts)).tolist()
    for part, count in zip(inventory.parts, boxes, strict=True):
        if isinstance(part, PduPart | PowerShelf) and count:
            yield _supply(part, "", count)


def _supply(part: PduPart | PowerShelf, feed: str, count: int) -> tuple[str, ...]:
    volts, amps, plug = part.volts, getattr(part, "amps", None), getattr(part, "plug", "")
    rated = (str(volts or ""), str(amps or ""), _kw(part.rating_mw))
    return part.id, feed, grouped(count), str(part.phases), *rated, plug


def _feeds(plan: Plan) -> list[Block]:
    """Return the maximum load of each feed by row, with both feeds and alone."""
    normal, alone = pdu_loads_mw(plan.inventory, plan.placement)
    row = plan.room.slot_row[plan.placement.slot_of]
    per_row = plan.placement.pdus_per_feed * plan.catalog.pdu.limit_mw
    columns = [Column("area"), *(Column(f"{FEEDS[feed]}{words} (kW)", "right") for feed in range(plan.placement.feeds)
               for words in (", maximum", ", alone", ", PDUs"))]  # fmt: skip
    areas = [(f"row {name}", row == number) for number, name in enumerate(plan.room.row_names) if (row == number).any()]
    areas.append(("whole room", np.ones(len(row), bool)))
    rows = [
        (name, *(_kw(int(figure)) for feed in range(plan.placement.feeds)
                 for figure in (normal[own, feed].sum(), alone[own, feed].sum(), own.sum() * per_row)))
        for name, own in areas
    ]  # fmt: skip
    text = (
        "All devices at maximum power. With both feeds up a device with two supplies draws half from each; alone is the load of "
        "a feed while the other is down, PDUs the continuous rating of its PDUs."
    )
    return [paragraph(text, 7.5, keep=True), *table(columns, rows, TEXT_WIDTH, 7)]


def _cabinets(plan: Plan, cabinets: Sequence[Cabinet], loads: SiteLoads) -> list[Block]:
    """Return power, heat, mass and floor load of each cabinet."""
    catalog = plan.catalog
    footprint_mm2 = catalog.cabinet.width_mm * catalog.cabinet.depth_mm
    columns = (
        Column("cabinet"), Column("network, typical (kW)", "right"), Column("nodes, typical (kW)", "right"),
        Column("network, maximum (kW)", "right"), Column("nodes, maximum (kW)", "right"), Column("limit (kW)", "right"),
        *_numbers("heat", "heat"), *_numbers("g", "network", "nodes", "on the floor", "limit"),
        *_numbers("kg/m²", "load"),
    )  # fmt: skip
    rows = []
    for cabinet in cabinets:
        number = cabinet.number
        power = [values[number, goods] or None for values in (loads.typical_mw, loads.maximum_mw) for goods in (0, 1)]
        mass_g = int(plan.cooling.mass_g[number])
        rows.append((
            cabinet.name, *map(_kw, power), _kw(cabinet.power_limit_mw or None), _heat_in(int(plan.cooling.heat_mw[number])),
            *(amount(each, "g", 0) if each else "" for each in loads.mass_g[number, :2].tolist()), amount(mass_g, "g", 0),
            amount(cabinet.floor_limit_g, "g", 0) if cabinet.floor_limit_g else "",
            amount(mass_g * 1000 / footprint_mm2, "kg/m²"),
        ))  # fmt: skip
    return [*_titled("Cabinets", "site-cabinets"), *table(*filled(columns, rows), TEXT_WIDTH, 6.5)]
