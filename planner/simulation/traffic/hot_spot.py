"""Hot spot: a fraction of packets goes to a few hot endpoints, the rest is uniform."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.core import seeds
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.simulation.traffic.targets import fixed

_WHOLE = 2**30


def prepare(
    topology: Topology,
    seed: int,
    share: Annotated[float, Gt(0), Le(1)] = 0.1,
    spots: Annotated[int, Ge(1)] = 1,
    endpoints: tuple[Annotated[int, Ge(0)], ...] = (),
) -> np.ndarray:
    """Prepare hot spots.

    Parameters
    ----------
    topology
        The network.
    seed
        Seed for drawing hot endpoints.
    share
        Probability that a packet goes to a hot endpoint; otherwise targets are uniform. A hot endpoint that draws
        itself draws a uniform target instead.
    spots
        Number of hot endpoints.
    endpoints
        Numbers of the hot endpoints; by default `spots` endpoints are drawn.

    Raises
    ------
    InputError
        When there are fewer than two endpoints, or an unknown hot endpoint.
    """
    fixed.require_two_endpoints(topology, "hot spot traffic")
    count = topology.endpoint_count
    problems = [
        Problem("endpoints", f"unknown endpoint {endpoint}", f"use 0 to {count - 1}")
        for endpoint in endpoints
        if endpoint >= count
    ]
    if len(set(endpoints)) < len(endpoints):
        problems.append(Problem("endpoints", "lists an endpoint twice", "list each once"))
    if not endpoints and spots > count:
        problems.append(Problem("spots", f"{spots:,} hot endpoints exceed {count:,} endpoints", f"use at most {count}"))
    if problems:
        raise InputError(problems)
    hot = endpoints or seeds.stream(seed, "traffic").choice(count, spots, replace=False)
    return np.array([count, round(share * _WHOLE), *np.sort(hot)], np.int32)


def chances(table: np.ndarray, source: int) -> np.ndarray:
    """Return the probability of each target of a source, float64 (H,)."""
    count, share, hot = int(table[0]), table[1] / _WHOLE, table[2:]
    others = np.arange(count) != source
    aimed = np.bincount(hot, minlength=count) * others * share / len(hot)
    return aimed + (1 - aimed.sum()) * others / others.sum()


@traffic_function
def target(source, table, random):
    """Return a hot endpoint with probability `share`, else a uniform target other than the source."""
    if below(random, _WHOLE) < table[1]:
        hot = table[2 + below(random, len(table) - 2)]
        if hot != source:
            return np.int64(hot)
    drawn = below(random, table[0] - 1)
    return drawn + 1 if drawn >= source else drawn
