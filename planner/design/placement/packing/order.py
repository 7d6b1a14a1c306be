"""Routers fill cabinets in order of their ids."""

from __future__ import annotations

import numpy as np

from planner.design.placement.packing.cabinets.capacity import Capacity, contents, fill
from planner.domain.model import Topology


def pack(topology: Topology, capacity: Capacity, members: np.ndarray, *, seed: int = 0) -> list[np.ndarray]:
    """Fill one cabinet after the other; if all routers are alike, the number of cabinets is minimal."""
    starts = fill(contents(topology, members), capacity)
    return np.split(members, starts[1:]) if len(members) else []
