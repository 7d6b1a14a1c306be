"""Maximum power of each cabinet, of the supply of its slot."""

from __future__ import annotations

import numpy as np

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report.shades import Shade

ORDER = 10


def shade(plan: Plan) -> Shade:
    """Return the shade."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    share = np.array([cabinet.power_max_mw / cabinet.power_limit_mw if cabinet.power_limit_mw else 0 for cabinet in found])
    marks = tuple(f"{cabinet.power_max_mw / 1e6:.1f}" for cabinet in found)
    return Shade("by power", "Maximum power in kW, of the slot's supply", "100 %", "the supply", share, marks)
