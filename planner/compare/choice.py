"""Choice of the configuration of a family that best fits a number of endpoints.

If every endpoint sends at full rate to all others, spread over all shortest paths, the links of a network carry
p · mean hops phits per cycle for each router with p endpoints. The number of endpoints per router is limited so that all links
together suffice, and that the load of no link class exceeds its capacity by more than a quarter; lower limits of the authors
of a family apply too. Of all configurations whose ports suffice the one with the minimum number of routers is chosen.
"""

from __future__ import annotations

import heapq
import json
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, floor, inf
from typing import Any

import numpy as np

from planner.compare.candidate import CLASS_MARGIN, Candidate, Demand, parameter_text
from planner.compare.candidates import can_choose, candidates
from planner.errors import Infeasible, InputError
from planner.kernels.graph.brandes import spread_traffic
from planner.metrics import distances
from planner.model import Topology
from planner.progress import Progress, silent
from planner.topology import build

_TOLERANCE = 1.01
"""Tolerated oversubscription: tori of size eight, for example, miss the rule by n / (n - 1)."""

_MAX_OVERSIZE = 2
"""Maximum ratio of the endpoints of a configuration to the demand."""

_MAX_BUILT = 300
"""Maximum number of candidates built to compute their distances."""

_SOURCES = 128
"""Number of source routers for the load of link classes, evenly among those with endpoints."""


@dataclass(frozen=True)
class Limit:
    """Capacity of the links of a network.

    Attributes
    ----------
    mean_hops
        Mean hops between routers with endpoints.
    by_all, by_class
        Limit of endpoints per router by all links together, and by the link class with the highest load.
    """

    mean_hops: float
    by_all: float
    by_class: float

    @property
    def endpoints(self) -> float:
        """Limit of endpoints per router."""
        return min(self.by_all, CLASS_MARGIN * self.by_class)


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


