"""Bundles: what each kind of bundling takes."""

from __future__ import annotations

from collections.abc import Callable

from planner.model import Plan
from planner.quantities._quantity import Quantity

_KINDS = {
    "single": "single cables",
    "loom": "looms by cabinets",
    "row_loom": "looms by rows",
    "trunk": "trunks over panels",
    "multicore": "multi-core fiber",
    "shuffle": "shuffle boxes",
}
_FIGURES = (
    ("pulls", "pulls", "", "things pulled between cabinets"),
    ("bundle_types", "types", "", "different bundles by capacity and length"),
    ("bundled_fill", "fill_mm2_m", "mm² m", "cross-section times way along trays"),
    ("bundled_cents", "cents", "cents", "price of all cables and panels"),
)


def _of(figure: str, kind: str) -> Callable[[Plan], int | None]:
    """Return what gives one figure of one kind; None where the plan did not ask for it, or it has no price."""

    def value(plan: Plan) -> int | None:
        methods = plan.bundlings.methods
        return getattr(plan.bundlings, figure)[methods.index(kind)] if kind in methods else None

    return value


QUANTITIES = tuple(
    Quantity(f"{name}_{kind}", unit, "lower", f"{meaning}: {words}", "bundlings", _of(figure, kind))
    for name, figure, unit, meaning in _FIGURES
    for kind, words in _KINDS.items()
)
