"""The bill with subtotals, cost per unit of bandwidth, and the power budget."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from planner.core.units import amount, named
from planner.core.units import heading as with_unit
from planner.domain.model import Bill, BillLine, Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, DARK, Pen
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, Table, printed, table
from planner.view.cabinets import Cabinet
from planner.view.figures import described, grouped, money, readable, trimmed
from planner.view.names import is_named
from planner.view.tables import NETWORKS

_SIZE = 6.8

_SHARES = (
    ("endpoint", "per_endpoint"),
    ("Gb/s of injection", "per_injection_gbps"),
    ("Gb/s of bisection, best cut found", "per_bisection_gbps_min"),
    ("Gb/s of bisection, proven bound", "per_bisection_gbps_max"),
    ("Gb/s of saturation throughput", "per_throughput_gbps"),
)


def bill_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the bill and the power table."""
    if plan.bill is None:
        return []
    blocks: list[Block] = [heading("Bill", Mark("bill", "Bill and power"))]
    blocks += [paragraph(text) for text in _terms(plan.bill)]
    blocks += [*_parts_of_the_total(plan.bill), space(10), *_bill(plan), space(16), *_normalized(plan), space(16)]
    if is_named(plan) and plan.inventory is not None:
        blocks += [*_networks(plan), space(16)]
    blocks += [heading("Power and mass", size=13), *_power(plan, cabinets)]
    return sheets("Bill and power", blocks)


def _terms(bill: Bill) -> list[str]:
    """Return the price sources and policies of the bill, in sentences."""
    dated = f"dated from {bill.oldest} to {bill.newest}" if bill.oldest != bill.newest else f"dated {bill.newest}"
    undated = f" {bill.undated} of these rows have no date." if bill.undated else ""
    source = "the catalog" if bill.prices == "catalog" else f"the cost model {bill.prices}, which replaces the catalog's prices"
    when = f", {dated}" if bill.newest else ""
    texts = [
        f"Prices in {bill.currency} from {source}{when}.{undated} Endpoint devices are not on the bill. The letter in the "
        "last column is the confidence of the price, from A (published by the vendor) to D (an estimate); lines without a "
        "letter have no price."
    ]
    if bill.power != "catalog":
        texts.append(f"Power by the model {bill.power}.")
    if bill.spares is None:
        texts.append("No spares are on the bill.")
    else:
        rules = [
            f"{trimmed(getattr(bill.spares, f'{c}_percent'))} % of {c}, at least {getattr(bill.spares, f'{c}_min')}"
            for c in ("routers", "cables", "transceivers", "trunks")
            if getattr(bill.spares, f"{c}_percent") or getattr(bill.spares, f"{c}_min")
        ]
        texts.append(f"Spares by the policy {bill.spares.id}, for each part and length, rounded up: {'; '.join(rules)}.")
    if bill.electricity is not None:
        rates = bill.electricity
        texts.append(
            f"Energy for {bill.years:g} years of 8,760 hours at {rates.cents_per_kwh:g} cents per kWh, {rates.pue:g} times the "
            f"typical power of the devices (PUE) at load {rates.load:g} ({rates.id})."
        )
    parts = [line for line in bill.purchase if line.section == "parts"]
    if parts:
        numbered = sum(bool(line.part_number) for line in parts)
        texts.append(
            f"The purchase file (report format purchase) has {grouped(len(parts))} lines of parts; the catalog has "
            f"the maker's part number of {grouped(numbered)} of them, {100 * numbered / len(parts):.0f} %."
        )
    return texts


def _parts_of_the_total(bill: Bill) -> list[Block]:
    """Return a bar chart of the share of each category."""
    total = bill.cents()
    shares = [(category, bill.cents(category)) for category in bill.categories if bill.cents(category)]
    return [_bar(category, cents, cents / total) for category, cents in shares]


def _bar(category: str, cents: int, share: float) -> Block:
    name, full = 70.0, TEXT_WIDTH - 70 - 150

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.text(x, top - 8, category, 7.5, color=DARK)
        pen.box(x + name, top - 9, max(share * full, 0.5), 7, ACCENT)
        text = f"{money(cents)}  ({grouped(100 * share, 1)} %)"
        pen.text(x + name + share * full + 4, top - 8, text, 7.5, color=DARK)

    return Block(11, draw)


