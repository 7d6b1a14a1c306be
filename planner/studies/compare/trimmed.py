"""A network with evenly removed endpoints."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.network.topology import build as build_network


def build(network: str, parameters: dict[str, Any], endpoints: Annotated[int, Ge(1)]) -> Topology:
    """Build a network and remove endpoints until `endpoints` remain.

    The numbers removed per router differ by at most one, and routers with one more removed endpoint are evenly distributed.

    Parameters
    ----------
    network
        Topology family.
    parameters
        Parameters of the family.
    endpoints
        Number of remaining endpoints.

    Raises
    ------
    InputError
        When the network has fewer endpoints.

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
    # Full rounds remove one endpoint of every leaf; the last round removes one of some leaves, evenly.
    surplus, removed = count - endpoints, np.zeros(len(of), np.int64)
    removed[leaves] = surplus // len(leaves)
    rest = surplus % len(leaves)
    removed[leaves[(np.arange(1, rest + 1) * len(leaves)) // (rest + 1) if rest else []]] += 1
    kept = of - removed
    if (kept < 0).any():
        raise InputError(Problem("endpoints", f"cannot be removed evenly down to {endpoints:,}", "use more endpoints"))
    routers = np.repeat(np.arange(len(of)), kept).astype(np.int32)
    return replace(whole, endpoint_router=routers, endpoint_names=(), params=whole.params | {"endpoints": endpoints})
