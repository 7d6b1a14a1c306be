"""Rules of the bisection: the cut is one, and the lower bound is that of the spectrum."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check.basis.graph import components, spectral_bound
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation

_LARGE = 20_000
"""Routers up to which the spectrum is computed again."""

_EXACT = 500
"""Routers up to which the rounded bound must be met exactly."""


@rule(540, networks=True, each="bisection")
def bisection_bounds_hold(plan: Plan) -> Iterator[Violation]:
    """The stored halves are halves of each plane, joined by the stated links; the spectrum gives the stated lower bound."""
    found, topology, rule = plan.bisection, plan.topology, "bisection_bounds_hold"
    if found is None:
        return
    routers = topology.router_count
    # Planes are the parts of a network that no link joins; a network of one part is one plane.
    part = components(topology.links, routers) if found.plane.any() else np.zeros(routers, np.int64)
    yield from unequal(rule, found.plane, part, lambda router: f"router {router}", "plane")
    counts = np.bincount(part)
    halves = np.bincount(part, found.side, len(counts)).astype(np.int64)
    for plane in np.flatnonzero(np.abs(counts - 2 * halves) > 1)[:10].tolist():
        yield error(
            rule, f"the halves of plane {plane}", halves[plane], counts[plane] / 2, "routers", "differ by more than one router"
        )
    a, b = found.side[topology.links].reshape(-1, 2).T
    yield from unlike(rule, "the cut", found.upper, int((a != b).sum()), "links between the halves")
    yield from unlike(rule, "methods", min(found.found.values(), default=-1), found.upper, "the best of them is not the cut")
    rounded = math.ceil(found.spectral - 1e-6)
    if not rounded <= found.lower <= rounded + len(counts) - 1:
        yield error(rule, "lower bound", found.lower, rounded, "links", "is not the spectral bound of each plane, rounded up")
    for method, links in found.found.items():
        if links < found.lower:
            yield error(rule, method, links, found.lower, "links", "a cut below the lower bound")
    if not 2 <= routers <= _LARGE:
        return
    bounds = [spectral_bound(topology.links, part == plane) for plane in range(len(counts))]
    spectral = sum(bounds)
    # An eigenvalue found step by step is stated lower by the error that it may have.
    if not np.isclose(found.spectral, spectral, rtol=1e-4, atol=1e-6):
        yield error(rule, "spectral bound", found.spectral, spectral, "links", "is not that of the Laplacian")
    # In large networks the stated bound is lower by the error that its eigenvalue may have.
    lower = sum(math.ceil(bound - 1e-6) for bound in bounds)
    slack = 0 if routers <= _EXACT else len(counts) + lower // 1000
    if not lower - slack <= found.lower <= lower + slack:
        yield error(rule, "lower bound", found.lower, lower, "links", "is not that of the Laplacian, rounded up in each plane")
