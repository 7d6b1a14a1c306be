"""Lines of labor, labels, spares and energy, which follow from what is bought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from planner.bill._cables import Pieces
from planner.bill._terms import Terms, price_confidence
from planner.model import BillLine, CablePlan, Catalog, Inventory
from planner.parts import RouterPart, SparesPolicy


def labor_lines(catalog: Catalog, cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labor of the installation: by the hour where hours and their price are known, else by cable and meter."""
    rates = catalog.labor
    if terms.prices is not None and not terms.prices.labor:
        return
    sure = price_confidence(rates)
    if terms.hours_s is not None and rates.hour_cents is not None:
        yield BillLine("labor", rates.id, "person-hour", -(-terms.hours_s // 3600), rates.hour_cents, confidence=sure)
        return
    between = cables.cabinet[bought.row, 0] != cables.cabinet[bought.row, 1]
    inside, across = int((~between).sum()), int(between.sum())
    yield BillLine("labor", rates.id, "cable inside a cabinet", inside, rates.in_cabinet_cents, confidence=sure)
    yield BillLine("labor", rates.id, "cable between cabinets", across, rates.between_cabinets_cents, confidence=sure)
    if rates.pull_cents_per_m:
        meters = -(-int(cables.run_mm[bought.row][between].astype(np.int64).sum()) // 1000)
        yield BillLine("labor", rates.id, "meter pulled over trays", meters, rates.pull_cents_per_m, confidence=sure)


def label_lines(catalog: Catalog, cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labels: one on each plug of a piece, and at both ends of trunks and jumpers; unpriced if no price is known."""
    rates = catalog.labor
    known = rates.label_cents is not None and terms.prices is None
    direct = bought.plugs[~cables.carried[bought.row]]
    over = sum(one.quantity for one in cables.passives if one.category in ("jumpers", "trunks"))
    count = int(direct.sum()) + 2 * over
    yield BillLine(
        "labels", rates.id if known else "", "printed label", count, rates.label_cents if known else 0,
        confidence=price_confidence(rates) if known else "",
    )  # fmt: skip


def spare_lines(lines: Iterable[BillLine], policy: SparesPolicy | None) -> Iterator[BillLine]:
    """Yield the spares for each part and stock length; they draw no power and are not in the mass.

    Where lines of one part differ in price, a spare has the highest of these prices.
    """
    if policy is None:
        return
    same: dict[tuple[str, str, int], list[BillLine]] = defaultdict(list)
    for line in lines:
        same[line.category, line.part, line.stock_mm].append(line)
    for (category, part, stock_mm), group in same.items():
        quantity = policy.quantity(category, sum(line.quantity for line in group))
        if quantity:
            priciest = max(group, key=lambda line: line.unit_cents)
            yield BillLine(
                "spares", part, f"spare {priciest.description}", quantity, priciest.unit_cents, confidence=priciest.confidence,
                stock_mm=stock_mm,
            )  # fmt: skip


def laser_lines(inventory: Inventory, terms: Terms) -> Iterator[BillLine]:
    """Yield the spare laser modules of switches with co-packaged optics, by the policy of transceivers."""
    installed: Counter[str] = Counter()
    for part, count in enumerate(np.bincount(inventory.part[inventory.is_router]).tolist()):
        router = inventory.parts[part]
        if count and isinstance(router, RouterPart) and router.laser_module:
            installed[router.laser_module] += count * (router.laser_modules or 0)
    for name, count in installed.items() if terms.spares is not None else ():
        if quantity := terms.spares.quantity("transceivers", count):
            laser, priced = terms.lasers[name], terms.prices is None
            yield BillLine(
                "spares", name, "spare laser module", quantity, laser.price_cents if priced else 0,
                confidence=price_confidence(laser) if priced else "",
            )  # fmt: skip


def energy_lines(power_mw: int, terms: Terms) -> Iterator[BillLine]:
    """Yield the energy of the network, if it is on the bill."""
    rates = terms.electricity
    if rates is None:
        return
    kwh = rates.kwh(power_mw, terms.years)
    if kwh:
        unit, over = divmod(rates.cents(kwh), kwh)
        what = f"kWh in {terms.years:g} years, {rates.cents_per_kwh:g} cents each, PUE {rates.pue:g}, load {rates.load:g}"
        yield BillLine("energy", rates.id, what, kwh, unit, confidence=rates.confidence, over_cents=over)
