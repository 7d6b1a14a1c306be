"""Choice of the configuration of a family that best fits a number of endpoints, or the reason why there is none.

The links limit the number of endpoints per router, see `planner.studies.explore.capacity`; lower limits of the authors of a
family apply too. Of all configurations whose ports suffice the one with the minimum number of routers is chosen.
"""

from __future__ import annotations

import heapq
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Any

from planner.core.errors import Infeasible, InputError
from planner.core.progress import Progress, silent
from planner.studies.explore.candidate import (
    MAX_OVERSIZE,
    TOLERANCE,
    Candidate,
    Demand,
    endpoints_per_router,
    max_endpoints,
    parameter_text,
    sort_key,
)
from planner.studies.explore.candidates import can_choose, candidates
from planner.studies.explore.capacity import limit_of_candidate

_MAX_BUILT = 300
"""Maximum number of candidates built to compute their distances."""

_TRIED, _MAX_TRIED_ROUTERS = 5, 20_000
"""Number of configurations built to determine the oversubscription that they need, and their maximum size."""

_NEAR, _CLEARLY = 1.25, 0.15
"""How far outside a range of endpoints members are tried, as a factor, and the share of routers from which they are named."""

_MAX_REMEDY = 4
"""Maximum oversubscription, and maximum factor of ports, suggested as a remedy."""


@dataclass(frozen=True)
class Choice:
    """A chosen configuration.

    Attributes
    ----------
    topology
        The section ``[topology]`` of its study.
    limit
        Limit of endpoints per router without oversubscription.
    """

    family: str
    topology: dict[str, Any]
    routers: int
    radix: int
    endpoints_per_router: int
    endpoints: int
    mean_hops: float
    limit: float


def choose(
    family: str, ports: int, demand: Demand, *, radixes: tuple[int, int] | None = None, progress: Progress = silent
) -> Choice:
    """Return the best-fitting configuration of a family.

    Parameters
    ----------
    ports
        Ports per router, for links and endpoints.
    radixes
        Minimum and maximum links per router; by default any that the ports allow.

    Raises
    ------
    Infeasible
        When the family has none; the message names the binding limit.

    Examples
    --------
    >>> found = choose("dragonfly", 36, Demand(5000))
    >>> found.routers, found.topology
    (558, {'family': 'dragonfly', 'a': 18, 'h': 10, 'groups': 31, 'endpoints_per_router': 9})
    """
    if not can_choose(family):
        raise Infeasible(f"{family} cannot list its configurations; write its parameters under [[network]]")
    known = candidates(family, ports, demand)
    if radixes is not None:
        known = [each for each in known if radixes[0] <= each.radix <= radixes[1]]
    heap = [
        (key, number, False)
        for number, each in enumerate(known)
        if (key := sort_key(each, ports, demand, each.limit)) is not None
    ]
    heapq.heapify(heap)
    limits: dict[int, float] = {}
    while heap:
        _, number, exact = heapq.heappop(heap)
        candidate = known[number]
        if exact:
            return _choice(candidate, ports, demand, limits[number])
        if len(limits) == _MAX_BUILT:
            raise Infeasible(f"{family}: none of the {_MAX_BUILT} smallest candidates is large enough")
        progress("choice", len(limits), _MAX_BUILT, family=family)
        try:
            limits[number] = min(candidate.limit, limit_of_candidate(candidate).endpoints)
        except (Infeasible, InputError):
            # Nearly complete random graphs that cannot be drawn, and parameters without a network.
            limits[number] = 0.0
        key = sort_key(candidate, ports, demand, limits[number])
        if key is not None:
            heapq.heappush(heap, (key, number, True))
    raise Infeasible(reason(family, ports, demand, known, limits))


def better_outside(choice: Choice, ports: int, demand: Demand, *, progress: Progress = silent) -> str:
    """Return the member just outside a range of endpoints that needs clearly fewer routers for each endpoint; "" if none does."""
    if demand.maximum is None:
        return ""
    ranges = ((demand.maximum + 1, ceil(demand.maximum * _NEAR)), (ceil(demand.minimum / _NEAR), demand.minimum - 1))
    found = []
    for low, high in ranges:
        if 1 <= low <= high:
            with suppress(Infeasible):
                found.append(choose(choice.family, ports, replace(demand, minimum=low, maximum=high), progress=progress))
    best = min(found, key=lambda each: each.routers / each.endpoints, default=choice)
    saved = 1 - best.routers / best.endpoints * choice.endpoints / choice.routers
    if saved < _CLEARLY:
        return ""
    limits = f"{demand.minimum:,} to {demand.maximum:,} endpoints"
    return (
        f"{limits} exclude a better member: {best.endpoints:,} endpoints with {best.routers:,} routers, "
        f"{saved:.0%} fewer for each endpoint than {choice.endpoints:,} with {choice.routers:,}"
    )


def _choice(candidate: Candidate, ports: int, demand: Demand, limit: float) -> Choice:
    chosen = endpoints_per_router(candidate, ports, demand, limit)
    assert chosen is not None  # only candidates that reach the demand are chosen
    section, endpoints = candidate.topology(chosen), chosen * candidate.leaves
    if demand.trimmed and endpoints > demand.minimum:
        family = section.pop("family")
        section = {
            "family": "planner.studies.compare.trimmed",
            "network": family,
            "parameters": section,
            "endpoints": demand.minimum,
        }
        endpoints = demand.minimum
    mean = limit_of_candidate(candidate).mean_hops
    return Choice(candidate.family, section, candidate.routers, candidate.radix, chosen, endpoints, mean, limit)


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
