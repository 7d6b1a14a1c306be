"""A network with fewer endpoints than its family gives it, taken away evenly."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.errors import InputError, Problem
from planner.model import Topology
from planner.topology import build as build_network


def build(network: str, parameters: dict[str, Any], endpoints: Annotated[int, Ge(1)]) -> Topology:
    """Build a network and leave out endpoints until `endpoints` are left.

    From one router to the next with endpoints in order the numbers left out differ by at most one, and routers that lose one
    more lie evenly among the others.

    Parameters
    ----------
    network, parameters
        A family and its parameters.
    endpoints
        How many stay.

    Raises
    ------
    InputError
        When the network has fewer.

    Examples
    --------
    >>> network = build("slimfly", {"q": 5, "endpoints_per_router": 4}, endpoints=180)
    >>> network.endpoint_count, network.endpoints_of[:6].tolist()
    (180, [4, 4, 3, 4, 3, 4])
    """
    whole = build_network(network, **parameters)
    count = whole.endpoint_count
    if endpoints > count:
        raise InputError(Problem("endpoints", f"{network} has {count:,} endpoints, not {endpoints:,}", f"use at most {count:,}"))
    of = whole.endpoints_of
    leaves = np.flatnonzero(of)
    # Rounds take one endpoint of every leaf; the last one of some of them, evenly.
    lost, each = count - endpoints, np.zeros(len(of), np.int64)
    each[leaves] = lost // len(leaves)
    rest = lost % len(leaves)
    each[leaves[(np.arange(1, rest + 1) * len(leaves)) // (rest + 1) if rest else []]] += 1
    kept = of - each
    if (kept < 0).any():
        raise InputError(Problem("endpoints", f"cannot be taken away evenly down to {endpoints:,}", "use more"))
    routers = np.repeat(np.arange(len(of)), kept).astype(np.int32)
    return replace(whole, endpoint_router=routers, params=whole.params | {"endpoints": endpoints})
