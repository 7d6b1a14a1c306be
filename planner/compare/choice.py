"""Choice of the configuration of a family that best fits a number of endpoints.

The links limit the number of endpoints per router, see `planner.compare.capacity`; lower limits of the authors of a family
apply too. Of all configurations whose ports suffice the one with the minimum number of routers is chosen.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

from planner.compare.candidate import Candidate, Demand, endpoints_per_router, sort_key
from planner.compare.candidates import can_choose, candidates
from planner.compare.capacity import limit_of_candidate
from planner.compare.refusal import reason
from planner.errors import Infeasible, InputError
from planner.progress import Progress, silent

_MAX_BUILT = 300
"""Maximum number of candidates built to compute their distances."""


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


def _choice(candidate: Candidate, ports: int, demand: Demand, limit: float) -> Choice:
    chosen = endpoints_per_router(candidate, ports, demand, limit)
    section, endpoints = candidate.topology(chosen), chosen * candidate.leaves
    if demand.trimmed and endpoints > demand.minimum:
        family = section.pop("family")
        section = {"family": "planner.compare.trimmed", "network": family, "parameters": section, "endpoints": demand.minimum}
        endpoints = demand.minimum
    mean = limit_of_candidate(candidate).mean_hops
    return Choice(candidate.family, section, candidate.routers, candidate.radix, chosen, endpoints, mean, limit)
