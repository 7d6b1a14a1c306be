"""The bill: what to buy, what it costs, draws and weighs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from planner.model import Bill, BillLine, CablePlan, Catalog, Placement, Topology
from planner.parts import Assembly, Row


def bill(topology: Topology, catalog: Catalog, placement: Placement, cables: CablePlan) -> Bill:
    """Return the bill of the network; endpoint boxes are not part of it.

    Categories: routers, cabinets, cables (finished cables and fibres), transceivers, labour.
    Power is typical power: routers, and both ends of every cable.
    """
    confidence = {row.id: _price_confidence(row) for row in catalog.rows}
    router, cabinet = catalog.router, catalog.cabinet
    lines = [
        BillLine(
            "routers", router.id, f"{router.family or 'router'}, {router.ports} x {router.rate_gbps} Gb/s", topology.router_count,
            router.price_cents, router.power_typical_mw, router.mass_g, confidence[router.id],
        ),
        BillLine(
            "cabinets", cabinet.id, f"cabinet, {cabinet.units} units, {cabinet.width_mm} x {cabinet.depth_mm} mm",
            placement.cabinet_count, cabinet.price_cents, 0, cabinet.mass_g, confidence[cabinet.id],
        ),
    ]  # fmt: skip
    lines += _cable_lines(cables, confidence)
    lines += _labour_lines(catalog, cables, confidence)
    return Bill(catalog.currency, tuple(line for line in lines if line.quantity))


def _cable_lines(cables: CablePlan, confidence: dict[str, str]) -> list[BillLine]:
    bought = Counter(zip(cables.assembly.tolist(), cables.stock_mm.tolist(), cables.price_cents.tolist(), strict=True))
    lines, modules = [], Counter()
    for (number, stock_mm, price), quantity in sorted(bought.items()):
        made_of = cables.assemblies[number]
        ends = _ends(made_of)
        lines.append(
            BillLine(
                "cables", made_of.length_part, f"{'fibre' if ends else made_of.kind}, {stock_mm / 1000:g} m", quantity,
                price - sum(cents for _, cents in ends), 0 if ends else 2 * made_of.power_mw,
                made_of.mass_g_per_m * stock_mm // 1000, confidence[made_of.length_part],
            )
        )  # fmt: skip
        for part, cents in ends:
            modules[part, made_of.rate_gbps, cents, made_of.power_mw] += quantity
    # The same fibre may serve several assemblies; buyers want one line.
    lines = _joined(lines)
    for (part, rate, cents, power), quantity in sorted(modules.items()):
        lines.append(BillLine("transceivers", part, f"transceiver, {rate} Gb/s", quantity, cents, power, 0, confidence[part]))
    return lines


def _ends(made_of: Assembly) -> list[tuple[str, int]]:
    """Part and price of the transceivers at both ends; empty for a finished cable."""
    if not made_of.end_part:
        return []
    first = (made_of.end_part, made_of.end_price_cents)
    return [first, (made_of.end_part_b, made_of.end_price_b_cents) if made_of.end_part_b else first]


def _joined(lines: list[BillLine]) -> list[BillLine]:
    total: dict[BillLine, int] = {}
    for line in lines:
        key = BillLine(**{**line.__dict__, "quantity": 0})
        total[key] = total.get(key, 0) + line.quantity
    return [BillLine(**{**key.__dict__, "quantity": quantity}) for key, quantity in total.items()]


def _labour_lines(catalog: Catalog, cables: CablePlan, confidence: dict[str, str]) -> list[BillLine]:
    labour = catalog.labour
    between = cables.cabinet[:, 0] != cables.cabinet[:, 1]
    metres = -(-int(cables.run_mm[between].astype(np.int64).sum()) // 1000)
    sure = confidence[labour.id]
    lines = [
        BillLine("labour", labour.id, "cable inside a cabinet", int((~between).sum()), labour.in_cabinet_cents, confidence=sure),
        BillLine(
            "labour", labour.id, "cable between cabinets", int(between.sum()), labour.between_cabinets_cents, confidence=sure
        ),
    ]
    if labour.pull_cents_per_m:
        lines.append(BillLine("labour", labour.id, "metre pulled over trays", metres, labour.pull_cents_per_m, confidence=sure))
    return lines


def _price_confidence(row: Row) -> str:
    return "D" if any("cents" in name for name in row.estimates) else row.confidence
