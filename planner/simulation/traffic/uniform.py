"""Uniform traffic: every packet goes to a random endpoint of its plane other than its source."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.network.metrics import planes

PLANES = True
"""The table has the endpoints of the plane of each source."""


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare uniform traffic.

    The table holds the number of endpoints H; if planes are not joined, also the first place of each endpoint's plane (H), the
    number of its endpoints (H), the endpoint's own place in it (H), and the endpoints plane by plane (H).

    Raises
    ------
    InputError
        When there are fewer than two endpoints, or only one in a plane.
    """
    plane = planes(topology)[topology.endpoint_router]
    size = np.bincount(plane)
    if topology.endpoint_count < 2 or (size == 1).any():
        raise InputError(Problem("traffic", "uniform traffic needs two endpoints in every plane", "attach more endpoints"))
    count = np.array([topology.endpoint_count])
    if size.max() == topology.endpoint_count:
        return count.astype(np.int32)
    order = np.argsort(plane, kind="stable")
    first = (np.cumsum(size) - size)[plane]
    return np.concatenate([count, first, size[plane], np.argsort(order) - first, order]).astype(np.int32)


def chances(table: np.ndarray, source: int) -> np.ndarray:
    """Return the probability of each target of a source in a network of one plane, float64 (H,)."""
    others = np.arange(table[0]) != source
    return others / others.sum()


@traffic_function
def target(source, table, random):
    """Return a uniformly random endpoint of the source's plane other than the source."""
    count = table[0]
    if len(table) == 1:
        drawn = below(random, count - 1)
        return drawn + 1 if drawn >= source else drawn
    drawn = below(random, table[1 + count + source] - 1)
    drawn += drawn >= table[1 + 2 * count + source]
    return table[1 + 3 * count + table[1 + source] + drawn]
