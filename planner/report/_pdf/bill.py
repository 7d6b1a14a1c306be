"""The bill with its subtotals, and where the power goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from planner.model import BillLine, Plan
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped, money, readable
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, Table, table

_SIZE = 6.8


def bill_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the bill and the power table."""
    if plan.bill is None:
        return []
    blocks: list[Block] = [heading("Bill", Mark("bill", "Bill and power"))]
    text = (
        f"Prices in {plan.bill.currency}. Endpoint boxes are not part of the bill. The letter in the last column tells how well "
        "the price is known, from A (in the maker's own text) to D (an estimate)."
    )
    blocks += [paragraph(text), *_bill(plan), space(16), heading("Power and mass", size=13), *_power(plan, cabinets)]
    return sheets("Bill and power", blocks)


def _bill(plan: Plan) -> list[Block]:
    columns = (
        Column("part"), Column("description"), Column("quantity", "right"), Column("price each", "right"),
        Column("total", "right"), Column("power (W)", "right"), Column("mass (kg)", "right"), Column("conf.", "centre"),
    )  # fmt: skip
    lines = plan.bill.lines
    shown = [(category, list(own)) for category, own in groupby(lines, key=lambda line: line.category)]
    subtotals = [_sums(plan, f"{category}, subtotal", category) for category, _ in shown]
    total = _sums(plan, "Total", None)
    own = Table.of(columns, map(_cells, lines), TEXT_WIDTH, _SIZE, totals=[*subtotals, total])
    header = own.header()
    blocks = [header]
    for (_, group), subtotal in zip(shown, subtotals, strict=True):
        blocks += [own.row(_cells(line), (header,), keep=line is group[-1]) for line in group]
        blocks += [own.row(subtotal, (header,), strong=True), space(4)]
    return [*blocks, own.row(total, (header,), strong=True)]


def _cells(line: BillLine) -> tuple[str, ...]:
    return (
        line.part, line.description, grouped(line.quantity), money(line.unit_cents), money(line.cents),
        grouped(line.power_mw / 1000, 1) if line.power_mw else "", grouped(line.mass_g / 1000, 1) if line.mass_g else "",
        line.confidence,
    )  # fmt: skip


def _sums(plan: Plan, name: str, category: str | None) -> tuple[str, ...]:
    bill = plan.bill
    power, mass = bill.power_mw(category), bill.mass_g(category)
    return (
        name, "", "", "", money(bill.cents(category)), grouped(power / 1000, 1) if power else "",
        grouped(mass / 1000, 1) if mass else "", "",
    )  # fmt: skip


def _power(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Block]:
    rows = [
        (meaning, readable(name, plan))
        for meaning, name in (
            ("typical power of routers and both ends of all cables", "power_mw"),
            ("the same per endpoint", "power_per_endpoint_mw"),
            ("mass of routers, empty cabinets and cables", "mass_g"),
        )
        if name in plan.quantities
    ]
    if cabinets:
        hottest = max(cabinets, key=lambda cabinet: cabinet.power_max_mw)
        heaviest = max(cabinets, key=lambda cabinet: cabinet.total_g)
        rows += [
            (
                f"most power of one cabinet, its boxes at their maximum ({hottest.name})",
                f"{grouped(hottest.power_max_mw / 1e6, 3)} kW",
            ),
            (f"heaviest cabinet with all its boxes ({heaviest.name})", f"{grouped(heaviest.total_g / 1000, 1)} kg"),
        ]
    return table((Column("figure"), Column("value", "right")), rows, TEXT_WIDTH, 8)
