"""Bit transpose: the target's number is the source's with its two halves swapped."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare the pattern on the first 2^b endpoints, 2^b the largest power of two that the network has.

    The b // 2 low and high bits are swapped; for odd b the middle bit is unchanged. The other endpoints are
    silent, and so are those that the pattern maps to themselves.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    source, b = fixed.bits(topology, "bit transpose")
    half = b // 2
    low, high = source & ((1 << half) - 1), source >> (b - half)
    middle = source & ~((1 << half) - 1) & ((1 << (b - half)) - 1)
    return fixed.of_bits(topology, low << (b - half) | middle | high)
