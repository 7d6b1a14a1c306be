"""Shared by patterns in which every source has one fixed target."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.records import traffic_function


@traffic_function
def target(source, table, random):
    """Return the target of the source."""
    return table[source]


def rates(table: np.ndarray) -> np.ndarray:
    """Return 1 for every source, 0 for those mapped to themselves, which are silent."""
    return (table != np.arange(len(table))).astype(np.float64)


def chances(table: np.ndarray, source: int) -> np.ndarray:
    """Return the probability of each target of a source, float64 (H,)."""
    return (np.arange(len(table)) == table[source]).astype(np.float64)


def require_two_endpoints(topology: Topology, pattern: str) -> None:
    """Raise InputError when the network has fewer than two endpoints."""
    if topology.endpoint_count < 2:
        message = f"{pattern} needs 2 endpoints, not {topology.endpoint_count}"
        raise InputError(Problem("traffic", message, "attach more endpoints"))


def permutation(random: np.random.Generator, count: int, itself: bool) -> np.ndarray:
    """Return a uniformly random permutation; without fixed points unless `itself`."""
    while True:
        drawn = random.permutation(count)
        if itself or not (drawn == np.arange(count)).any():
            return drawn


def by_routers(topology: Topology, to: np.ndarray) -> np.ndarray:
    """Return the table in which endpoint j of router r sends to endpoint j of router ``to[r]``, modulo its endpoints."""
    endpoints = topology.endpoints_of
    first = np.cumsum(endpoints) - endpoints
    router = topology.endpoint_router
    place = np.arange(topology.endpoint_count) - first[router]
    goal = to[router]
    return (first[goal] + place % endpoints[goal]).astype(np.int32)


def bits(topology: Topology, pattern: str) -> tuple[np.ndarray, int]:
    """Return the numbers of the 2^b endpoints that a bit pattern uses, and b.

    Raises
    ------
    InputError
        When there are fewer than two endpoints.
    """
    require_two_endpoints(topology, pattern)
    count = topology.endpoint_count.bit_length() - 1
    return np.arange(1 << count), count


def of_bits(topology: Topology, targets: np.ndarray) -> np.ndarray:
    """Return the table of a bit pattern; endpoints beyond the power of two are mapped to themselves."""
    table = np.arange(topology.endpoint_count, dtype=np.int32)
    table[: len(targets)] = targets
    return table
