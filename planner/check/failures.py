"""Rules of failure domains: their equipment, and figures of the surviving network by SciPy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check.basis.domains import Loss, losses
from planner.check.basis.graph import components, hop_counts, spectral_bound
from planner.check.basis.nodes import PLANES, joined_pairs, nodes
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Failures, Plan, Violation

_WORK = 10_000_000
"""Links times domains whose survivors are examined; in larger plans those of evenly spaced domains."""

_CLOSELY = 1500
"""Routers up to which hops and the spectrum of survivors are computed."""

_EXACT = 500
"""Routers up to which the spectral bound must be met exactly."""

_LARGE = 20_000
"""Routers up to which the worst domain of each kind is analyzed by default."""


@rule(520, each="failures")
def failures_of_the_plan(plan: Plan) -> Iterator[Violation]:
    """Each failure domain has the equipment of the plan, and leaves the connected components of the surviving network."""
    found, topology, rule = plan.failures, plan.topology, "failures_of_the_plan"
    if found is None:
        return
    settings = plan.study.get("failures", {})
    lost = losses(plan, settings.get("segments", True))
    kinds = tuple(dict.fromkeys(loss.kind for loss in lost))
    yield from unlike(rule, "kinds", found.kinds, kinds, "are not those of the plan")
    yield from unlike(
        rule, "network", (found.routers, found.endpoints), (topology.router_count, topology.endpoint_count), "sizes"
    )
    known = nodes(plan)
    if not any(np.array_equal(found.node, each) for each in known):
        yield from unequal(rule, found.node, known[-1], lambda end: f"endpoint {end}", "node")
        return
    have = [(found.kinds[kind], name) for kind, name in zip(found.kind.tolist(), found.names.tolist(), strict=True)]
    wanted = [(loss.kind, loss.name) for loss in lost]
    if have != wanted:
        one, two = next((pair for pair in zip(have, wanted, strict=False) if pair[0] != pair[1]), (len(have), len(wanted)))
        yield from unlike(rule, "domains", one, two, "is not the domain of the plan")
        return
    examined = np.linspace(0, len(lost) - 1, min(len(lost), max(1, _WORK // max(topology.link_count, 1)))).astype(int)
    figures = np.array([_left(plan, lost[number]) for number in examined.tolist()], np.int64).reshape(-1, 8)
    for column, field in enumerate(_FIGURES):
        yield from unequal(
            rule,
            getattr(found, field)[examined],
            figures[:, column],
            lambda n: _named(lost[examined[n]]),
            field.replace("_", " "),
        )


@rule(530, each="failures")
def failures_examined_in_detail(plan: Plan) -> Iterator[Violation]:
    """The worst domains of each kind have the hops of their survivors and the spectral bound of their halves."""
    found, topology, rule = plan.failures, plan.topology, "failures_examined_in_detail"
    if found is None:
        return
    settings = plan.study.get("failures", {})
    lost = losses(plan, settings.get("segments", True))
    if len(lost) != len(found.kind):
        return
    worst = settings.get("worst", int(topology.router_count <= _LARGE)) if settings else None
    close = np.flatnonzero(found.diameter >= 0) if worst is None else np.array(sorted(_worst(found, worst)), np.int64)
    computed = np.isin(np.arange(len(lost)), close)
    for field in ("diameter", "bisection_lower", "bisection_upper"):
        yield from unequal(
            rule, getattr(found, field) >= 0, computed, lambda n: _named(lost[n]), f"{field} is computed for the worst domains"
        )
    hops_known = ~np.isnan(found.mean_hops)
    yield from unequal(rule, hops_known, computed, lambda n: _named(lost[n]), "hops are computed for the worst domains")
    for number in close.tolist() if topology.router_count <= _CLOSELY else ():
        diameter, mean, lower = _close_figures(plan, lost[number])
        where = _named(lost[number])
        yield from unlike(rule, where, int(found.diameter[number]), diameter, "diameter")
        if not math.isclose(found.mean_hops[number], mean, rel_tol=1e-9, abs_tol=1e-9):
            yield error(rule, where, found.mean_hops[number], mean, "hops", "mean hops")
        # In large networks the stated bound is lower by the error that its eigenvalue may have.
        slack = 0 if topology.router_count <= _EXACT else 1 + lower // 1000
        if not lower - slack <= found.bisection_lower[number] <= lower:
            yield error(rule, where, found.bisection_lower[number], lower, "links", "lower bound of the bisection")
        if found.bisection_upper[number] < found.bisection_lower[number]:
            yield error(
                rule, where, found.bisection_upper[number], found.bisection_lower[number], "links", "a cut below its bound"
            )


_FIGURES = (
    "routers_lost", "links_lost", "endpoints_lost", "components", "largest_routers", "largest_endpoints",
    "pairs_failed", "pairs_disconnected",
)  # fmt: skip


def _named(loss: Loss) -> str:
    return f"{loss.kind} {loss.name}"


def _survivors(plan: Plan, loss: Loss) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the surviving routers, links and endpoints, as masks."""
    topology = plan.topology
    failed_routers, failed_links, failed_endpoints = loss.of(plan)
    routers = ~failed_routers
    links = ~failed_links & routers[topology.links].all(axis=1)
    return routers, links, ~failed_endpoints & routers[topology.endpoint_router]


