"""Rules of the bill."""

from __future__ import annotations

from collections.abc import Iterator

from planner.check._places import error
from planner.model import Plan, Violation


def bill_complete(plan: Plan) -> Iterator[Violation]:
    """The bill has every router and cabinet, its cables and transceivers cost and draw what the cables do."""
    bill, cables, catalog = plan.bill, plan.cables, plan.catalog
    if bill is None:
        return
    count = {
        category: sum(x.quantity for x in bill.lines if x.category == category) for category in ("routers", "cabinets", "cables")
    }
    wanted = {"routers": plan.topology.router_count, "cabinets": plan.placement.cabinet_count, "cables": cables.cable_count}
    for category, quantity in count.items():
        if quantity != wanted[category]:
            yield error("bill_complete", category, quantity, wanted[category], "", "wrong quantity on the bill")
    price = int(cables.price_cents.sum())
    billed = bill.cents("cables") + bill.cents("transceivers")
    if billed != price:
        yield error("bill_complete", "cables and transceivers", billed, price, "cents", "the bill differs from the cables")
    power = 2 * int(cables.of_assembly("power_mw").sum()) + plan.topology.router_count * catalog.router.power_typical_mw
    if bill.power_mw() != power:
        yield error("bill_complete", "power", bill.power_mw(), power, "mW", "the bill differs from routers and cables")
