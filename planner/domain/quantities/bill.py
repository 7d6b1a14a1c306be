"""Money, power, mass and energy."""

from __future__ import annotations

from collections.abc import Callable

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity


def _of_category(category: str) -> Callable[[Plan], int]:
    return lambda p: p.bill.cents(category)


def _if_billed(category: str) -> Callable[[Plan], int | None]:
    return lambda p: p.bill.cents(category) if category in p.bill.categories else None


ORDER = 80

QUANTITIES = (
    Quantity("cost_cents", "cents", "lower", "total of the bill", "bill", lambda p: p.bill.cents()),
    *(
        Quantity(f"cost_{c}_cents", "cents", "lower", f"subtotal of the bill: {c}", "bill", _of_category(c))
        for c in ("routers", "cabinets", "cables", "transceivers", "labor")
    ),
    *(
        Quantity(f"cost_{c}_cents", "cents", "lower", f"subtotal of the bill: {c}", "bill", _if_billed(c))
        for c in ("fittings", "trunks", "panels", "trays", "spares", "packs", "energy")
    ),
    Quantity(
        "power_mw", "mW", "lower", "typical power of routers and both ends of all cables", "bill", lambda p: p.bill.power_mw()
    ),
    Quantity(
        "energy_kwh", "kWh", "lower", "energy over the operating years in the bill", "bill", lambda p: p.bill.energy_kwh or None
    ),
    Quantity("mass_g", "g", "lower", "mass of routers, cabinets, fittings and cables", "bill", lambda p: p.bill.mass_g()),
)
