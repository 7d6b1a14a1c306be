"""Where the network saturates: the analytic bound, and a search by halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from planner import registry
from planner.simulation import hops
from planner.simulation.case import Case, rates
from planner.simulation.observation import Observation

RESOLUTION = 0.01
"""The search ends when the interval is as narrow as this, in phits per cycle and endpoint."""

STEPS = 8
"""Most runs of a search: one at load 1, and so many halvings that the interval is as narrow as `RESOLUTION`."""

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
    """The largest load found steady."""
    high: float
    """The least load found saturated; equal to `low`, and 1, where all that can be offered is accepted."""
    throughput: float
    """The load accepted when `high` is offered."""


def find(run: Callable[[float], Observation], known: Sequence[tuple[float, Observation]], phits: float) -> Saturation:
    """Return where the network saturates.

    Parameters
    ----------
    run
        Runs a load.
    known
        Loads that ran before.
    phits
        Load of one packet in a cycle.
    """
    seen = dict(known)

    def saturates(load: float) -> bool:
        seen[load] = run(load)
        return seen[load].saturated

    low, high = search(saturates, [(load, one.saturated) for load, one in known])
    return Saturation(low, high, seen[high].measures.delivered / seen[high].cycles * phits)


def search(
    saturates: Callable[[float], bool], known: Sequence[tuple[float, bool]] = (), resolution: float = RESOLUTION
) -> tuple[float, float]:
    """Return the largest load found steady and the least one found saturated, no further apart than `resolution`.

    Parameters
    ----------
    saturates
        Runs a load and tells whether it saturates.
    known
        Loads that ran before, and whether they saturated.

    Returns
    -------
    tuple
        ``(1, 1)`` where load 1 does not saturate.

    Examples
    --------
    >>> low, high = search(lambda load: load > 0.37, [(0.3, False), (0.5, True)])
    >>> low <= 0.37 < high <= low + 0.01
    True
    >>> search(lambda load: False)
    (1.0, 1.0)
    """
    high = min([load for load, saturated in known if saturated], default=None)
    if high is None:
        if (1.0, False) in known or not saturates(1.0):
            return 1.0, 1.0
        high = 1.0
    # Near saturation chance may tell a larger load steady: what counts is the least that saturated.
    low = max([load for load, saturated in known if not saturated and load < high], default=0.0)
    while high - low > resolution:
        middle = (low + high) / 2
        if saturates(middle):
            high = middle
        else:
            low = middle
    return low, high
