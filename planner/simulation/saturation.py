"""Where the network saturates: the analytic bound, and a search for the highest load with a bounded backlog."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from planner import registry
from planner.simulation import hops
from planner.simulation.case import Case, rates
from planner.simulation.observation import Observation

RESOLUTION = 0.004
"""The search ends when a load that drifts is above one that does not by this share; their tolerances are added."""

LEAST_LOAD = 0.001
"""A network that does not carry this load without end is not searched further."""

STEPS = 5
"""Runs that a search usually takes."""

_MOST_DRAWS = 200_000


def load_bound(case: Case) -> float | None:
    """Return the load that no routing can exceed: every link full in both directions, every packet on a minimal way [1]_.

    The mean hops of uniform traffic are exact, those of other traffic come from up to 200,000 draws of targets, and are
    exact where each source has one target. None with faults, and where there is no table of distances.

    References
    ----------
    .. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, section 3.3.
    """
    network, topology = case.network, case.network.topology
    if case.faults or topology.router_count > hops.TABLE_ROUTERS:
        return None
    hops_per_load = topology.endpoint_count * _uniform_hops(case) if case.traffic == "uniform" else _drawn_hops(case)
    capacity = 2 * float(network.link_rate[: topology.link_count].sum())
    return min(1.0, capacity / hops_per_load) if hops_per_load else 1.0


def _uniform_hops(case: Case) -> float:
    """Return the mean hops of uniform traffic."""
    network = case.network
    count = network.topology.endpoints_of[network.used].astype(np.float64)
    total = count @ network.distance[np.ix_(network.used, network.used)] @ count
    return float(total / (count.sum() * (count.sum() - 1)))


def _drawn_hops(case: Case) -> float:
    """Return the hops of the packets that all sources send in a cycle, at load 1 and one phit a packet."""
    topology = case.network.topology
    target = registry.load("traffic", case.traffic).target
    count = topology.endpoint_count
    sources = np.tile(np.arange(count), max(1, _MOST_DRAWS // count))
    random = np.array([1], np.uint64)
    targets = np.array([target(source, case.table, random) for source in sources.tolist()])
    router = topology.endpoint_router
    distance = case.network.distance[router[sources], router[targets]].astype(np.float64)
    return float(distance @ rates(case)[sources]) / len(sources) * count


class Saturation(NamedTuple):
    """Where the network saturates, in phits per cycle and endpoint."""

    low: float
    """A load that the network carries without end."""
    high: float
    """A load at which its backlog drifts; equal to `low`, and 1, where it carries all that can be offered."""
    throughput: float
    """The highest load with a bounded backlog, as far as known: what is accepted at `high`, not outside the interval."""


class Probe(NamedTuple):
    """What a run at one load said."""

    drifts: bool
    tolerance: float
    """How far the load may lie on the other side of the limit all the same, as a share of it."""
    accepted: float
    """Load accepted at its end."""


def find(run: Callable[[float], Observation], phits: float) -> Saturation | None:
    """Return where the network saturates; None where runs end before the network has filled.

    Parameters
    ----------
    run
        Runs a load.
    phits
        Load of one packet in a cycle.
    """

    filled = True

    def probe(load: float) -> Probe:
        nonlocal filled
        seen = run(load)
        filled &= seen.verdict.filled
        if not filled:
            # Nothing that a further run of this length says would mean more.
            return Probe(False, 0.0, 0.0)
        return Probe(seen.saturated, seen.verdict.tolerance, seen.accepted * phits)

    found = search(probe)
    return found if filled else None


def search(probe: Callable[[float], Probe]) -> Saturation:
    """Return where the network saturates, from few runs.

    Beyond saturation a network accepts about what it can carry at most, so that the first guess is just below what it accepts
    at load 1. From there the search goes down in doubling steps to a load that does not drift, up from it to one that does, and
    then halves.

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
    while high > low * (1 + RESOLUTION) and high > LEAST_LOAD:
        if not low:
            load = min(high / (1 + step), above.accepted * (1 - RESOLUTION / 2))
        else:
            load = min(low * (1 + step), (low * high) ** 0.5)
        seen = probe(max(load, LEAST_LOAD / 2))
        if seen.drifts:
            high, above, step = load, seen, np.inf if low else 2 * step
        else:
            low, below, step = load, seen, 2 * step if low else RESOLUTION
    low, high = low * (1 - below.tolerance), min(1.0, high * (1 + above.tolerance))
    return Saturation(low, high, min(max(above.accepted, low), high))
