"""Random permutation of endpoints: every source has one target, every target one source."""

from __future__ import annotations

import numpy as np

from planner.core import seeds
from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int, itself: bool = False) -> np.ndarray:
    """Prepare a random permutation of all endpoints.

    Parameters
    ----------
    topology
        The network.
    seed
        Seed of the permutation.
    itself
        Whether an endpoint may be its own target, which makes it silent.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    fixed.require_two_endpoints(topology, "a permutation")
    return fixed.permutation(seeds.stream(seed, "traffic"), topology.endpoint_count, itself).astype(np.int32)
