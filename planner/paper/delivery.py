"""Delivery: what comes to the room, and the cabinets in the order in which they are set, to tick off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from planner.core.units import amount, named, system, unit
from planner.core.units import heading as with_unit
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, filled, table
from planner.view.cabinets import Cabinet
from planner.view.figures import SPACE, grouped, trimmed
from planner.view.site import GOODS, SiteLoads, delivery_order


def _goods_columns() -> tuple[Column, ...]:
    return (
        Column("what"), Column("part"), Column("quantity", "right"), Column("units", "right"),
        Column(with_unit("W × D × H", "size"), "right"), Column(with_unit("each", "g"), "right"),
        Column(with_unit("all", "g"), "right"),
    )  # fmt: skip


def _cabinet_columns() -> tuple[Column, ...]:
    return (
        Column("step", "right"), Column("cabinet"), Column("row"), Column(with_unit("from the door", "mm"), "right"),
        *(Column(with_unit(name, "g"), "right") for name in ("empty", *GOODS, "set up", "floor limit")),
        Column("units used", "right"), Column("set", "center"), Column("filled", "center"),
    )  # fmt: skip


def delivery_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the goods, and the cabinets in the order of delivery."""
    if not cabinets or plan.catalog is None:
        return []
    part = plan.catalog.cabinet
    text = (
        f"All cabinets are {part.id}: {_size(part)}{SPACE}{unit('size').name}, {named(part.mass_g, 'g')} empty. Doors, ramps and "
        "lifts must carry them and let them pass. The mass when set up is on the floor of the slot, without cables."
    )
    steps = list(_steps(plan, cabinets))
    order = (
        "The row farthest from the doors comes first, in each row its far end. Distances are straight lines from the middle of "
        "the nearest door: check the passages on site."
        if any(step[3] for step in steps)
        else "The floor plan has no door: cabinets are in the order of their slots."
    )
    blocks: list[Block] = [
        heading("Delivery", Mark("delivery", "Delivery")),
        paragraph(text, keep=True),
        *table(*filled(_goods_columns(), list(_goods(plan))), TEXT_WIDTH, 7),
        space(10),
        heading("Order of the cabinets", Mark("delivery-order", "Order of the cabinets", 1), 11),
        paragraph(order, keep=True),
        *table(*filled(_cabinet_columns(), steps), TEXT_WIDTH, 7),
    ]
    return sheets("Delivery", blocks)


def _goods(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield cabinets, boxes by part, PDUs, cable managers, and the cables."""
    catalog, placement, inventory = plan.catalog, plan.placement, plan.inventory
    case = catalog.cabinet
    yield _line("cabinet", case.id, placement.cabinet_count, case.units, case, case.mass_g)
    boxes = np.bincount(inventory.part[placement.first_of_box], minlength=len(inventory.parts))
    for number, count in enumerate(boxes.tolist()):
        part = inventory.parts[number]
        if count:
            role = inventory.role_names[inventory.role[int(np.argmax(inventory.part == number))]]
            yield _line(role, part.id, count, part.units, part, part.mass_g)
    if catalog.pdu is not None and placement.feeds:
        count = int(placement.fitted_pdus(inventory, catalog).sum())
        yield _line("PDU", catalog.pdu.id, count, catalog.pdu.units, None, catalog.pdu.mass_g)
    if catalog.manager is not None and len(placement.fixture_cabinet):
        count = int((placement.fixture_kind == 0).sum())
        yield _line("cable manager", catalog.manager.id, count, catalog.manager.units, None, catalog.manager.mass_g)
    cables = plan.cables
    if cables is not None and cables.cable_count:
        first = cables.first_of_piece
        mass_g = (cables.of_assembly("mass_g_per_m")[first].astype(np.int64) * cables.stock_mm[first] // 1000).sum()
        yield "cables", "see the bill", grouped(len(first)), "", "", "", amount(int(mass_g), "g")


def _line(what: str, name: str, count: int, units: int, sized: object, mass_g: int) -> tuple[str, ...]:
    total = amount(count * mass_g, "g")
    return what, name, grouped(count), str(units) if units else "", _size(sized), trimmed(unit("g").of(mass_g), 1), total


def _size(sized: object) -> str:
    """Return width, depth and height as text; a dash for what the catalog does not state, nothing where it states none."""
    sides = [getattr(sized, f"{side}_mm", None) for side in ("width", "depth", "height")]
    decimals = 1 if system().feet else 0
    return " × ".join("–" if side is None else amount(side, "size", decimals) for side in sides) if any(sides) else ""


def _steps(plan: Plan, cabinets: Sequence[Cabinet]) -> Iterator[tuple[str, ...]]:
    loads, by_number = SiteLoads.of(plan), {cabinet.number: cabinet for cabinet in cabinets}
    case_g = plan.catalog.cabinet.mass_g
    for place, (number, distance_mm) in enumerate(delivery_order(plan), 1):
        cabinet, own = by_number[number], loads.mass_g[number].tolist()
        total_g = case_g + sum(own)
        yield (
            grouped(place), cabinet.name, cabinet.row, "" if distance_mm is None else amount(distance_mm, "mm", 1),
            _kg(case_g), *(_kg(each) if each else "" for each in own), _kg(total_g),
            _kg(cabinet.floor_limit_g) if cabinet.floor_limit_g else "", f"{cabinet.used_units} of {cabinet.units}", TICK, TICK,
        )  # fmt: skip


def _kg(mass_g: int) -> str:
    return amount(mass_g, "g", 0)
