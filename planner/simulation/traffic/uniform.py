"""Uniform traffic: every packet goes to a random endpoint other than its source."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.model import Topology


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare uniform traffic; the table holds the number of endpoints.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    if topology.endpoint_count < 2:
        raise InputError(Problem("traffic", "uniform traffic needs two endpoints", "attach more endpoints"))
    return np.array([topology.endpoint_count], np.int32)


@traffic_function
def target(source, table, random):
    """Return a uniformly random endpoint other than the source."""
    drawn = below(random, table[0] - 1)
    return drawn + 1 if drawn >= source else drawn
