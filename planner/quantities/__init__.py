"""Every reported quantity: name, unit, whether lower or higher is better, meaning, and how it is computed.

One file per subject; each defines its `QUANTITIES` in reporting order, and `ORDER`, the position of the subject.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from planner.model import Plan
from planner.quantities._quantity import Quantity
from planner.quantities.cables import between_cabinets, tray_fill

__all__ = ["QUANTITIES", "Quantity", "between_cabinets", "measure", "tray_fill"]


def _declared() -> tuple[Quantity, ...]:
    """Return the quantities of all public files of this folder."""
    names = (path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    subjects = sorted((import_module(f"planner.quantities.{name}") for name in names), key=lambda subject: subject.ORDER)
    return tuple(quantity for subject in subjects for quantity in subject.QUANTITIES)


QUANTITIES = _declared()


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
