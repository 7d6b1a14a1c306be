"""Money, power and mass."""

from __future__ import annotations

from collections.abc import Callable

from planner.model import Plan
from planner.quantities._quantity import Quantity


def _of_category(category: str) -> Callable[[Plan], int]:
    return lambda p: p.bill.cents(category)


def _per_endpoint(total: Callable[[Plan], int]) -> Callable[[Plan], float | None]:
    return lambda p: total(p) / p.topology.endpoint_count if p.topology.endpoint_count else None


QUANTITIES = (
    Quantity("cost_cents", "cents", "lower", "the whole bill", "bill", lambda p: p.bill.cents()),
    *(
        Quantity(f"cost_{c}_cents", "cents", "lower", f"{c} on the bill", "bill", _of_category(c))
        for c in ("routers", "cabinets", "cables", "transceivers", "labour")
    ),
    Quantity(
        "cost_per_endpoint_cents",
        "cents",
        "lower",
        "the bill over the endpoints",
        "bill topology",
        _per_endpoint(lambda p: p.bill.cents()),
    ),
    Quantity(
        "power_mw", "mW", "lower", "typical power of routers and both ends of all cables", "bill", lambda p: p.bill.power_mw()
    ),
    Quantity(
        "power_per_endpoint_mw",
        "mW",
        "lower",
        "that power over the endpoints",
        "bill topology",
        _per_endpoint(lambda p: p.bill.power_mw()),
    ),
    Quantity("mass_g", "g", "lower", "mass of routers, empty cabinets and cables", "bill", lambda p: p.bill.mass_g()),
)
