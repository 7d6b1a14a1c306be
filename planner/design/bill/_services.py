"""Lines of labor, labels, spares and energy, which follow from what is bought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from planner.design.bill._cables import Pieces
from planner.design.bill._terms import Terms, price_confidence
from planner.domain.model import BillLine, CablePlan, Catalog, Inventory, PanelPlan
from planner.domain.parts import Goods, RouterPart, SparesPolicy


def labor_lines(catalog: Catalog, cables: CablePlan, panels: PanelPlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labor of the installation: by the hour where hours and their price are known, else by cable and meter.

    A link over panels costs its jumpers and its share of the plugs of its trunk. Cost models have only cables from end to end.
    """
    rates = catalog.labor
    if terms.prices is not None and not terms.prices.labor:
        return
    sure = price_confidence(rates)
    if terms.hours_s is not None and rates.hour_cents is not None:
        yield BillLine("labor", rates.id, "person-hour", -(-terms.hours_s // 3600), rates.hour_cents, confidence=sure)
        return
    over_panels = terms.prices is None
    row = bought.row[~cables.carried[bought.row]] if over_panels else bought.row
    between = cables.cabinet[row, 0] != cables.cabinet[row, 1]
    length_mm = int(cables.run_mm[row][between].astype(np.int64).sum())
    installed = [
        ("cable inside a cabinet", int((~between).sum()), rates.in_cabinet_cents),
        ("cable between cabinets", int(between.sum()), rates.between_cabinets_cents),
    ]
    if over_panels:
        away = panels.frame_cabinet[panels.frame[panels.jumper_panel]] != panels.cabinet_of_jumper(cables.cabinet)
        length_mm += int(panels.jumper_run_mm[away].astype(np.int64).sum())
        length_mm += int(cables.bundle_run_mm[panels.trunk_bundle].astype(np.int64).sum())
        installed += [
            ("jumper to a panel of its cabinet", int((~away).sum()), rates.in_cabinet_cents),
            ("jumper to a panel elsewhere", int(away.sum()), rates.between_cabinets_cents),
            ("plug of a trunk, both ends", len(panels.plug_trunk), rates.between_cabinets_cents),
        ]
    if rates.pull_cents_per_m:
        installed.append(("meter pulled over trays", -(-length_mm // 1000), rates.pull_cents_per_m))
    for what, quantity, cents in installed:
        yield BillLine("labor", rates.id, what, quantity, cents, confidence=sure)


def label_lines(catalog: Catalog, cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labels: one on each plug of a piece, and at both ends of trunks and jumpers; unpriced if no price is known."""
    rates = catalog.labor
    cents = rates.label_cents if terms.prices is None else None
    known = cents is not None
    direct = bought.plugs[~cables.carried[bought.row]]
    over = sum(one.quantity for one in cables.passives if one.category in ("jumpers", "trunks"))
    count = int(direct.sum()) + 2 * over
    yield BillLine(
        "labels", rates.id if known else "", "printed label", count, cents or 0,
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


def pack_lines(lines: Iterable[BillLine], goods: Mapping[str, Goods]) -> Iterator[BillLine]:
    """Yield the pieces of each part and stock length that are paid with the last pack, beyond what is installed and spare."""
    same: dict[tuple[str, int], list[BillLine]] = defaultdict(list)
    for line in lines:
        if line.part in goods and goods[line.part].pieces_per_item > 1:
            same[line.part, line.stock_mm].append(line)
    for (part, stock_mm), group in same.items():
        size = goods[part].pieces_per_item
        if rest := -sum(line.quantity for line in group) % size:
            priciest = max(group, key=lambda line: line.unit_cents)
            yield BillLine(
                "packs", part, f"rest of packs of {size}: {group[0].description}", rest, priciest.unit_cents,
                confidence=priciest.confidence, stock_mm=stock_mm,
            )  # fmt: skip


def laser_lines(inventory: Inventory, terms: Terms) -> Iterator[BillLine]:
    """Yield the spare laser modules of switches with co-packaged optics, by the policy of transceivers."""
    installed: Counter[str] = Counter()
    policy = terms.spares
    if policy is None:
        return
    for part, count in enumerate(np.bincount(inventory.part[inventory.is_router]).tolist()):
        router = inventory.parts[part]
        if count and isinstance(router, RouterPart) and router.laser_module:
            installed[router.laser_module] += count * (router.laser_modules or 0)
    for name, count in installed.items():
        if quantity := policy.quantity("transceivers", count):
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
