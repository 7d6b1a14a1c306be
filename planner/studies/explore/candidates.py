"""Candidate configurations of a family for a number of router ports."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from planner.core import registry
from planner.network.topology.slimfly import degree_of
from planner.studies.explore import MAX_RADIX, explore, families
from planner.studies.explore.any_size import ANY_SIZE
from planner.studies.explore.candidate import MAX_ROUTERS, Candidate, Demand, flat, global_link_limit, leafy


def candidates(family: str, ports: int, demand: Demand) -> list[Candidate]:
    """Return the candidates of a family with routers of `ports` ports; [] for families without a rule or of planes not joined.

    Examples
    --------
    >>> found = candidates("slimfly", 20, Demand(100))
    >>> [(c.parameters["q"], c.routers, c.radix) for c in found if c.radix < 12]
    [(3, 18, 5), (4, 32, 6), (5, 50, 7), (7, 98, 11)]
    """
    if family in ANY_SIZE:
        return list(ANY_SIZE[family](ports, demand))
    if not can_choose(family):
        return []
    found: list[Candidate] = []
    for item in explore(range(1, min(ports, MAX_RADIX) + 1), [family], routers=(2, MAX_ROUTERS)):
        if family == "dragonfly":
            found += _dragonflies(item.parameters, item.radix) if item.radix < ports else ()
        elif family == "megafly":
            s, rho = item.parameters["a"] // 2, item.parameters["rho"]
            found.append(leafy(family, item.parameters, item.routers, item.radix, item.routers // 2, s, min(s, rho)))
        elif family == "polarstar" and not item.parameters["supernode_degree"]:
            # Without links inside supernodes it is a network of the family projective.
            continue
        elif item.radix < ports:
            found.append(flat(family, item.parameters, item.routers, item.radix, _balance(family, item.parameters)))
    return found


def can_choose(family: str) -> bool:
    """Return whether `candidates` supports a family."""
    return family in ANY_SIZE or (family in families() and getattr(registry.load("topology", family), "JOINED", True))


def all_families() -> list[str]:
    """Return all families except networks from files."""
    return [name for name in registry.names("topology") if name != "file"]


def _balance(family: str, parameters: dict[str, Any]) -> float:
    """Return the limit of endpoints per router by the balance rule of the authors, or by the links between groups.

    References
    ----------
    .. [1] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008 (a = 2p = 2h).
    """
    if family == "dragonfly":
        return min(parameters["h"], parameters["a"] / 2)
    if family == "polarstar":
        return global_link_limit(parameters["q"] + 1, parameters["q"] ** 2 + parameters["q"] + 1)
    if family == "bundlefly":
        return global_link_limit(degree_of(parameters["s"]), 2 * parameters["s"] ** 2)
    return inf


def _dragonflies(parameters: dict[str, Any], radix: int) -> Iterator[Candidate]:
    """Yield the maximum number of groups, and smaller numbers with equally many links between all pairs of groups."""
    a, h = parameters["a"], parameters["h"]
    for others in range(2, a * h + 1):
        if a * h % others == 0 and (routers := a * (others + 1)) <= MAX_ROUTERS:
            groups = {} if others == a * h else {"groups": others + 1}
            yield flat("dragonfly", parameters | groups, routers, radix, _balance("dragonfly", parameters))
