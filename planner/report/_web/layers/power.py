"""Maximum power of each cabinet, of the supply of its slot."""

from __future__ import annotations

import numpy as np

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._web.layers._layer import Layer

ORDER = 10


def layer(plan: Plan) -> Layer:
    """Return the layer."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    share = np.array([cabinet.power_max_mw / cabinet.power_limit_mw if cabinet.power_limit_mw else 0 for cabinet in found])
    return Layer.of_share("by power", "Maximum power, of the slot's supply", share)
