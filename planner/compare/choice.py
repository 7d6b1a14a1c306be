"""The configuration of a family that fits a number of endpoints best.

With every endpoint sending at full rate to all others, spread over all shortest ways, the links of a network must carry
p · mean hops phits a cycle for each router with p endpoints. A router has at most so many endpoints that all links together
suffice, and that no class of links is asked for more than a quarter above what it carries; where the authors of a family ask
for less, that holds as well. Of all configurations whose ports suffice the one with the fewest routers is chosen.
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

from planner.compare.candidate import CLASS_MARGIN, Candidate, Demand, in_words
from planner.compare.candidates import can_choose, candidates
from planner.errors import Infeasible, InputError
from planner.kernels.graph.brandes import spread_traffic
from planner.metrics import distances
from planner.model import Topology
from planner.progress import Progress, silent
from planner.topology import build

_TOLERANCE = 1.01
"""A hundredth of oversubscription is forgiven: tori of eights, say, miss the rule by n / (n - 1)."""

_MAX_OVERSIZE = 2
"""A configuration with more than so many times the endpoints that are wanted is no answer."""

_MAX_BUILT = 300
"""Candidates that are built to learn their distances, at most."""

_SOURCES = 128
"""Routers from which the load of link classes is counted, evenly among those with endpoints."""


@dataclass(frozen=True)
class Limit:
    """What the links of a network can carry.

    Attributes
    ----------
    mean_hops
        Between routers with endpoints.
    by_all, by_class
        Endpoints at a router for which all links together suffice, and those of the class that is asked for most.
    """

    mean_hops: float
    by_all: float
    by_class: float

    @property
    def endpoints(self) -> float:
        """Most endpoints at a router."""
        return min(self.by_all, CLASS_MARGIN * self.by_class)


@dataclass(frozen=True)
class Choice:
    """A configuration and how it was found.

    Attributes
    ----------
    topology
        The section ``[topology]`` of its study.
    limit
        Endpoints at a router without oversubscription.
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
    """Return the configuration of a family that fits best.

    Parameters
    ----------
    ports
        Ports of a router, for links and endpoints together.

    Raises
    ------
    Infeasible
        When the family has none; the message says what binds.

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
            raise Infeasible(f"{family}: none of the {_MAX_BUILT} smallest configurations that seem large enough is")
        progress("choice", len(limits), _MAX_BUILT, family=family)
        try:
            limits[number] = min(candidate.limit, _limit(candidate).endpoints)
        except (Infeasible, InputError):
            # Nearly complete random graphs that no draw makes, and members of a family that turn out not to exist.
            limits[number] = 0.0
        key = _sort_key(candidate, ports, demand, limits[number])
        if key is not None:
            heapq.heappush(heap, (key, number, True))
    raise Infeasible(_reason(family, ports, demand, known, limits))


def limit_of(topology: Topology) -> Limit:
    """Return how many endpoints at a router the links of a network carry.

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
    """Endpoints at a router for which the links of every class suffice, spread over all shortest ways."""
    routers, ports = topology.router_count, len(topology.indices)
    sources = leaves[np.linspace(0, len(leaves) - 1, min(len(leaves), _SOURCES)).astype(int)]
    rows = np.zeros((len(sources), routers))
    rows[:, leaves] = 1 / (len(leaves) - 1)
    load = np.zeros(ports)
    paths, share = np.zeros((2, routers))
    hops, queue = np.empty((2, routers), np.int32)
    spread_traffic(topology.indptr, topology.indices, sources, rows, load, paths, share, hops, queue)
    of_class = topology.link_class[topology.link]
    asked = np.bincount(of_class, load) / len(sources) * len(leaves)
    there = np.bincount(of_class)
    return float((there[asked > 0] / asked[asked > 0]).min())


def _limit(candidate: Candidate) -> Limit:
    return _built(json.dumps(candidate.topology(1), sort_keys=True))


@cache
def _built(section: str) -> Limit:
    return limit_of(build(**json.loads(section)))


