"""Hot spot: a share of all packets goes to few endpoints, the others anywhere."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from planner import seeds
from planner.errors import InputError, Problem
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.model import Topology
from planner.simulation.traffic import _fixed

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
        Draws the hot endpoints, unless `endpoints` names them.
    share
        Chance that a packet goes to a hot endpoint, each equally likely; otherwise to any endpoint. A hot
        endpoint never sends to itself: where it would be drawn, any endpoint is drawn.
    spots
        How many endpoints are hot.
    endpoints
        The hot endpoints, in place of `spots` drawn ones.

    Raises
    ------
    InputError
        When there are fewer than two endpoints, or hot ones that the network has not.
    """
    _fixed.require_endpoints(topology, 2, "hot spot traffic")
    count = topology.endpoint_count
    problems = [
        Problem("endpoints", f"there is no endpoint {endpoint}", f"use 0 to {count - 1}")
        for endpoint in endpoints
        if endpoint >= count
    ]
    if len(set(endpoints)) < len(endpoints):
        problems.append(Problem("endpoints", "names an endpoint twice", "name each once"))
    if not endpoints and spots > count:
        problems.append(Problem("spots", f"{spots} hot endpoints are more than there are", f"use at most {count}"))
    if problems:
        raise InputError(problems)
    hot = endpoints or seeds.stream(seed, "traffic").choice(count, spots, replace=False)
    return np.array([count, round(share * _WHOLE), *np.sort(hot)], np.int32)


@traffic_function
def target(source, table, random):
    """Return a hot endpoint with the share's chance, else any endpoint but the source."""
    if below(random, _WHOLE) < table[1]:
        hot = table[2 + below(random, len(table) - 2)]
        if hot != source:
            return np.int64(hot)
    drawn = below(random, table[0] - 1)
    return drawn + 1 if drawn >= source else drawn
