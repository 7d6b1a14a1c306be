"""Bit complement: the target's number is the bitwise complement of the source's."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare the pattern on the first 2^b endpoints, 2^b the largest power of two that the network has.

    Every bit of the target is the opposite of the source's. The other endpoints are silent, and so are those that the
    pattern maps to themselves.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    source, b = fixed.bits(topology, "bit complement")
    return fixed.of_bits(topology, source ^ ((1 << b) - 1))
