"""Throughput of a network for several numbers of endpoints per router, by few runs of the flow-level model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from planner.core.errors import InputError
from planner.domain.model import Topology
from planner.simulation.fluid import Throughput, throughput

LIMITED = 0.8
"""Saturation above which it depends on more than the load of links."""

SHARPNESS = 14
"""Exponent of the transition between the limits of links and of endpoints."""

INTERPOLATED = 0.03
"""Largest error of an interpolated saturation relative to the model itself, see `tests/test_explore_room.py`."""

MAX_WORK = 60_000_000
"""Maximum product of routers and ports with links for the model, about ten seconds of one core."""


class Load(NamedTuple):
    """Saturation throughput by the flow-level model, with its expected range."""

    saturation: float
    low: float
    high: float
    advice: str
    """Why packets must be simulated; empty if the estimate may be used by itself."""


def loads(topology: Topology, leaves: np.ndarray, endpoints: Sequence[int], seed: int) -> dict[int, Load]:
    """Return the saturation of uniform traffic over minimal paths for each number of endpoints per router.

    The model runs for the maximum number, and for the minimum one where links alone do not limit it. Between, links limit the
    traffic of each router, and the saturation with few endpoints limits each endpoint.

    Parameters
    ----------
    leaves
        Routers with endpoints, int64.
    endpoints
        Numbers, ascending.
    """
    if not endpoints:
        return {}
    highest, lowest = endpoints[-1], endpoints[0]
    if topology.router_count * len(topology.indices) > MAX_WORK:
        return dict.fromkeys(endpoints, Load(np.nan, np.nan, np.nan, "simulate: the network is too large for the model"))
    try:
        full = _of(topology, leaves, highest, seed)
        needed = lowest < highest and full.saturation * highest / lowest > LIMITED
        few = _of(topology, leaves, lowest, seed) if needed else None
    except InputError as error:
        return dict.fromkeys(endpoints, Load(np.nan, np.nan, np.nan, f"simulate: {error}"))
    found = {each: _between(full, few, highest / each) for each in endpoints}
    found[highest] = _exact(full)
    if few is not None:
        found[lowest] = _exact(few)
    return found


def _of(topology: Topology, leaves: np.ndarray, endpoints: int, seed: int) -> Throughput:
    """Return the estimate of the model with a number of endpoints at each leaf."""
    routers = np.repeat(leaves, endpoints).astype(np.int32)
    return throughput(replace(topology, endpoint_router=routers, endpoint_names=()), seed=seed)


def _exact(found: Throughput) -> Load:
    return Load(found.saturation, found.low, found.high, f"simulate: {found.advice}" if found.advice else "")


def _between(full: Throughput, few: Throughput | None, ratio: float) -> Load:
    """Return the interpolated estimate where `full` has `ratio` times the endpoints."""
    saturation = full.saturation * ratio
    if few is not None:
        saturation = (saturation**-SHARPNESS + few.saturation**-SHARPNESS) ** (-1 / SHARPNESS)
    saturation = min(1.0, saturation)
    low = saturation * full.low / full.saturation * (1 - INTERPOLATED)
    high = min(1.0, saturation * full.high / full.saturation * (1 + INTERPOLATED))
    return Load(saturation, low, high, _exact(full).advice)
