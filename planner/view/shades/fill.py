"""Rack units in use in each cabinet."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.view.cabinets import cabinets
from planner.view.shades import Shade

ORDER = 20


def shade(plan: Plan) -> Shade:
    """Return the shade."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    share = np.array([cabinet.used_units / cabinet.units for cabinet in found])
    return Shade(
        "by fill", "Rack units in use", "100 %", "the rack units", share, tuple(f"{100 * one:.0f}%" for one in share.tolist())
    )
