"""Candidate configurations of a family, the demand for endpoints, and the order of candidates that meet it."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf
from typing import Any

from planner.network.metrics import min_mean

MAX_ROUTERS = 100_000
"""Upper limit of candidate sizes."""

CLASS_MARGIN = 1.25
"""Allowed ratio of load to capacity of one link class on shortest paths, if all links together suffice.

Networks that their authors call balanced are within it: 1.23 inside the supernodes of PolarStar (q = 11, d' = 3, 5 endpoints
per router), 1.18 between the groups of a Dragonfly (a = 12, h = 6, 6 endpoints).
"""

TOLERANCE = 1.01
"""Tolerated oversubscription: tori of size eight, for example, miss the rule by n / (n - 1)."""

MAX_OVERSIZE = 2
"""Maximum ratio of the endpoints of a configuration to the demand."""


@dataclass(frozen=True)
class Demand:
    """Required number of endpoints.

    Attributes
    ----------
    minimum
        Minimum number.
    maximum
        Maximum number; None if `minimum` is the target and a surplus is not wanted.
    oversubscription
        Allowed ratio of the injection rate of all endpoints to the link capacity.
    trimmed
        Whether endpoints above `minimum` are removed.
    """

    minimum: int
    maximum: int | None = None
    oversubscription: float = 1.0
    trimmed: bool = False


@dataclass(frozen=True)
class Candidate:
    """One configuration of a family, without a number of endpoints.

    Attributes
    ----------
    parameters
        Parameters for `planner.network.topology.build`, without family and endpoints.
    key
        Parameter for the number of endpoints per router.
    radix
        Maximum number of links per router.
    leaves, leaf_links
        Number of routers with endpoints, and links of each.
    limit
        Upper bound of the endpoints per router, by the balance rule of the family or the Moore bound of the mean distance.
    """

    family: str
    parameters: dict[str, Any]
    key: str
    routers: int
    radix: int
    leaves: int
    leaf_links: int
    limit: float

    def topology(self, endpoints: int) -> dict[str, Any]:
        """Return the section ``[topology]`` of a study with a number of endpoints at each router that has endpoints."""
        return {"family": self.family} | self.parameters | {self.key: endpoints}


def global_link_limit(links: int, groups: int) -> float:
    """Return the limit of endpoints per router with `links` links to other groups, which nearly every packet uses."""
    return CLASS_MARGIN * links * groups / (groups - 1)


def flat(family: str, parameters: dict[str, Any], routers: int, radix: int, balance: float = inf) -> Candidate:
    """Return a candidate whose routers all have endpoints, limited by the minimum mean distance of its degree."""
    mean = min_mean(routers, radix)
    bound = radix / mean if mean else inf
    return Candidate(family, parameters, "endpoints_per_router", routers, radix, routers, radix, min(balance, bound))


def leafy(
    family: str, parameters: dict[str, Any], routers: int, radix: int, leaves: int, leaf_links: int, balance: float
) -> Candidate:
    return Candidate(family, parameters, "endpoints_per_leaf", routers, radix, leaves, leaf_links, balance)


def parameter_text(parameters: dict[str, Any]) -> str:
    """Return the parameters of a family as text, without empty ones.

    >>> parameter_text({"nucleus": "hyperx", "nucleus_parameters": {"sizes": [3, 2, 2]}, "removed": ()})
    'nucleus = hyperx, nucleus_parameters = (sizes = 3×2×2)'
    """
    return ", ".join(f"{name} = {_text(value)}" for name, value in parameters.items() if value not in (None, (), []))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return f"({parameter_text(value)})"
    return "×".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def max_endpoints(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int:
    """Return the maximum number of endpoints per router with endpoints."""
    rate = limit * demand.oversubscription * TOLERANCE
    by_rule = floor(rate) if rate < inf else ports
    return max(0, min(by_rule, ports - candidate.leaf_links)) if candidate.radix <= ports else 0


def endpoints_per_router(candidate: Candidate, ports: int, demand: Demand, limit: float) -> int | None:
    """Return the number of endpoints per router with endpoints; None if there is none that meets the demand."""
    limit = max_endpoints(candidate, ports, demand, limit)
    lower = -(-demand.minimum // candidate.leaves)
    chosen = lower if demand.maximum is None else min(limit, demand.maximum // candidate.leaves)
    oversized = demand.maximum is None and chosen * candidate.leaves > MAX_OVERSIZE * demand.minimum
    return chosen if lower <= chosen <= limit and not oversized else None


def sort_key(candidate: Candidate, ports: int, demand: Demand, limit: float) -> tuple[float, ...] | None:
    """Return the sort key: number of routers, then links, then surplus endpoints; None if the demand is not met."""
    chosen = endpoints_per_router(candidate, ports, demand, limit)
    if chosen is None:
        return None
    endpoints = chosen * candidate.leaves
    share = 1 if demand.maximum is None else endpoints
    return candidate.routers / share, candidate.routers * candidate.radix / share, endpoints / share
