"""The site: power and heat of the whole room, its removal, floor load, and the power feeds."""

from __future__ import annotations

from collections.abc import Sequence

from planner.model import FEEDS, Plan, ZoneLimit, pdu_loads_mw
from planner.model.cooling import Cooling, CoolingArea
from planner.report._cabinets import Cabinet
from planner.report._figures import SPACE, grouped
from planner.report._pdf.axes import draw_legend, draw_title
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.canvas import ACCENT, ACCENT_LIGHT, DARK, PAPER, Pen
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, filled, table

_LOOKS = (("air of the room", ACCENT_LIGHT, ""), ("rear doors", PAPER, "diagonal"), ("liquid", ACCENT, ""))
"""What removes the heat: fill and hatch; hatching distinguishes them without color."""
_BAR, _MAX_BARS = 11.0, 24


def site_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return power, heat, cooling, floor load and feeds of the room, its halls, zones, rows and aisles."""
    found = plan.cooling
    if found is None:
        return []
    areas = [area for area in found.areas if area.cabinets]
    blocks: list[Block] = [heading("Site", Mark("site", "Site")), paragraph(_text(found)), *_key_figures(plan), space(8)]
    if areas:
        blocks += [_bars(areas[-_MAX_BARS:]), space(8), *_heat(areas), space(8), *_load(plan, areas)]
    if found.aisles:
        blocks += [space(8), *_aisles(found)]
    if found.units:
        blocks += [space(8), *_units(found)]
    if plan.placement.feeds and plan.catalog.pdu is not None:
        blocks += [space(8), *_feeds(plan)]
    return sheets("Site", blocks)


def _text(found: Cooling) -> str:
    text = (
        f"All power becomes heat: the {found.load} power of routers and endpoint devices, nodes included. Air carries the "
        f"heat away that liquid does not remove, at {found.supply_celsius:g}{SPACE}°C at the inlet, a rise of "
        f"{found.rise_kelvin:g}{SPACE}K and {grouped(found.altitude_m)}{SPACE}m above sea level. The mass includes cabinets, "
        "devices, PDUs, cable managers and rear doors, without cables."
    )
    if not found.units:
        return f"{text} The study states no cooling units, so their capacity is not checked."
    largest = "largest" if found.spare == 1 else f"{grouped(found.spare)} largest"
    spare = f" without the {largest} for air and for liquid" if found.spare else ""
    return f"{text} Supplies are the capacities of the units of each hall{spare}."


def _kw(mw: int | None) -> str:
    return "" if mw is None else grouped(mw / 1e6, 1)


def _title(area: CoolingArea) -> str:
    return f"{area.kind} {area.name}" if area.name else "whole room"


def _key_figures(plan: Plan) -> list[Block]:
    whole, catalog = plan.cooling.whole, plan.catalog
    footprint_mm2 = catalog.cabinet.width_mm * catalog.cabinet.depth_mm
    heaviest = int(plan.cooling.mass_g.max(initial=0)) * 1000 / footprint_mm2
    rows = [
        (f"{plan.cooling.load} power of all devices", f"{_kw(whole.heat_mw)}{SPACE}kW"),
        ("per square meter of the room", f"{grouped(whole.heat_mw * 1000 / max(whole.floor_mm2, 1))}{SPACE}W/m²"),
        ("hottest cabinet", f"{_kw(int(plan.cooling.heat_mw.max(initial=0)))}{SPACE}kW"),
        ("airflow through all cabinets", f"{grouped(whole.airflow_l_per_s * 3.6)}{SPACE}m³/h"),
        ("mass of all cabinets", f"{grouped(whole.mass_g / 1e6, 1)}{SPACE}t"),
        ("heaviest cabinet on its footprint", f"{grouped(heaviest)}{SPACE}kg/m²"),
        ("mean load on the floor of the room", f"{grouped(whole.mass_g * 1000 / max(whole.floor_mm2, 1))}{SPACE}kg/m²"),
    ]
    return table((Column("figure"), Column("value", "right")), rows, TEXT_WIDTH, 8)


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
            pen.text(left + 4, y + 2, f"{_kw(area.heat_mw)}{SPACE}kW", 7, width=66)

    return Block(40 + len(areas) * (_BAR + 4), draw)


def _heat(areas: list[CoolingArea]) -> list[Block]:
    columns = (
        Column("area"), Column("cabinets", "right"), Column("heat (kW)", "right"), Column("to liquid (kW)", "right"),
        Column("liquid supply (kW)", "right"), Column("to rear doors (kW)", "right"), Column("to air (kW)", "right"),
        Column("air supply (kW)", "right"), Column("airflow (m³/h)", "right"),
    )  # fmt: skip
    rows = [
        (
            _title(area), grouped(area.cabinets), _kw(area.heat_mw),
            _kw(area.liquid_mw or None), _kw(area.liquid_supply_mw or None), _kw(area.door_mw or None),
            _kw(area.air_mw), _kw(area.air_supply_mw), grouped(area.airflow_l_per_s * 3.6),
        )
        for area in areas
    ]  # fmt: skip
    return table(*filled(columns, rows), TEXT_WIDTH, 7)


def _load(plan: Plan, areas: list[CoolingArea]) -> list[Block]:
    """Return mass and floor load by area, with the limits of the room."""
    columns = (
        Column("area"), Column("mass (t)", "right"), Column("limit (t)", "right"), Column("floor (m²)", "right"),
        Column("load (kg/m²)", "right"), Column("power limit (kW)", "right"), Column("cooling limit (kW)", "right"),
    )  # fmt: skip
    limits = {limit.name: limit for limit in plan.room.zones}
    rows = []
    for area in areas:
        limit = limits.get(area.name if area.kind == "zone" else _title(area), ZoneLimit("", (), None, None, None))
        load = grouped(area.mass_g * 1000 / area.floor_mm2) if area.floor_mm2 else ""
        mass = (grouped(area.mass_g / 1e6, 1), "" if limit.load_g is None else grouped(limit.load_g / 1e6, 1))
        floor = grouped(area.floor_mm2 / 1e6, 1)
        rows.append((_title(area), *mass, floor, load, _kw(limit.power_mw), _kw(limit.cooling_mw)))
    return table(*filled(columns, rows), TEXT_WIDTH, 7)


def _aisles(found: Cooling) -> list[Block]:
    columns = Column("aisle"), Column("kind"), Column("cabinets", "right"), Column("airflow (m³/h)", "right")
    rows = [(one.name, one.kind, grouped(one.cabinets), grouped(one.airflow_l_per_s * 3.6)) for one in found.aisles]
    return table(columns, rows, TEXT_WIDTH, 7)


def _units(found: Cooling) -> list[Block]:
    columns = (
        Column("cooling unit"), Column("cools"), Column("place"), Column("units", "right"), Column("capacity (kW)", "right"),
        Column("confidence", "center"),
    )  # fmt: skip
    sure = {row.id: "D, estimate" if "capacity_mw" in row.estimates else row.confidence for row in found.parts}
    rows = [
        (one.part, one.cools, one.where or "whole room", grouped(one.count), _kw(one.capacity_mw), sure[one.part])
        for one in found.units
    ]
    return table(columns, rows, TEXT_WIDTH, 7)


def _feeds(plan: Plan) -> list[Block]:
    """Return the maximum load of each feed, with both and alone."""
    normal, alone = pdu_loads_mw(plan.inventory, plan.placement)
    columns = Column("feed"), Column("maximum load (kW)", "right"), Column("alone (kW)", "right"), Column("PDUs (kW)", "right")
    limit = plan.placement.cabinet_count * plan.placement.pdus_per_feed * plan.catalog.pdu.limit_mw
    rows = [
        (FEEDS[feed], _kw(int(normal[:, feed].sum())), _kw(int(alone[:, feed].sum())), _kw(limit))
        for feed in range(plan.placement.feeds)
    ]
    return table(columns, rows, TEXT_WIDTH, 7)