def _bill(plan: Plan) -> list[Block]:
    columns = (
        Column("part"), Column("description"), Column("quantity", "right"), Column("price each", "right"),
        Column("total", "right"), Column("power (W)", "right"), Column(with_unit("mass", "g"), "right"),
        Column("conf.", "center"),
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
    # Where prices differ within a line the mean is shown, and the total is exact.
    each = f"{'about ' if line.over_cents else ''}{money(line.unit_cents)}" if line.confidence else ""
    return (
        line.part, described(line), grouped(line.quantity), each, money(line.cents) if line.confidence else "",
        grouped(line.power_mw / 1000, 1) if line.power_mw else "", amount(line.mass_g, "g") if line.mass_g else "",
        line.confidence,
    )  # fmt: skip


def _sums(plan: Plan, name: str, category: str | None) -> tuple[str, ...]:
    bill = plan.bill
    power, mass = bill.power_mw(category), bill.mass_g(category)
    priced = any(line.confidence for line in bill.lines if category in (None, line.category))
    return (
        name, "", "", "", money(bill.cents(category)) if priced else "", grouped(power / 1000, 1) if power else "",
        amount(mass, "g") if mass else "", "",
    )  # fmt: skip


def _networks(plan: Plan) -> list[Block]:
    """Return size and cost of each network."""
    text = (
        f"Catalog prices in {plan.bill.currency} of the routers of each network, and of its cables with their transceivers. "
        "Cabinets, labor, spares and all else on the bill serve all networks."
    )
    printed_table = printed(NETWORKS, NETWORKS.data(plan))
    return [heading("Cost by network", size=13), paragraph(text, keep=True), *table(*printed_table, TEXT_WIDTH, 7)]


def _normalized(plan: Plan) -> list[Block]:
    """Return cost, power and energy per endpoint and per Gb/s; quantities that the plan lacks are left out."""
    quantities = plan.quantities
    rows = []
    # Several networks have unlike endpoints: figures by endpoint would be those of the first one.
    for meaning, suffix in () if is_named(plan) else _SHARES:
        cost = quantities.get(f"cost_{suffix}_cents")
        power = quantities.get(f"power_{suffix}_mw")
        energy = quantities.get(f"energy_{suffix}_kwh")
        if cost and power:
            watts = grouped(power["value"] / 1000, 3)
            rows.append((f"per {meaning}", money(cost["value"]), watts, grouped(energy["value"], 1) if energy else ""))
    if not rows:
        return []
    columns = [Column("total"), Column(f"cost ({plan.bill.currency})", "right"), Column("power (W)", "right")]
    if plan.bill.energy_kwh:
        columns.append(Column("energy (kWh)", "right"))
    cells = [row[: len(columns)] for row in rows]
    return [heading("Cost per endpoint and per Gb/s", size=13), *table(columns, cells, TEXT_WIDTH, 8)]


def _power(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Block]:
    rows = [
        (meaning, readable(name, plan))
        for meaning, name in (
            ("typical power of routers and both ends of all cables", "power_mw"),
            *(() if is_named(plan) else (("typical power per endpoint", "power_per_endpoint_mw"),)),
            ("mass of routers, cabinets, fittings and cables", "mass_g"),
        )
        if name in plan.quantities
    ]
    if cabinets:
        hottest = max(cabinets, key=lambda cabinet: cabinet.power_max_mw)
        heaviest = max(cabinets, key=lambda cabinet: cabinet.total_g)
        rows += [
            (
                f"highest cabinet power, all devices at maximum ({hottest.name})",
                f"{grouped(hottest.power_max_mw / 1e6, 3)} kW",
            ),
            (f"heaviest cabinet, all devices included ({heaviest.name})", named(heaviest.total_g, "g", gap=" ")),
        ]
    return table((Column("figure"), Column("value", "right")), rows, TEXT_WIDTH, 8)
