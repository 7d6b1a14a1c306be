"""Every reported quantity: name, unit, whether lower or higher is better, meaning, and how it is computed.

One file per subject; each defines its `QUANTITIES` in reporting order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.model import Plan
from planner.quantities import (
    bill,
    bundles,
    cabinets,
    cables,
    copper,
    failures,
    latency,
    media,
    near_misses,
    network,
    normalized,
    placement,
    simulation,
    verification,
    work,
)
from planner.quantities._quantity import Quantity
from planner.quantities.cables import between_cabinets, tray_fill

__all__ = ["QUANTITIES", "Quantity", "between_cabinets", "measure", "tray_fill"]

QUANTITIES: tuple[Quantity, ...] = (
    *network.QUANTITIES,
    *cables.QUANTITIES,
    *copper.QUANTITIES,
    *media.QUANTITIES,
    *near_misses.QUANTITIES,
    *bundles.QUANTITIES,
    *work.QUANTITIES,
    *bill.QUANTITIES,
    *latency.QUANTITIES,
    *failures.QUANTITIES,
    *simulation.QUANTITIES,
    *normalized.QUANTITIES,
    *placement.QUANTITIES,
    *cabinets.QUANTITIES,
    *verification.QUANTITIES,
)


def measure(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return ``{name: {"value": …, "unit": …}}`` of every quantity that applies to the plan."""
    measured = {}
    for quantity in QUANTITIES:
        if all(getattr(plan, record) is not None for record in quantity.needs.split()):
            value = quantity.of(plan)
            if value is not None:
                exact = not isinstance(value, float | np.floating)
                measured[quantity.name] = {"value": int(value) if exact else round(float(value), 6), "unit": quantity.unit}
    return measured
