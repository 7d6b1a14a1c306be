"""Maximum power of each cabinet, of the supply of its slot."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.view.cabinets import cabinets
from planner.view.shades import Shade

ORDER = 10


def shade(plan: Plan) -> Shade:
    """Return the shade."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    drawn_mw = [cabinet.power_max_mw + cabinet.others_mw for cabinet in found]
    limits_mw = [cabinet.power_limit_mw for cabinet in found]
    share = np.array([drawn / limit if limit else 0 for drawn, limit in zip(drawn_mw, limits_mw, strict=True)])
    marks = tuple(f"{cabinet.power_max_mw / 1e6:.1f}" for cabinet in found)
    return Shade("by power", "Maximum power in kW, of the slot's supply", "100 %", "the supply", share, marks)
