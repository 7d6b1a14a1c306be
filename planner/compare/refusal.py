"""Why a family has no configuration that meets a demand, and what would."""

from __future__ import annotations

import heapq
from contextlib import suppress
from dataclasses import replace
from math import ceil, inf

from planner.compare.candidate import (
    MAX_OVERSIZE,
    TOLERANCE,
    Candidate,
    Demand,
    endpoints_per_router,
    max_endpoints,
    parameter_text,
)
from planner.compare.candidates import candidates
from planner.compare.capacity import limit_of_candidate
from planner.errors import Infeasible, InputError

_TRIED, _MAX_TRIED_ROUTERS = 5, 20_000
"""Number of configurations built to determine the oversubscription that they need, and their maximum size."""

_MAX_REMEDY = 4
"""Maximum oversubscription, and maximum factor of ports, suggested as a remedy."""


def reason(family: str, ports: int, demand: Demand, known: list[Candidate], limits: dict[int, float]) -> str:
    """Return the reason why no candidate meets the demand, with a remedy."""
    remedy = _oversubscription(ports, demand, known) or _ports(family, ports, demand)
    fits = [(number, each) for number, each in enumerate(known) if max_endpoints(each, ports, demand, each.limit)]
    if not fits and any(each.leaf_links < ports >= each.radix for each in known):
        return f"{family}: the links support less than one endpoint per router{remedy}"
    if not fits:
        return f"{family}: no configuration leaves a port of {ports} for endpoints{remedy}"
    reach = {number: each.leaves * max_endpoints(each, ports, demand, limits.get(number, each.limit)) for number, each in fits}
    number = max(reach, key=lambda n: (reach[n], -known[n].routers))
    largest, endpoints = known[number], reach[number]
    if endpoints < demand.minimum:
        return (
            f"{family}: at most {endpoints:,} of {demand.minimum:,} endpoints with {ports} ports "
            f"({_description(largest, endpoints // largest.leaves)}){remedy}"
        )
    sizes = {each.leaves * p for n, each in fits for p in range(1, reach[n] // each.leaves + 1)}
    upper = MAX_OVERSIZE * demand.minimum if demand.maximum is None else demand.maximum
    below, above = [size for size in sizes if size < demand.minimum], [size for size in sizes if size > upper]
    near = [max(below, default=None), min(above, default=None)]
    nearest = " and ".join(f"{size:,}" for size in near if size is not None)
    return f"{family}: no configuration has {demand.minimum:,} to {upper:,} endpoints; the nearest sizes are {nearest}"


def _oversubscription(ports: int, demand: Demand, known: list[Candidate]) -> str:
    """Return the minimum oversubscription that makes a configuration feasible, as text; "" if it is too large."""
    plenty = replace(demand, oversubscription=inf)
    needed = [
        (chosen / each.limit, number, chosen)
        for number, each in enumerate(known)
        if (chosen := endpoints_per_router(each, ports, plenty, each.limit)) and each.limit
    ]
    exact = []
    for _, number, chosen in heapq.nsmallest(_TRIED, needed):
        if known[number].routers > _MAX_TRIED_ROUTERS:
            continue
        with suppress(Infeasible, InputError):
            exact.append((chosen / min(known[number].limit, limit_of_candidate(known[number]).endpoints), number, chosen))
    if not needed:
        return ""
    times, number, chosen = min(exact or needed)
    over = ceil(10 * times / TOLERANCE) / 10
    words = "would suffice" if exact else "or more would be necessary"
    return f"; oversubscription = {over:g} {words} ({_description(known[number], chosen)})" if over <= _MAX_REMEDY else ""


def _ports(family: str, ports: int, demand: Demand) -> str:
    """Return the minimum number of ports, as text; "" if no configuration is large enough."""
    plenty = _MAX_REMEDY * ports
    needed = [
        (each.leaf_links + chosen, number, chosen, each)
        for number, each in enumerate(candidates(family, plenty, demand))
        if (chosen := endpoints_per_router(each, plenty, demand, each.limit)) and each.radix <= each.leaf_links + chosen
    ]
    if not needed:
        return ""
    minimum, _, chosen, each = min(needed)
    return f"; at least {minimum} ports would be necessary ({_description(each, chosen)})"


def _description(candidate: Candidate, endpoints: int) -> str:
    """Describe a configuration with a number of endpoints per router."""
    words = f"{parameter_text(candidate.parameters)}: " if candidate.parameters else ""
    return f"{words}{candidate.leaves:,} routers with {endpoints} endpoint{'s' * (endpoints != 1)} each"
