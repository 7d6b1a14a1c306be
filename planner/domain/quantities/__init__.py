"""Every reported quantity: name, unit, whether lower or higher is better, meaning, and how it is computed.

One file per subject; each defines its `QUANTITIES` in reporting order, and `ORDER`, the position of the subject.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.domain.quantities._networks import Network, networks, unattached
from planner.domain.quantities._quantity import Quantity
from planner.domain.quantities.cables import between_cabinets, tray_fill

__all__ = ["QUANTITIES", "Network", "Quantity", "between_cabinets", "measure", "networks", "tray_fill", "unattached"]


def _declared() -> tuple[Quantity, ...]:
    """Return the quantities of all public files of this folder."""
    names = (path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    subjects = sorted((import_module(f"planner.domain.quantities.{name}") for name in names), key=lambda subject: subject.ORDER)
    return tuple(quantity for subject in subjects for quantity in subject.QUANTITIES)


QUANTITIES = _declared()


def measure(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return ``{name: {"value": …, "unit": …}}`` of every quantity that applies to the plan.

    Quantities of one of several networks have its name after theirs: ``routers@storage``. Those without a name are of the
    first network, where they come from records that each network has for itself, and of the whole plan otherwise.
    """
    measured: dict[str, dict[str, Any]] = {}
    for quantity in QUANTITIES:
        if all(getattr(plan, record) is not None for record in quantity.needs.split()):
            _add(measured, quantity.name, quantity.of(plan), quantity.unit)
    if plan.others and plan.inventory is not None:
        _add_networks(measured, plan)
    return measured


def _add_networks(measured: dict[str, dict[str, Any]], plan: Plan) -> None:
    """Add the quantities of each of several networks: those of records that each of them has, its cables and its cost."""
    own = set.intersection(*(set(records) for records in plan.others.values()))
    for network in networks(plan):
        one = plan.of(network.name)
        for quantity in QUANTITIES:
            if own.issuperset(needs := quantity.needs.split()) and all(getattr(one, record) is not None for record in needs):
                _add(measured, f"{quantity.name}@{network.name}", quantity.of(one), quantity.unit)
        for name, value, unit in (("cables", network.cables, ""), ("run_mm", network.run_mm, "mm"),
                                  ("stock_mm", network.stock_mm, "mm"), ("cost_cents", network.cents, "cents")):  # fmt: skip
            _add(measured, f"{name}@{network.name}", value, unit)


def _add(measured: dict[str, dict[str, Any]], name: str, value: Any, unit: str) -> None:
    if value is not None:
        exact = not isinstance(value, float | np.floating)
        measured[name] = {"value": int(value) if exact else round(float(value), 6), "unit": unit}
