"""Resilience: distances after random failures, and the disconnection ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.core import seeds
from planner.core.checking import checked
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.kernels.graph.failures import links_until_disconnected
from planner.network.metrics.distances import Distances, hop_counts
from planner.network.metrics.graph import on_all_cores, without

_BATCHES = 10
_STEADY = 0.10


@dataclass(frozen=True, eq=False)
class Degradation:
    """Removal of links in random order until routers with endpoints are disconnected.

    Attributes
    ----------
    ratios
        Fraction of links removed at disconnection, one per order, float64, ascending.
    removed
        Fractions of links removed along the median order, float64 (N,).
    diameter, mean
        Maximum and mean hops between routers with endpoints at those fractions, (N,).
    """

    ratios: np.ndarray
    removed: np.ndarray
    diameter: np.ndarray
    mean: np.ndarray

    @property
    def median(self) -> float:
        """The disconnection ratio."""
        return float(np.median(self.ratios))


@dataclass(frozen=True)
class Failures:
    """Means over random failures of a fraction of the links or routers.

    Attributes
    ----------
    diameter, mean
        Over the trials whose survivors stay connected; NaN if none.
    connected
        Fraction of trials whose surviving routers with endpoints stay connected.
    trials
        Number of trials.
    steady
        Whether means of ten batches vary by less than 10 %.
    """

    diameter: float
    mean: float
    connected: float
    trials: int
    steady: bool


def degradation(
    topology: Topology, *, seed: int = 0, orders: int = 100, points: int = 10, progress: Progress = silent
) -> Degradation:
    """Remove links in `orders` random orders and measure the median one at `points` fractions.

    Of routers, only those with endpoints count; all count where there are no endpoints.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> degradation(build("torus", sizes=[12]), orders=11).removed[-1] < 1
    np.True_
    """
    if orders < 1 or points < 1 or not topology.link_count:
        raise InputError(Problem("orders, points", "must be at least 1, in a network with links"))
    random = seeds.stream(seed, "degradation")
    permutations = [random.permutation(topology.link_count) for _ in range(orders)]
    needed = _needed(topology)
    parent = np.empty(topology.router_count, np.int32)
    removed = [links_until_disconnected(topology.links, order, needed.copy(), parent) for order in permutations]
    ranking = np.argsort(removed, kind="stable")
    median = ranking[(orders - 1) // 2]
    steps = np.unique(np.linspace(0, max(0, removed[median] - 1), points).astype(np.int64))
    found = []
    for done, step in enumerate(steps, 1):
        failed = np.zeros(topology.link_count, bool)
        failed[permutations[median][:step]] = True
        found.append(_measure(topology, failed, needed))
        progress("degradation", done, len(steps))
    return Degradation(
        ratios=np.array(removed)[ranking] / topology.link_count,
        removed=steps / topology.link_count,
        diameter=np.array([hops.endpoint_diameter for hops in found]),
        mean=np.array([hops.endpoint_mean for hops in found]),
    )


@checked()
def failures(
    topology: Topology,
    share: float,
    *,
    of: Literal["links", "routers"] = "links",
    seed: int = 0,
    max_trials: int = 1000,
    progress: Progress = silent,
) -> Failures:
    """Average over random failures of a fraction of the links or routers.

    Ten trials at first, then ten times as many until the means of ten batches vary by less than 10 %
    (coefficient of variation), at most `max_trials`. A failed router fails its links.

    References
    ----------
    .. [1] S. Young et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks", IPDPS 2022.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> failures(build("slimfly", q=5), 0.1).connected
    1.0
    """
    if not 0 <= share <= 1:
        raise InputError(Problem("share", f"{share} is not a fraction", "give a number from 0 to 1"))
    random = seeds.stream(seed, f"failures of {of}")
    diameters: list[float] = []
    means: list[float] = []
    trials = _BATCHES
    while True:
        tasks = ((topology, *_failures(topology, share, of, random)) for _ in range(trials - len(means)))
        for hops in on_all_cores(_measure, tasks):
            connected = hops.unreached == 0
            diameters.append(hops.endpoint_diameter if connected else np.nan)
            means.append(hops.endpoint_mean if connected else np.nan)
            progress("failures", len(means), trials)
        steady = _is_steady(diameters) and _is_steady(means)
        if steady or trials * 10 > max_trials:
            break
        trials *= 10
    finite = np.isfinite(means)
    return Failures(
        diameter=float(np.array(diameters)[finite].mean()) if finite.any() else float("nan"),
        mean=float(np.array(means)[finite].mean()) if finite.any() else float("nan"),
        connected=float(finite.mean()),
        trials=len(means),
        steady=steady,
    )


def _needed(topology: Topology) -> np.ndarray:
    """Mark the routers that count, int64 (R,): those with endpoints, or all."""
    endpoints = topology.endpoints_of
    return (endpoints > 0).astype(np.int64) if endpoints.any() else np.ones(topology.router_count, np.int64)


def _failures(topology: Topology, share: float, of: str, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw failed links, bool (L,), and the surviving routers that count, int64 (R,)."""
    needed = _needed(topology)
    if of == "links":
        failed = np.zeros(topology.link_count, bool)
        failed[random.choice(topology.link_count, round(share * topology.link_count), replace=False)] = True
        return failed, needed
    removed = np.zeros(topology.router_count, bool)
    removed[random.choice(topology.router_count, round(share * topology.router_count), replace=False)] = True
    return removed[topology.links].any(axis=1), needed * ~removed


def _measure(topology: Topology, failed: np.ndarray, needed: np.ndarray) -> Distances:
    """Count hops between the routers that count; `unreached` counts only their pairs."""
    hops = hop_counts(*without(topology, failed), needed, np.flatnonzero(needed))
    count = int(needed.sum())
    return Distances(hops.routers, hops.endpoints, count * (count - 1) - int(hops.endpoints[1:].sum()))


def _is_steady(values: Sequence[float]) -> bool:
    batches = np.array(values).reshape(_BATCHES, -1)
    finite = np.isfinite(batches)
    if not finite.any(axis=1).all():
        return False
    means = np.where(finite, batches, 0).sum(axis=1) / finite.sum(axis=1)
    return bool(means.std(ddof=1) < _STEADY * means.mean()) if means.mean() else True
