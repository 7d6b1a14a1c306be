"""Saturation throughput: the analytic bound, and a search for the highest load with a bounded backlog."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from planner.core import registry
from planner.kernels.packet.planes import fill_planes
from planner.simulation import hops
from planner.simulation.case import Case, rates
from planner.simulation.drift import Verdict

RESOLUTION = 0.004
"""The search ends when the relative distance of a drifting and a carried load is below this; tolerances are added."""

MIN_LOAD = 0.001
"""Lowest load of the search."""

STEPS = 5
"""Typical number of runs of a search."""

_NEAR = 16
"""Loads in turn that may all seem just above the limit; they span 7 % of the load or more. Beyond them steps double."""

_MAX_DRAWS = 200_000

_ROUNDING = 1e-12


def load_bound(case: Case) -> float | None:
    """Return an upper bound of the accepted load: every link saturated in both directions, minimal paths [1]_.

    The mean hops of uniform traffic are exact; those of other patterns are estimated from up to 200,000 drawn targets, exact
    if each source has one target. None with faults, or without a table of distances.

    References
    ----------
    .. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, section 3.3.
    """
    network, topology = case.network, case.network.topology
    if case.faults or topology.router_count > hops.TABLE_ROUTERS:
        return None
    exact = case.traffic == "uniform" and (case.spread is None or case.spread.in_turn)
    hops_per_load = _uniform_hops(case) if exact else _drawn_hops(case)
    capacity = 2 * float(network.link_rate[: topology.link_count].sum())
    return min(1.0, capacity / hops_per_load) if hops_per_load else 1.0


def _uniform_hops(case: Case) -> float:
    """Return the hops of the packets that all sources of uniform traffic create per cycle, at load 1 with packets of one phit."""
    network, hops = case.network, 0.0
    sources = network.topology.endpoint_router[rates(case) > 0]
    endpoints = np.bincount(sources, minlength=network.topology.router_count).astype(np.float64)
    for used in network.used_by_plane:
        count = endpoints[used]
        total = count @ network.distance[np.ix_(used, used)] @ count
        hops += float(total / max(count.sum() - 1, 1))
    return hops


def _drawn_hops(case: Case) -> float:
    """Return the hops of the packets created per cycle, at load 1 with packets of one phit, from drawn targets."""
    topology, spread = case.network.topology, case.spread
    target = registry.load("traffic", case.traffic).target
    port = np.arange(topology.endpoint_count)[:, None] if spread is None else spread.port
    count = len(port)
    sources = np.tile(np.arange(count), max(1, _MAX_DRAWS // count))
    random = np.array([1], np.uint64)
    targets = np.array([target(source, case.table, random) for source in sources.tolist()])
    router = topology.endpoint_router[port]
    distance = case.network.distance[router[sources], router[targets]].astype(np.float64)
    if spread is not None and not spread.in_turn:
        plane = np.empty(len(sources), np.int64)
        fill_planes(sources, targets, port.shape[1], plane)
        distance = distance[np.arange(len(plane)), plane][:, None] * port.shape[1]
    of_nodes = rates(case)[port].mean(axis=1)
    return float(distance.sum(axis=1) @ of_nodes[sources]) / len(sources) * count


class Saturation(NamedTuple):
    """Saturation point, in phits per cycle and endpoint."""

    low: float
    """Highest load found with a bounded backlog."""
    high: float
    """Lowest load found that surely drifts, or seems to next to the limit; equal to `low` if the network carries load 1."""
    throughput: float
    """Saturation throughput: accepted load at `high`, clipped to the interval."""


class Probe(NamedTuple):
    """Result of a run at one load."""

    drifts: bool
    tolerance: float
    """Uncertainty of the load limit, as a fraction of the load."""
    accepted: float
    """Accepted load in the long run, without what still fills queues."""
    clear: bool = True
    """Whether the load is clearly below or above the limit; otherwise it is near."""


def find(run: Callable[[float], Verdict]) -> Saturation | None:
    """Return the saturation point; None if runs end before the network has filled.

    Parameters
    ----------
    run
        Runs a load.
    """

    filled = True

    def probe(load: float) -> Probe:
        nonlocal filled
        seen = run(load)
        filled &= seen.filled
        if not filled:
            # Further runs of this length would be no better.
            return Probe(False, 0.0, 0.0)
        accepted = 0.0 if np.isnan(seen.drift) else load * (1 - seen.drift)
        return Probe(seen.drifts, seen.tolerance, accepted, seen.final or seen.clear)

    found = search(probe)
    return found if filled else None


def search(probe: Callable[[float], Probe]) -> Saturation:
    """Return the saturation point from few runs.

    Beyond saturation a network accepts about its maximum, so the first guess is just below the accepted load at load 1. From
    there the search decreases the load in doubling steps until the backlog does not drift, increases it until it does, and
    then bisects, while the two differ by more than `RESOLUTION` and by more than the uncertainty of runs of this length. From a
    load that is near the limit the next one is just as far as that uncertainty.

    Where loads seem just above the limit again and again, since queues fill for longer than a run at any load, steps double until
    the backlog is bounded: what is between that load and the lowest one that surely drifts cannot be decided.

    Parameters
    ----------
    probe
        Runs a load.

    Examples
    --------
    >>> limit = search(lambda load: Probe(load > 0.6, 0.0025, min(load, 0.6)))
    >>> limit.low < 0.6 < limit.high < 1.01 * limit.low, limit.throughput
    (True, 0.6)
    >>> search(lambda load: Probe(False, 0.0025, load))
    Saturation(low=1.0, high=1.0, throughput=1.0)
    """
    high, above = 1.0, probe(1.0)
    if not above.drifts:
        return Saturation(1.0, 1.0, min(1.0, above.accepted))
    low, below, step = 0.0, Probe(False, 0.0, 0.0), RESOLUTION
    # Ends of the interval: the nearest that runs leave, which those next to the limit need not be.
    lower, upper = 0.0, min(1.0, 1 + above.tolerance)
    near, sure = 0, (upper, above)
    while high > low * (1 + max(_distance(below), _distance(above))) and high > MIN_LOAD:
        if low and not below.clear:
            load = low * (1 + _distance(below))
        elif not above.clear:
            load = high / (1 + _distance(above) * 2 ** max(0, near - _NEAR)) * (1 + _ROUNDING)
        elif not low:
            load = min(high / (1 + step), (above.accepted or high) * (1 - RESOLUTION / 2))
        else:
            load = min(low * (1 + step), (low * high) ** 0.5)
        seen = probe(max(load, MIN_LOAD / 2))
        if seen.drifts:
            near = 0 if low or above.clear or seen.clear else near + 1
            high, above, step = load, seen, np.inf if low else 2 * step
            upper = min(upper, load * (1 + seen.tolerance))
            sure = (upper, above) if seen.clear else sure
        else:
            low, below, step = load, seen, 2 * step if low else _distance(seen)
            lower = max(lower, load * (1 - seen.tolerance))
            if near > _NEAR:
                break
    if near > _NEAR:
        upper, above = sure
    return Saturation(lower, upper, min(max(above.accepted, lower), upper))


def _distance(seen: Probe) -> float:
    """Return the relative distance from a load at which another one is known to differ."""
    return max(RESOLUTION, seen.tolerance)