def choose(family: str, ports: int, demand: Demand, *, progress: Progress = silent) -> Choice:
    """Return the best-fitting configuration of a family.

    Parameters
    ----------
    ports
        Ports per router, for links and endpoints.

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
    heap = [
        (key, number, False)
        for number, each in enumerate(known)
        if (key := _sort_key(each, ports, demand, each.limit)) is not None
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
            limits[number] = min(candidate.limit, _limit(candidate).endpoints)
        except (Infeasible, InputError):
            # Nearly complete random graphs that cannot be drawn, and parameters without a network.
            limits[number] = 0.0
        key = _sort_key(candidate, ports, demand, limits[number])
        if key is not None:
            heapq.heappush(heap, (key, number, True))
    raise Infeasible(_reason(family, ports, demand, known, limits))


def limit_of(topology: Topology) -> Limit:
    """Return the limits of endpoints per router by the links of a network.

    Examples
    --------
    >>> found = limit_of(build("hyperx", sizes=[9, 9, 8]))
    >>> round(found.mean_hops, 4), round(found.by_all, 2), round(found.by_class, 2)
    (2.6569, 8.66, 7.99)
    """
    leaves = np.flatnonzero(topology.endpoints_of)
    mean = distances(topology).endpoint_mean
    if not mean:
        return Limit(0.0, inf, inf)
    return Limit(mean, 2 * topology.link_count / (len(leaves) * mean), _by_class(topology, leaves))


def _by_class(topology: Topology, leaves: np.ndarray) -> float:
    """Return the limit of endpoints per router by the link class with the highest load, over all shortest paths."""
    routers, ports = topology.router_count, len(topology.indices)
    sources = leaves[np.linspace(0, len(leaves) - 1, min(len(leaves), _SOURCES)).astype(int)]
    rows = np.zeros((len(sources), routers))
    rows[:, leaves] = 1 / (len(leaves) - 1)
    load = np.zeros(ports)
    paths, share = np.zeros((2, routers))
    hops, queue = np.empty((2, routers), np.int32)
    spread_traffic(topology.indptr, topology.indices, sources, rows, load, paths, share, hops, queue)
    of_class = topology.link_class[topology.link]
    load_of_class = np.bincount(of_class, load) / len(sources) * len(leaves)
    links_of_class = np.bincount(of_class)
    used = load_of_class > 0
    return float((links_of_class[used] / load_of_class[used]).min())


def _limit(candidate: Candidate) -> Limit:
    return _built(json.dumps(candidate.topology(1), sort_keys=True))


@cache
def _built(section: str) -> Limit:
    return limit_of(build(**json.loads(section)))


def _max_endpoints(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int:
    """Return the maximum number of endpoints per router with endpoints."""
    rate = limit * demand.oversubscription * _TOLERANCE
    by_rule = floor(rate) if rate < inf else ports
    return max(0, min(by_rule, ports - candidate.leaf_links)) if candidate.radix <= ports else 0


def _at_router(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int | None:
    """Return the number of endpoints per router with endpoints; None if there is none that meets the demand."""
    limit = _max_endpoints(candidate, ports, demand, limit)
    lower = -(-demand.minimum // candidate.leaves)
    chosen = lower if demand.maximum is None else min(limit, demand.maximum // candidate.leaves)
    oversized = demand.maximum is None and chosen * candidate.leaves > _MAX_OVERSIZE * demand.minimum
    return chosen if lower <= chosen <= limit and not oversized else None


def _sort_key(candidate: Candidate, ports: int, demand: Demand, limit: float) -> tuple[float, ...] | None:
    """Return the sort key: number of routers, then links, then surplus endpoints; None if the demand is not met."""
    chosen = _at_router(candidate, ports, demand, limit)
    if chosen is None:
        return None
    endpoints = chosen * candidate.leaves
    share = 1 if demand.maximum is None else endpoints
    return candidate.routers / share, candidate.routers * candidate.radix / share, endpoints / share


def _choice(candidate: Candidate, ports: int, demand: Demand, limit: float) -> Choice:
    chosen = _at_router(candidate, ports, demand, limit)
    section, endpoints = candidate.topology(chosen), chosen * candidate.leaves
    if demand.trimmed and endpoints > demand.minimum:
        family = section.pop("family")
        section = {"family": "planner.compare.trimmed", "network": family, "parameters": section, "endpoints": demand.minimum}
        endpoints = demand.minimum
    mean = _limit(candidate).mean_hops
    return Choice(candidate.family, section, candidate.routers, candidate.radix, chosen, endpoints, mean, limit)


def _reason(family: str, ports: int, demand: Demand, known: list[Candidate], limits: dict[int, float]) -> str:
    """Return the reason why no candidate meets the demand, with a remedy."""
    remedy = _oversubscription(ports, demand, known) or _ports(family, ports, demand)
    fits = [(number, each) for number, each in enumerate(known) if _max_endpoints(each, ports, demand, each.limit)]
    if not fits and any(each.leaf_links < ports >= each.radix for each in known):
        return f"{family}: the links support less than one endpoint per router{remedy}"
    if not fits:
        return f"{family}: no configuration leaves a port of {ports} for endpoints{remedy}"
    reach = {number: each.leaves * _max_endpoints(each, ports, demand, limits.get(number, each.limit)) for number, each in fits}
    number = max(reach, key=lambda n: (reach[n], -known[n].routers))
    largest, endpoints = known[number], reach[number]
    if endpoints < demand.minimum:
        return (
            f"{family}: at most {endpoints:,} of {demand.minimum:,} endpoints with {ports} ports "
            f"({_description(largest, endpoints // largest.leaves)}){remedy}"
        )
    sizes = {each.leaves * p for n, each in fits for p in range(1, reach[n] // each.leaves + 1)}
    upper = _MAX_OVERSIZE * demand.minimum if demand.maximum is None else demand.maximum
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
        if (chosen := _at_router(each, ports, plenty, each.limit)) and each.limit
    ]
    exact = []
    for _, number, chosen in heapq.nsmallest(_TRIED, needed):
        if known[number].routers > _MAX_TRIED_ROUTERS:
            continue
        with suppress(Infeasible, InputError):
            exact.append((chosen / min(known[number].limit, _limit(known[number]).endpoints), number, chosen))
    if not needed:
        return ""
    times, number, chosen = min(exact or needed)
    over = ceil(10 * times / _TOLERANCE) / 10
    words = "would suffice" if exact else "or more would be necessary"
    return f"; oversubscription = {over:g} {words} ({_description(known[number], chosen)})" if over <= _MAX_REMEDY else ""


def _ports(family: str, ports: int, demand: Demand) -> str:
    """Return the minimum number of ports, as text; "" if no configuration is large enough."""
    needed = [
        (each.leaf_links + chosen, number, chosen, each)
        for number, each in enumerate(candidates(family, _MAX_REMEDY * ports, demand))
        if (chosen := _at_router(each, _MAX_REMEDY * ports, demand, each.limit)) and each.radix <= each.leaf_links + chosen
    ]
    if not needed:
        return ""
    minimum, _, chosen, each = min(needed)
    return f"; at least {minimum} ports would be necessary ({_description(each, chosen)})"


_TRIED, _MAX_TRIED_ROUTERS = 5, 20_000
"""Number of configurations built to determine the oversubscription that they need, and their maximum size."""

_MAX_REMEDY = 4
"""Maximum oversubscription, and maximum factor of ports, suggested as a remedy."""


def _description(candidate: Candidate, endpoints: int) -> str:
    """Describe a configuration with a number of endpoints per router."""
    words = f"{parameter_text(candidate.parameters)}: " if candidate.parameters else ""
    return f"{words}{candidate.leaves:,} routers with {endpoints} endpoint{'s' * (endpoints != 1)} each"