def _max_endpoints(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int:
    """Endpoints that each router with any may have."""
    rate = limit * demand.oversubscription * _TOLERANCE
    by_rule = floor(rate) if rate < inf else ports
    return max(0, min(by_rule, ports - candidate.leaf_links)) if candidate.radix <= ports else 0


def _at_router(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int | None:
    """Endpoints at each router with any; None where they are too few or too many."""
    most = _max_endpoints(candidate, ports, demand, limit)
    least = -(-demand.minimum // candidate.leaves)
    chosen = least if demand.maximum is None else min(most, demand.maximum // candidate.leaves)
    far = demand.maximum is None and chosen * candidate.leaves > _MAX_OVERSIZE * demand.minimum
    return chosen if least <= chosen <= most and not far else None


def _sort_key(candidate: Candidate, ports: int, demand: Demand, limit: float) -> tuple[float, ...] | None:
    """What is small for a good configuration: routers, of those that are as many the links, then the endpoints above."""
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
    """Why none of the known candidates will do."""
    remedy = _oversubscription(ports, demand, known) or _ports(family, ports, demand)
    fits = [(number, each) for number, each in enumerate(known) if _max_endpoints(each, ports, demand, each.limit)]
    if not fits and any(each.leaf_links < ports >= each.radix for each in known):
        return f"{family}: links carry less than one endpoint at each router{remedy}"
    if not fits:
        return f"{family}: no configuration leaves a port of {ports} for endpoints{remedy}"
    reach = {number: each.leaves * _max_endpoints(each, ports, demand, limits.get(number, each.limit)) for number, each in fits}
    number = max(reach, key=lambda n: (reach[n], -known[n].routers))
    largest, most = known[number], reach[number]
    if most < demand.minimum:
        return (
            f"{family}: at most {most:,} of {demand.minimum:,} endpoints with {ports} ports "
            f"({_words(largest, most // largest.leaves)}){remedy}"
        )
    sizes = {each.leaves * p for n, each in fits for p in range(1, reach[n] // each.leaves + 1)}
    greatest = _MAX_OVERSIZE * demand.minimum if demand.maximum is None else demand.maximum
    below, above = [size for size in sizes if size < demand.minimum], [size for size in sizes if size > greatest]
    near = [max(below, default=None), min(above, default=None)]
    told = " and ".join(f"{size:,}" for size in near if size is not None)
    return f"{family}: no configuration has {demand.minimum:,} to {greatest:,} endpoints; the nearest have {told}"


def _oversubscription(ports: int, demand: Demand, known: list[Candidate]) -> str:
    """The least oversubscription with which a configuration would do; nothing where it is much."""
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
    words = "would do" if exact else "at least would be needed"
    return f"; oversubscription = {over:g} {words} ({_words(known[number], chosen)})" if over <= _MAX_REMEDY else ""


def _ports(family: str, ports: int, demand: Demand) -> str:
    """How many ports would be needed at least; nothing where no configuration is large enough, whatever its ports."""
    needed = [
        (each.leaf_links + chosen, number, chosen, each)
        for number, each in enumerate(candidates(family, _MAX_REMEDY * ports, demand))
        if (chosen := _at_router(each, _MAX_REMEDY * ports, demand, each.limit)) and each.radix <= each.leaf_links + chosen
    ]
    if not needed:
        return ""
    least, _, chosen, each = min(needed)
    return f"; {least} ports at least would be needed ({_words(each, chosen)})"


_TRIED, _MAX_TRIED_ROUTERS = 5, 20_000
"""So many configurations are built to learn which oversubscription they would need, of at most so many routers."""

_MAX_REMEDY = 4
"""More oversubscription, or more times the ports, is no remedy."""


def _words(candidate: Candidate, endpoints: int) -> str:
    """A configuration with so many endpoints at each router that has any."""
    words = f"{in_words(candidate.parameters)}: " if candidate.parameters else ""
    return f"{words}{candidate.leaves:,} routers with {endpoints} endpoint{'s' * (endpoints != 1)} each"
