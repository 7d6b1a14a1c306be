"""The networks of a design space, and how many endpoints their routers may have."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import Any

from planner.domain.model import Catalog, Room
from planner.studies.explore.candidate import Candidate, Demand, max_endpoints
from planner.studies.explore.candidates import candidates

OVERSUBSCRIPTION = (2 / 3, 1.5)
"""Usual range of the ratio of injection rate to link capacity: below, links are idle; above, few loads fit."""


_DRAWN, _MAX_DENSITY = ("dln", "jellyfish", "mddp"), 0.5
"""Families of random graphs, and the maximum share of the other routers that a router is linked to: drawing denser ones takes
long, and they are nearly complete graphs."""


@dataclass(frozen=True, eq=False)
class Space:
    """What to explore.

    Attributes
    ----------
    room
        Room that holds each configuration.
    catalogs
        Parts; each entry has another router or endpoint, but all the same cabinet.
    endpoints
        Minimum and maximum number.
    families
        Topology families.
    routers, radixes
        Minimum and maximum number of routers, and of links per router.
    oversubscription
        Minimum and maximum ratio of the injection rate of all endpoints to what the links carry over minimal paths.
    seed
        Seed of the traffic.
    """

    room: Room
    catalogs: tuple[Catalog, ...]
    endpoints: tuple[int, int]
    families: tuple[str, ...]
    routers: tuple[int, int] = (2, 100_000)
    radixes: tuple[int, int] = (1, 512)
    oversubscription: tuple[float, float] = OVERSUBSCRIPTION
    seed: int = 1

    @property
    def fingerprint(self) -> str:
        """Identifies the space."""
        records = [self.room.fingerprint, *(each.fingerprint for each in self.catalogs)]
        numbers = [self.endpoints, self.families, self.routers, self.radixes, self.oversubscription, self.seed]
        return hashlib.sha256(json.dumps([records, numbers]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Network:
    """Routers and links, with one or several numbers of endpoints per router.

    Attributes
    ----------
    parameters
        Parameters for `planner.network.topology.build`, without family and endpoints.
    key
        Parameter for the number of endpoints per router.
    routers, radix
        Number of routers, and maximum number of links of one.
    endpoints
        Numbers of endpoints per router with endpoints, ascending, for each catalog of the space.
    """

    family: str
    parameters: dict[str, Any]
    key: str
    routers: int
    radix: int
    endpoints: tuple[tuple[int, ...], ...]

    @property
    def work(self) -> int:
        """Measure of the time that its estimates take: routers times ports."""
        return self.routers**2 * self.radix


def networks(space: Space) -> list[Network]:
    """Return the networks of a space by family and number of routers, each once."""
    ports = [catalog.router.ports for catalog in space.catalogs if catalog.router is not None]
    demand = Demand(*space.endpoints)
    found: dict[str, Network] = {}
    for family in dict.fromkeys(space.families):
        for count in sorted(set(ports)):
            for candidate in candidates(family, count, demand):
                if _within(candidate.routers, space.routers) and _within(candidate.radix, space.radixes) and _drawable(candidate):
                    _add(found, space, ports, candidate)
    return sorted(found.values(), key=lambda each: (each.family, each.routers, each.radix, json.dumps(each.parameters)))


def _drawable(candidate: Candidate) -> bool:
    return candidate.family not in _DRAWN or candidate.radix <= _MAX_DENSITY * candidate.routers


def _add(found: dict[str, Network], space: Space, ports: list[int], candidate: Candidate) -> None:
    """Add a candidate unless it is known or has no number of endpoints."""
    key = json.dumps([candidate.family, candidate.parameters], sort_keys=True)
    if key in found:
        return
    each = tuple(tuple(_endpoints(space, candidate, count)) for count in ports)
    if any(each):
        found[key] = Network(candidate.family, candidate.parameters, candidate.key, candidate.routers, candidate.radix, each)


def _endpoints(space: Space, candidate: Candidate, ports: int) -> Iterator[int]:
    """Yield the numbers of endpoints per router that ports, links and the space allow."""
    minimum, maximum = space.oversubscription
    demand = replace(Demand(1), oversubscription=maximum)
    lowest = ceil(minimum * candidate.limit) if isfinite(candidate.limit) else 1
    for each in range(max(1, lowest), max_endpoints(candidate, ports, demand, candidate.limit) + 1):
        if _within(each * candidate.leaves, space.endpoints):
            yield each


def _within(number: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= number <= bounds[1]
