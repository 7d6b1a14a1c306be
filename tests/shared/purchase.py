"""What a purchase has to be, counted from the plan."""

from __future__ import annotations

from collections import Counter


def installed_parts(plan) -> Counter:
    """Pieces of routers, cabinets, cables, transceivers and parts of trunks that a plan installs, by part and stock length."""
    cables, inventory = plan.cables, plan.inventory
    by_catalog = plan.bill.prices == "catalog"
    found = Counter((inventory.parts[part].id, 0) for part in inventory.part[inventory.is_router].tolist())
    found[plan.catalog.cabinet.id, 0] += plan.placement.cabinet_count
    for row in cables.first_of_piece.tolist():
        if not (by_catalog and cables.carried[row]):
            found[cables.assemblies[cables.assembly[row]].length_part, int(cables.stock_mm[row])] += 1
    for row, modules in enumerate(cables.modules.tolist()):
        for end, quantity in zip(cables.assemblies[cables.assembly[row]].ends, modules, strict=True):
            found[end.part, 0] += quantity
    for one in cables.passives if by_catalog else ():
        found[one.part, one.stock_mm] += one.quantity
    return +found


def buys_what_is_planned(plan) -> None:
    """Quantities are the plan's pieces, spares and totals those of the bill, and every line is one orderable part."""
    bill = plan.bill
    parts = {(line.part, line.stock_mm): line for line in bill.purchase if line.section == "parts" and line.part}
    fitted = {line.part for line in bill.lines if line.category in ("fittings", "trays", "labels")}
    bought = Counter({key: line.quantity for key, line in parts.items() if line.quantity and key[0] not in fitted})
    assert bought == installed_parts(plan)
    spares = Counter()
    for line in bill.lines:
        if line.category in ("spares", "packs"):
            spares[line.part, line.stock_mm] += line.quantity
    assert {key: line.spares for key, line in parts.items() if line.spares} == spares
    assert sum(line.cents for line in bill.purchase) == bill.cents()
    assert sum(line.cents for line in bill.purchase if line.section == "energy") == bill.cents("energy")
    assert sum(line.cents for line in bill.purchase if line.section == "services") == bill.cents("labor")
