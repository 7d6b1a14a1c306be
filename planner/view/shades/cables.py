"""Cables that end in each cabinet, of those in the cabinet with the maximum number."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.view.cabinets import cabinets
from planner.view.shades import Shade

ORDER = 5


def shade(plan: Plan) -> Shade | None:
    """Return the shade; None without cables."""
    if plan.cables is None or not plan.cables.cable_count:
        return None
    here = np.array([cabinet.cables_here for cabinet in sorted(cabinets(plan), key=lambda cabinet: cabinet.number)])
    highest = int(here.max())
    title = "Cables with an end in the cabinet"
    return Shade("by cables", title, f"{highest:,}", "the highest number", here / highest, tuple(f"{n:,}" for n in here.tolist()))
