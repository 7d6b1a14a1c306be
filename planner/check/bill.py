"""Rules of the bill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import numpy as np

from planner.check.basis.boxes import boxes, framed, pdus_of_feeds
from planner.check.basis.existing import units_in_use
from planner.check.basis.places import error
from planner.check.basis.rule import rule
from planner.domain.model import FIXTURES, Bill, Plan, Violation
from planner.domain.parts import CoolingUnit, PduPart, PowerShelf

_RULE = "bill_complete"


@rule(390)
def bill_complete(plan: Plan) -> Iterator[Violation]:
    """The bill has every router, cabinet, cable and label, its spares, and the price, power and energy of what was chosen."""
    bill = plan.bill
    if bill is None:
        return
    yield from _quantities(plan, bill)
    yield from _spares(plan, bill)
    if bill.prices == "catalog":
        price = int(plan.cables.price_cents.sum())
        price += sum(one.cents or 0 for one in plan.cables.passives)
        billed = sum(bill.cents(category) for category in ("cables", "transceivers", "trunks", "panels"))
        if billed != price:
            yield error(_RULE, "cables and transceivers", billed, price, "cents", "the bill differs from the cables")
    if bill.power == "catalog":
        power = int(plan.cables.power_mw.sum())
        power += int(plan.inventory.of_part("power_typical_mw")[plan.inventory.is_router].sum())
        if bill.power_mw() != power:
            yield error(_RULE, "power", bill.power_mw(), power, "mW", "the bill differs from routers and cables")
    yield from _energy(bill)


def _quantities(plan: Plan, bill: Bill) -> Iterator[Violation]:
    count, passive = _pieces(plan), Counter[str]()
    if bill.prices == "catalog":
        for one in plan.cables.passives:
            passive[one.category] += one.quantity
    first = plan.cables.first_of_piece
    plugs = Counter(plan.cables.assembly[first[~plan.cables.carried[first]]].tolist())
    over = sum(one.quantity for one in plan.cables.passives if one.category in ("jumpers", "trunks"))
    wanted = {
        "routers": plan.inventory.router_count,
        "cabinets": int(framed(plan).sum()),
        "cables": count.total() + passive["jumpers"],
        "trunks": passive["trunks"],
        "panels": passive["panels"],
        "fittings": _fittings(plan) + _devices(plan),
        "labels": sum((1 + plan.cables.assemblies[number].tails) * pieces for number, pieces in plugs.items()) + 2 * over,
    }
    for category, right in wanted.items():
        quantity = sum(line.quantity for line in bill.lines if line.category == category)
        if quantity != right:
            yield error(_RULE, category, quantity, right, "", "wrong quantity on the bill")


def _devices(plan: Plan) -> int:
    """Return the number of PDUs, power shelves and cooling units that are devices of their own."""
    kinds = (PduPart, PowerShelf, CoolingUnit)
    return sum(isinstance(plan.inventory.parts[part], kinds) for part in plan.inventory.part.tolist())


def _spares(plan: Plan, bill: Bill) -> Iterator[Violation]:
    """Return the spares of each part and stock length by the policy, counted from the plan itself."""
    routers = plan.inventory.of_part("id")[plan.inventory.is_router].tolist()
    installed = Counter(("routers", part, 0) for part in routers)
    for (number, stock_mm), pieces in _pieces(plan).items():
        installed["cables", plan.cables.assemblies[number].length_part, stock_mm] += pieces
    if bill.prices == "catalog":
        for one in plan.cables.passives:
            category = "cables" if one.category == "jumpers" else one.category
            if category != "panels":
                installed[category, one.part, one.stock_mm] += one.quantity
    for number, made_of in enumerate(plan.cables.assemblies):
        modules = plan.cables.modules[plan.cables.assembly == number].sum(axis=0).tolist()
        for end, quantity in zip(made_of.ends, modules, strict=True):
            installed["transceivers", end.part, 0] += quantity
    for laser, quantity in laser_modules(plan).items():
        installed["transceivers", laser, 0] += quantity
    wanted: Counter[tuple[str, int]] = Counter()
    for (category, part, stock_mm), quantity in installed.items():
        if bill.spares is not None and quantity:
            percent = Fraction(str(getattr(bill.spares, f"{category}_percent")))
            wanted[part, stock_mm] += max(ceil(quantity * percent / 100), getattr(bill.spares, f"{category}_min"))
    found: Counter[tuple[str, int]] = Counter()
    for line in bill.lines:
        if line.category == "spares":
            found[line.part, line.stock_mm] += line.quantity
    for part, stock_mm in sorted(wanted | found):
        have, right = found[part, stock_mm], wanted[part, stock_mm]
        if have != right:
            where = f"spares of {part}" + (f", {stock_mm / 1000:g} m" if stock_mm else "")
            yield error(_RULE, where, have, right, "", "the bill does not follow its spares policy")


def laser_modules(plan: Plan) -> Counter[str]:
    """Return the number of laser modules in all routers, by their rows."""
    routers = (plan.inventory.parts[part] for part in plan.inventory.part[plan.inventory.is_router].tolist())
    found: Counter[str] = Counter()
    for part in routers:
        if part.laser_module:
            found[part.laser_module] += part.laser_modules
    return found


def _fittings(plan: Plan) -> int:
    """Return the number of cable managers and PDUs as placed, and of panels for the free units."""
    placement = plan.placement
    quantity = int(pdus_of_feeds(plan).sum())
    return quantity + int((placement.fixture_kind == FIXTURES.index("cable manager")).sum()) + blanking_panels(plan)


def blanking_panels(plan: Plan) -> int:
    """Return the panels over the units of all cabinets that are neither reserved nor taken."""
    placement, catalog = plan.placement, plan.catalog
    if catalog.blanking is None:
        return 0
    low, high = placement.reserved_units
    free = np.ones((placement.cabinet_count, catalog.cabinet.units), bool)
    free[:, :low] = free[:, catalog.cabinet.units - high :] = False
    for slot, units in units_in_use(plan.room).items():
        free[np.ix_(placement.slot_of == slot, [unit - 1 for unit in sorted(units)])] = False
    found = boxes(plan)
    taken = [(found.cabinet, found.unit, found.of_part("units"))]
    for kind, part in enumerate((catalog.manager, catalog.pdu)):
        own = placement.fixture_kind == kind
        height = np.full(int(own.sum()), part.units if part else 0)
        taken.append((placement.fixture_cabinet[own], placement.fixture_unit[own], height))
    for cabinet, unit, height in taken:
        for above in range(int(height.max(initial=0))):
            there = height > above
            free[cabinet[there], unit[there] - 1 + above] = False
    return int((-(-free.sum(axis=1) // catalog.blanking.units)).sum())


def _pieces(plan: Plan) -> Counter[tuple[int, int]]:
    """Return the number of pieces of each assembly and stock length."""
    first = np.unique(plan.cables.piece, return_index=True)[1]
    if plan.bill.prices == "catalog":
        first = first[~plan.cables.carried[first]]
    return Counter(zip(plan.cables.assembly[first].tolist(), plan.cables.stock_mm[first].tolist(), strict=True))


def _energy(bill: Bill) -> Iterator[Violation]:
    rates, wanted = bill.electricity, 0
    if rates is not None:
        watts = Fraction(bill.power_mw(), 1000) * Fraction(str(rates.pue)) * Fraction(str(rates.load))
        wanted = ceil(watts * 24 * 365 * Fraction(str(bill.years)) / 1000)
    if bill.energy_kwh != wanted:
        yield error(_RULE, "energy", bill.energy_kwh, wanted, "kWh", "the bill differs from its power over its years")
