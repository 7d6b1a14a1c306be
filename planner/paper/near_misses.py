"""Cables slightly too long for a cheaper part, and the saving of moving a router or a cabinet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from planner.core.units import amount, named
from planner.core.units import heading as with_unit
from planner.domain.model import NearMiss, Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, filled, table
from planner.view.figures import SPACE, grouped, money, runs
from planner.view.names import device_names


def near_miss_sheets(plan: Plan) -> list[Sheet]:
    """Return the table of near misses, largest saving first."""
    found = plan.near_misses
    if found is None or not found.count:
        return []
    currency = plan.bill.currency if plan.bill is not None else plan.catalog.currency
    saving = f"{money(found.saving_cents)}{SPACE}{currency}"
    text = (
        f"{grouped(found.count)} cables are at most {named(found.within_mm, 'size')} too long for a cheaper part; with these "
        f"parts {saving} would be saved. The saving of a move counts all its effects: on all cables of a router and of the "
        "router it swaps with, or on all cables that leave a cabinet. Each saving is for that move alone: a second move "
        "may undo it. Where no move is listed, none was found that saves."
    )
    if len(found.items) < found.count:
        text += f" The {grouped(len(found.items))} with the largest savings are listed."
    text += " Cables that differ in nothing else share a line; its savings are those of each."
    columns = (
        Column("cables"), Column("ends"), Column(with_unit("too long", "size"), "right"),
        Column(with_unit("next part", "mm"), "right"),
        Column(f"saves ({currency})", "right"), Column("move a router"), Column(f"saves ({currency})", "right"),
        Column("move a cabinet"), Column(f"saves ({currency})", "right"),
    )  # fmt: skip
    names = device_names(plan)
    rows = _together(plan, names, found.items)
    blocks: list[Block] = [heading("Near misses", Mark("near-misses", "Near misses")), paragraph(text), space(6)]
    listed = table(*filled(columns, rows), TEXT_WIDTH, 7) if rows else []
    return sheets("Near misses", blocks + listed)


def _together(plan: Plan, names: list[str], items: Iterable[NearMiss]) -> list[tuple[str, ...]]:
    """Return a row for each group of cables that differ in nothing else, in the order of the first of each."""
    cables: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for miss in items:
        cables[_row(plan, names, miss)].append(miss.cable + 1)
    return [(runs(sorted(numbers)), *row) for row, numbers in cables.items()]


def _row(plan: Plan, names: list[str], miss: NearMiss) -> tuple[str, ...]:
    """Return what is printed about a cable, without its number."""
    cables, slots = plan.cables, plan.room.slot_names
    cabinets = [slots[plan.placement.slot_of[cabinet]] for cabinet in cables.cabinet[miss.cable]]
    device = names[cables.device[miss.cable, miss.end]]
    steps = f"{abs(miss.units)} unit{'s' if abs(miss.units) > 1 else ''} {'up' if miss.units > 0 else 'down'}"
    router = f"{device}, {steps}" if miss.unit_saving_cents else ""
    cabinet = f"{cabinets[miss.slot_end]} to {miss.slot}" if miss.slot_saving_cents else ""
    return (
        " – ".join(cabinets), amount(miss.over_mm, "size"), amount(miss.stock_mm, "mm"), money(miss.saving_cents),
        router, money(miss.unit_saving_cents) if miss.unit_saving_cents else "",
        cabinet, money(miss.slot_saving_cents) if miss.slot_saving_cents else "",
    )  # fmt: skip
