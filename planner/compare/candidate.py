"""One network that a family could be, and how many endpoints are wanted of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from planner.metrics import min_mean

MAX_ROUTERS = 100_000
"""Larger networks are not looked at."""


@dataclass(frozen=True)
class Demand:
    """How many endpoints are wanted.

    Attributes
    ----------
    minimum
        At least so many.
    maximum
        At most so many; None where just `least` are wanted, and what is above is not asked for.
    oversubscription
        How many times as much as the links carry all endpoints may send.
    trimmed
        Whether endpoints above `least` are left out.
    """

    minimum: int
    maximum: int | None = None
    oversubscription: float = 1.0
    trimmed: bool = False


@dataclass(frozen=True)
class Candidate:
    """One network that a family can be, endpoints left open.

    Attributes
    ----------
    parameters
        What `planner.topology.build` takes, besides the family and the endpoints.
    key
        The parameter that says how many endpoints a router has.
    radix
        Most links of a router.
    leaves, leaf_links
        Routers with endpoints, and the links of each.
    limit
        No more endpoints at a router than this, by the family's own balance or by what no graph of this size exceeds.
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
        """Return the section ``[topology]`` of a study with so many endpoints at each router that has any."""
        return {"family": self.family} | self.parameters | {self.key: endpoints}


CLASS_MARGIN = 1.25
"""How much more than they carry shortest ways may ask of the links of one class, as long as all links together suffice.

Networks that their authors call balanced are within it: 1.23 inside the supernodes of PolarStar (q = 11, d' = 3, 5 endpoints
at a router), 1.18 between the groups of a Dragonfly (a = 12, h = 6, 6 endpoints).
"""


def global_link_limit(links: int, groups: int) -> float:
    """Endpoints at a router with so many links to other groups: nearly every packet takes one of them."""
    return CLASS_MARGIN * links * groups / (groups - 1)


def flat(family: str, parameters: dict[str, Any], routers: int, radix: int, balance: float = inf) -> Candidate:
    """A network whose routers all have endpoints; no graph of this degree has a smaller mean distance than `min_mean`."""
    mean = min_mean(routers, radix)
    bound = radix / mean if mean else inf
    return Candidate(family, parameters, "endpoints_per_router", routers, radix, routers, radix, min(balance, bound))


def leafy(
    family: str, parameters: dict[str, Any], routers: int, radix: int, leaves: int, leaf_links: int, balance: float
) -> Candidate:
    return Candidate(family, parameters, "endpoints_per_leaf", routers, radix, leaves, leaf_links, balance)


def in_words(parameters: dict[str, Any]) -> str:
    """Return the parameters of a family as they are told; empty ones are not.

    >>> in_words({"nucleus": "hyperx", "nucleus_parameters": {"sizes": [3, 2, 2]}, "removed": ()})
    'nucleus = hyperx, nucleus_parameters = (sizes = 3×2×2)'
    """
    return ", ".join(f"{name} = {_text(value)}" for name, value in parameters.items() if value not in (None, (), []))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return f"({in_words(value)})"
    return "×".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
