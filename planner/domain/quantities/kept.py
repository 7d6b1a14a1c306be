"""What is built and stays."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity


def _moved(plan: Plan) -> int:
    """Return the number of devices of the kept plan in another cabinet or rack unit."""
    kept, there = plan.kept, plan.kept.device >= 0
    device = kept.device[there]
    return int(((plan.placement.slot[device] != kept.slot[there]) | (plan.placement.unit[device] != kept.unit[there])).sum())


def _here(plan: Plan) -> int:
    return int((plan.kept.device >= 0).sum())


def _connections(plan: Plan) -> int:
    return int(np.count_nonzero((plan.kept.row >= 0) & (plan.kept.port > 0).all(axis=1)))


ORDER = 146

_NEEDS = "kept placement cables inventory"

QUANTITIES = (
    Quantity("kept_devices", "", "", "devices of the kept plan that stay in their cabinet and rack unit", _NEEDS,
             lambda p: _here(p) - _moved(p)),
    Quantity("moved_devices", "", "lower", "devices of the kept plan in another cabinet or rack unit", _NEEDS, _moved),
    Quantity("removed_devices", "", "", "devices of the kept plan that this plan does not have", _NEEDS,
             lambda p: len(p.kept.device) - _here(p)),
    Quantity("new_devices", "", "", "devices that the kept plan does not have", _NEEDS,
             lambda p: p.inventory.device_count - _here(p)),
    Quantity("kept_connections", "", "", "connections of the kept plan that keep both ports", _NEEDS, _connections),
    Quantity("removed_connections", "", "lower", "connections of the kept plan that are taken out", _NEEDS,
             lambda p: len(p.kept.row) - _connections(p)),
    Quantity("new_connections", "", "", "connections that the kept plan does not have", _NEEDS,
             lambda p: p.cables.cable_count - _connections(p)),
)  # fmt: skip
