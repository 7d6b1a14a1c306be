"""Pulls, bundle types, tray fill and price of each kind of bundling."""

from __future__ import annotations

from collections.abc import Callable

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity

_KINDS = {
    "single": "single cables",
    "loom": "looms between cabinets",
    "row_loom": "looms between rows",
    "trunk": "trunks between panels",
    "multicore": "multi-core fiber",
    "shuffle": "shuffle boxes",
}
_FIGURES = (
    ("pulls", "pulls", "", "pulls between cabinets"),
    ("bundle_types", "types", "", "bundle types by capacity and length"),
    ("bundled_fill", "fill_mm2_m", "mm² m", "cross-section times tray length"),
    ("bundled_cents", "cents", "cents", "price of all cables, transceivers and panels"),
)


def _of(figure: str, kind: str) -> Callable[[Plan], int | None]:
    """Return the function for one figure of one kind; None where the plan lacks that kind or its price."""

    def value(plan: Plan) -> int | None:
        methods = plan.bundlings.methods
        return getattr(plan.bundlings, figure)[methods.index(kind)] if kind in methods else None

    return value


ORDER = 60

QUANTITIES = tuple(
    Quantity(f"{name}_{kind}", unit, "lower", f"{meaning}: {words}", "bundlings", _of(figure, kind))
    for name, figure, unit, meaning in _FIGURES
    for kind, words in _KINDS.items()
)
