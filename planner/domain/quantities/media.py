"""Cables bought, length, power and price by medium."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.domain.model import CablePlan, Plan
from planner.domain.quantities._quantity import Quantity

_MEDIA = {"passive_copper": "copper", "active_copper": "active copper", "optical": "optical"}


def _bought(cables: CablePlan, rows: np.ndarray) -> int:
    return len(np.unique(cables.piece[rows]))


def _stock_mm(cables: CablePlan, rows: np.ndarray) -> int:
    first = np.unique(cables.piece, return_index=True)[1]
    return int(cables.stock_mm[first][rows[first]].sum(dtype=np.int64))


_FIGURES: tuple[tuple[str, str, str, Callable[[CablePlan, np.ndarray], int]], ...] = (
    ("cables_bought", "", "cables bought", _bought),
    ("stock_mm", "mm", "stock length of all cables", _stock_mm),
    ("power_mw", "mW", "power of both ends of all cables", lambda cables, rows: int(cables.power_mw[rows].sum())),
    ("cents", "cents", "price of all cables with their transceivers", lambda cables, rows: int(cables.price_cents[rows].sum())),
)


def _of(medium: str, figure: Callable[[CablePlan, np.ndarray], int]) -> Callable[[Plan], int]:
    def value(plan: Plan) -> int:
        # Without cables there are no assemblies, and text cannot be compared with an empty array.
        rows = plan.cables.of_assembly("medium") == medium if plan.cables.assemblies else np.zeros(0, bool)
        return figure(plan.cables, rows) if rows.any() else 0

    return value


ORDER = 40

QUANTITIES = (
    *(
        Quantity(
            f"{name}_{key}",
            unit,
            "" if key == "cables_bought" else "lower",
            f"{meaning}: {name.replace('_', ' ')}",
            "cables",
            _of(medium, figure),
        )
        for key, unit, meaning, figure in _FIGURES
        for name, medium in _MEDIA.items()
    ),
    Quantity("transceivers", "", "lower", "transceivers bought", "cables", lambda p: int(p.cables.modules.sum())),
)
