"""Rules of the bisection: the cut is one, and the lower bound is that of the spectrum."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check._graph import laplacian_gap
from planner.check._places import error, unlike
from planner.check._rule import rule
from planner.model import Plan, Violation

_LARGE = 20_000
"""Routers up to which the spectrum is computed again."""


@rule(540, networks=True, each="bisection")
def bisection_bounds_hold(plan: Plan) -> Iterator[Violation]:
    """The stored halves are halves and are joined by the stated links; the spectrum gives the stated lower bound."""
    found, topology, rule = plan.bisection, plan.topology, "bisection_bounds_hold"
    if found is None:
        return
    routers = topology.router_count
    halves = int(found.side.sum())
    if abs(routers - 2 * halves) > 1:
        yield error(rule, "the halves", halves, routers / 2, "routers", "differ by more than one router")
    a, b = found.side[topology.links].reshape(-1, 2).T
    yield from unlike(rule, "the cut", found.upper, int((a != b).sum()), "links between the halves")
    yield from unlike(rule, "methods", min(found.found.values(), default=-1), found.upper, "the best of them is not the cut")
    yield from unlike(rule, "lower bound", found.lower, math.ceil(found.spectral - 1e-6), "is not the spectral bound rounded up")
    for method, links in found.found.items():
        if links < found.lower:
            yield error(rule, method, links, found.lower, "links", "a cut below the lower bound")
    if not 2 <= routers <= _LARGE:
        return
    gap = laplacian_gap(topology.links, routers)
    spectral = gap * (routers // 2) * ((routers + 1) // 2) / routers
    # An eigenvalue found step by step is stated lower by the error that it may have.
    if not np.isclose(found.spectral, spectral, rtol=1e-4, atol=1e-6):
        yield error(rule, "spectral bound", found.spectral, spectral, "links", "is not that of the Laplacian")
