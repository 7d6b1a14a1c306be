"""Heat of each cabinet: of the cooling of its slot, or of the hottest cabinet where the room states none."""

from __future__ import annotations

import numpy as np

from planner.core.units import amount, named, unit
from planner.domain.model import Plan
from planner.view.shades import Shade

ORDER = 30


def shade(plan: Plan) -> Shade | None:
    """Return the shade; None without the record."""
    if plan.cooling is None or not plan.cooling.heat_mw.any():
        return None
    heat_mw = plan.cooling.heat_mw
    marks = tuple(amount(one, "heat mark") for one in heat_mw.tolist())
    title = f"Heat in {unit('heat mark').name} at {plan.cooling.load} power, nodes included"
    if any(plan.room.cooling_mw):
        limit_mw = np.array(plan.room.cooling_mw)[plan.placement.slot_of]
        share = np.divide(heat_mw, limit_mw, out=np.zeros(len(heat_mw)), where=limit_mw > 0)
        return Shade("by heat", f"{title}, of the slot's cooling", "100 %", "the cooling", share, marks)
    return Shade("by heat", title, named(heat_mw.max(), "heat mark", gap=" "), "the hottest", heat_mw / heat_mw.max(), marks)
