"""Number of endpoints at each router of a candidate, and the order of candidates that meet a demand."""

from __future__ import annotations

from math import floor, inf

from planner.compare.candidate import Candidate, Demand

TOLERANCE = 1.01
"""Tolerated oversubscription: tori of size eight, for example, miss the rule by n / (n - 1)."""

MAX_OVERSIZE = 2
"""Maximum ratio of the endpoints of a configuration to the demand."""


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
