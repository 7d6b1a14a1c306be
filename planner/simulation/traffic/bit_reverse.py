"""Bit reverse: the target's number is the source's with its bits in reverse order."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare the pattern on the first 2^b endpoints, 2^b the largest power of two that the network has.

    Bit i of the target is bit b - 1 - i of the source. The other endpoints are silent, and so are those that the
    pattern maps to themselves.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    source, b = fixed.bits(topology, "bit reverse")
    return fixed.of_bits(topology, sum(((source >> i & 1) << (b - 1 - i) for i in range(b)), np.zeros_like(source)))
