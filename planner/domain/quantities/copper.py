"""Optical cables in cabinets where no copper part fits."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity


def _inside_without_copper(plan: Plan) -> int:
    """Return the number of optical cables within a cabinet whose run no copper part for their ports covers."""
    cables, inventory = plan.cables, plan.inventory
    rows = np.flatnonzero((cables.of_assembly("medium") == "optical") & (cables.cabinet[:, 0] == cables.cabinet[:, 1]))
    # A twin-port cable occupies a cage at both ends, a splitter the cage at its head.
    ends = np.column_stack([cables.device, cables.cage])
    fill = np.where(inventory.is_link[rows], _repeats(ends)[rows], _repeats(ends[:, ::2])[rows])
    reach_mm = np.zeros(len(rows), np.int64)
    for number, joint in enumerate(inventory.joints):
        for assembly in joint.assemblies:
            if assembly.medium != "optical":
                fits = (inventory.joint[rows] == number) & (fill >= (assembly.carries if assembly in joint.shared else 1))
                reach_mm[fits] = np.maximum(reach_mm[fits], assembly.stock_mm[-1])
    return len(np.unique(cables.piece[rows[cables.run_mm[rows] > reach_mm]]))


def _repeats(key: np.ndarray) -> np.ndarray:
    """Return how often each row of a table occurs in it, int64 (W,)."""
    _, row, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    return count[row.ravel()]


ORDER = 30

QUANTITIES = (
    Quantity(
        "optical_for_lack_of_copper",
        "",
        "lower",
        "optical cables within a cabinet because no copper part in the catalog fits port and length",
        "inventory cables",
        lambda p: _inside_without_copper(p) if p.cables.assemblies else 0,
    ),
)