def _left(plan: Plan, loss: Loss) -> tuple[int, ...]:
    """Return the figures of a failure, in the order of `_FIGURES`; ordered pairs, of routers in networks without endpoints."""
    topology = plan.topology
    routers, links, endpoints = _survivors(plan, loss)
    count = topology.router_count
    component = components(topology.links[links], count)
    size = np.bincount(component[routers], minlength=count)
    ends = np.bincount(component[topology.endpoint_router[endpoints]], minlength=count)
    largest = size.max(initial=0)
    # Of components of one size the one with more endpoints is the largest.
    fed = int(ends[size == largest].max(initial=0)) if largest else 0
    node = plan.failures.node
    whole = int(np.count_nonzero(np.bincount(node))) or count
    if len(node):
        left, joined = joined_pairs(node[endpoints], component[topology.endpoint_router[endpoints]])
    else:
        left, joined = int(size.sum()), int((size.astype(np.int64) * (size - 1)).sum())
    return (
        int((~routers).sum()), int((~links).sum()), int((~endpoints).sum()), int((size > 0).sum()), int(largest), fed,
        whole * (whole - 1) - left * (left - 1), left * (left - 1) - joined,
    )  # fmt: skip


def _worst(found: Failures, count: int) -> Iterator[int]:
    """Yield the worst domains of each kind by lost pairs, then by lost links, then in list order."""
    lost = (found.pairs_failed + found.pairs_disconnected).tolist()
    links = found.links_lost.tolist()
    for kind in range(len(found.kinds)):
        own = np.flatnonzero(found.kind == kind).tolist()
        yield from sorted(own, key=lambda number: (-lost[number], -links[number], number))[:count]


def _close_figures(plan: Plan, loss: Loss) -> tuple[int, float, int]:
    """Return diameter, mean hops and spectral lower bound of the bisection of the survivors."""
    routers, links, _ = _survivors(plan, loss)
    topology, number = plan.topology, np.cumsum(routers) - 1
    left, count = number[topology.links[links]], int(routers.sum())
    pairs = hop_counts(left, count)
    mean = float(pairs @ np.arange(len(pairs))) / max(int(pairs[1:].sum()), 1)
    if not len(left):
        return 0, mean, 0
    # Planes are halved one by one; a network of one plane as a whole, even where a failure has disconnected it.
    plane = np.zeros(count, np.int64)
    if len(np.unique(plan.failures.node)) < len(plan.failures.node) or topology.family in PLANES:
        plane = components(topology.links, topology.router_count)[routers]
    lower = sum(math.ceil(spectral_bound(left, plane == one) - 1e-6) for one in np.unique(plane))
    return len(pairs) - 1, mean, lower
