"""Rack units in use in each cabinet."""

from __future__ import annotations

import numpy as np

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._web.layers._layer import Layer

ORDER = 20


def layer(plan: Plan) -> Layer:
    """Return the layer."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    share = np.array([cabinet.used_units / plan.catalog.cabinet.units for cabinet in found])
    return Layer.of_share("by fill", "Rack units in use", share)
