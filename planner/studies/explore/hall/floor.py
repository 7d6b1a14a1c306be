"""Quick floor plan: routers with their endpoints fill cabinets group by group, cabinets fill the slots of the room in order.

Nothing is searched, so that a plan takes milliseconds: cables are somewhat longer than after placement. Trays are taken as
wide enough. `docs/explore.md` states the errors against complete plans.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.catalog import rows
from planner.domain.model import Catalog, Room, Topology
from planner.domain.parts import Assembly, EndpointPart, RouterPart, SparesPolicy
from planner.domain.pricelist import price_list
from planner.hall.floor.lengths import Lengths, Slack

_QUANTILES = 16
"""Number of lengths that stand for those inside a cabinet."""

_ROUNDING = 1e-6
"""Tolerance of sums of shares of a cabinet."""

_SPARES = "one-per-hundred"
"""Policy of spares, as by default on the bill."""


class Sums(NamedTuple):
    """Sums over cables."""

    cables: int
    between: int
    """Those between cabinets."""
    run_mm: int
    cents: int
    power_mw: int
    delay_ps: int
    reached: bool
    """Whether a part covers every length."""

    def plus(self, other: Sums) -> Sums:
        """Return the sums over both."""
        return Sums(
            self.cables + other.cables,
            self.between + other.between,
            self.run_mm + other.run_mm,
            self.cents + other.cents,
            self.power_mw + other.power_mw,
            self.delay_ps + other.delay_ps,
            self.reached and other.reached,
        )


class Floor(NamedTuple):
    """A network on the floor.

    Attributes
    ----------
    cabinets
        Number of cabinets.
    links, ends
        Cables of links and of endpoints.
    """

    cabinets: int
    links: Sums
    ends: Sums
    cost_cents: int
    power_mw: int


@dataclass(frozen=True, eq=False)
class Offers:
    """Cables of one kind by the slots of their ends.

    Attributes
    ----------
    run_mm
        Run length between the middles of cabinets in two slots, int32 (S, S).
    inside_mm
        Run lengths inside a cabinet, int64 (Q,): quantiles of the distance between two boxes in places drawn at random.
    offer, inside
        Index of the best offer for both; that after the last where no part is long enough.
    cents, power_mw, delay_ps
        Of each offer, both ends included, int64.
    """

    run_mm: np.ndarray
    inside_mm: np.ndarray
    offer: np.ndarray
    inside: np.ndarray
    cents: np.ndarray
    power_mw: np.ndarray
    delay_ps: np.ndarray

    @classmethod
    def of(cls, assemblies: tuple[Assembly, ...], run_mm: np.ndarray, inside_mm: np.ndarray) -> Offers:
        """Return the offers of some assemblies."""
        known = price_list(assemblies)
        chosen = [assemblies[number] for number in known.assembly]
        power = [2 * each.power_mw for each in chosen]
        delay = [
            int(stock) * each.delay_ps_per_m // 1000 + 2 * each.delay_end_ps
            for stock, each in zip(known.stock_mm, chosen, strict=True)
        ]
        offer, inside = (np.searchsorted(known.limit_mm, each).astype(np.int16) for each in (run_mm, inside_mm))
        return cls(
            run_mm,
            inside_mm,
            offer,
            inside,
            *(np.append(np.array(each, np.int64), 0) for each in (known.price_cents, power, delay)),
        )

    def sums(self, a: np.ndarray, b: np.ndarray) -> Sums:
        """Return the sums over cables between cabinets in slots a and b, int64 (N,)."""
        between = a != b
        a, b, inside = a[between], b[between], np.arange(len(a) - between.sum()) % len(self.inside_mm)
        number = np.bincount(np.concatenate([self.offer[a, b], self.inside[inside]]), minlength=len(self.cents))
        run_mm = int(self.run_mm[a, b].sum(dtype=np.int64)) + int(self.inside_mm[inside].sum())
        cents, power_mw, delay_ps = (int(number @ each) for each in (self.cents, self.power_mw, self.delay_ps))
        return Sums(len(between), len(a), run_mm, cents, power_mw, delay_ps, not number[-1])


class Hall:
    """The free slots of a room, and the parts that fill them.

    Raises
    ------
    InputError
        When the parts have no cable that serves one connection alone.
    """

    def __init__(self, room: Room, catalog: Catalog) -> None:
        if catalog.router is None or catalog.endpoint is None:
            raise InputError(Problem("catalog", "an exploration needs a router and an endpoint part", "name both"))
        for what, assemblies in (("routers", catalog.link_assemblies), ("endpoints", catalog.endpoint_assemblies)):
            if not assemblies:
                message = f"no cable serves one link of {what} with {catalog.router.id} alone"
                raise InputError(Problem("catalog", message, "name parts whose sockets have one port"))
        self.room, self.catalog = room, catalog
        self.router: RouterPart = catalog.router
        self.endpoint: EndpointPart = catalog.endpoint
        self.slots = np.flatnonzero(room.free)

    @cached_property
    def _limits(self) -> np.ndarray:
        """Units, power in milliwatts and mass in grams that each slot holds, float64 (S, 3)."""
        cabinet = self.catalog.cabinet
        load_g = np.minimum(self.room.load_left_g[self.slots] - cabinet.mass_g, cabinet.load_g or 2**62)
        power_mw = np.minimum(self.room.power_left_mw[self.slots], cabinet.power_max_mw or 2**62)
        return np.column_stack([np.full(len(self.slots), cabinet.units), power_mw, np.maximum(load_g, 0)]).astype(np.float64)

    @cached_property
    def _needs(self) -> tuple[np.ndarray, np.ndarray]:
        """The same needed by a router, and by an endpoint, float64 (3,)."""
        boxes = ((self.router, 1), (self.endpoint, self.endpoint.endpoints))
        router, endpoint = (np.array([box.units, box.power_max_mw, box.mass_g]) / count for box, count in boxes)
        return router, endpoint

    @cached_property
    def _policy(self) -> SparesPolicy:
        return next(row for row in rows("spares") if isinstance(row, SparesPolicy) and row.id == _SPARES)

    @cached_property
    def _run_mm(self) -> tuple[np.ndarray, np.ndarray]:
        """Run lengths between boxes in the middle of cabinets, int32 (S, S), and inside one, int64 (Q,)."""
        cabinet, units = self.catalog.cabinet, self.router.units
        lengths = Lengths(self.room, cabinet, Slack())
        middle = max(1, (cabinet.units - units) // 2)
        run_mm = lengths.slot_run_mm(middle, units, 0)[np.ix_(self.slots, self.slots)]
        # Two places drawn from [0, 1] are more than x apart with a chance of (1 - x)².
        apart = 1 - np.sqrt((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
        first = np.ones(_QUANTILES, np.int64)
        inside = lengths.inside_mm(first, units * first, first + np.rint(apart * cabinet.units).astype(np.int64), units * first)
        return run_mm, inside + lengths.slack_mm(inside, False)

    @cached_property
    def _links(self) -> Offers:
        return Offers.of(self.catalog.link_assemblies, *self._run_mm)

    @cached_property
    def _ends(self) -> Offers:
        return Offers.of(self.catalog.endpoint_assemblies, *self._run_mm)

    def floor(self, topology: Topology, endpoints: int) -> Floor | int:
        """Return the floor of a network with a number of endpoints at each router with endpoints, or the cabinets that it needs.

        A router is in one cabinet with its endpoints where one holds them.
        """
        router, endpoint = self._needs
        whole = self._held(router + endpoints * endpoint)
        has = topology.endpoints_of > 0
        # Measured in routers with endpoints; one without takes less.
        weight = np.where(has, 1.0, whole.max(initial=0) / max(1e-9, float(self._held(router).max(initial=0))))
        order = _order(topology, has)
        place = np.empty(topology.router_count)
        place[order] = np.cumsum(weight[order]) - weight[order]
        held = np.cumsum(whole)
        total = float(weight.sum())
        if not len(held) or total > held[-1] + _ROUNDING:
            return ceil(total / max(1e-9, float(whole.mean()) if len(whole) else 0.0))
        each = (np.arange(endpoints) + 0.5) / endpoints
        slot = np.searchsorted(held, place + _ROUNDING, side="right")
        beyond = np.searchsorted(held, (place[has][:, None] + each).ravel(), side="right")
        links = self._links.sums(*slot[topology.links.T])
        ends = self._ends.sums(np.repeat(slot[has], endpoints), beyond)
        cabinets = len(np.unique(np.concatenate([slot, beyond])))
        return Floor(cabinets, links, ends, *self._totals(topology.router_count, cabinets, links.plus(ends)))

    def _held(self, need: np.ndarray) -> np.ndarray:
        """Return how many boxes that need this each slot holds, float64 (S,); a fraction where not even one fits."""
        held = (self._limits / need).min(axis=1)
        return np.where(held >= 1, np.floor(held), held)

    def _totals(self, routers: int, cabinets: int, cables: Sums) -> tuple[int, int]:
        """Return cost with labor and spares in cents, and power in milliwatts."""
        catalog, labor = self.catalog, self.catalog.labor
        policy = self._policy
        work = (cables.cables - cables.between) * labor.in_cabinet_cents + cables.between * labor.between_cabinets_cents
        spares = policy.quantity("routers", routers) * self.router.price_cents
        spares += ceil(cables.cents * policy.cables_percent / 100)
        cents = routers * self.router.price_cents + cabinets * catalog.cabinet.price_cents + cables.cents + work + spares
        return cents, routers * self.router.power_typical_mw + cables.power_mw


def _order(topology: Topology, has: np.ndarray) -> np.ndarray:
    """Return the routers in the order in which they fill cabinets, int64 (R,).

    Those with endpoints, `has`, group by group; the others in the middle of their neighbors among those placed so far.
    """
    routers = topology.router_count
    rank = np.zeros(routers)
    rank[np.lexsort((np.arange(routers), *topology.group.T))] = np.arange(routers)
    a, b = np.concatenate([topology.links, topology.links[:, ::-1]]).T
    placed = has.copy()
    while not placed.all():
        near = placed[b] & ~placed[a]
        if not near.any():
            break
        number = np.bincount(a[near], minlength=routers)
        middle = np.bincount(a[near], rank[b[near]], routers)
        rank[number > 0] = middle[number > 0] / number[number > 0]
        placed |= number > 0
    return np.lexsort((np.arange(routers), rank))


_known: dict[tuple[str, str], Hall] = {}


def hall_of(room: Room, catalog: Catalog) -> Hall:
    """Return the hall of a room and parts; each is made once in a process."""
    key = room.fingerprint, catalog.fingerprint
    if key not in _known:
        _known[key] = Hall(room, catalog)
    return _known[key]
