"""Rules of the purchase: no shorter length and no cheaper part covers a cable as it is routed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.check.basis.boxes import sockets
from planner.check.basis.distinct import distinct
from planner.check.basis.existing import tray_use_um2
from planner.check.basis.places import cable_name, error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation
from planner.domain.parts import Assembly

_NEVER = np.iinfo(np.int64).max // 2**20


@rule(210)
def shortest_length_bought(plan: Plan) -> Iterator[Violation]:
    """Every cable has the shortest length on sale that covers its run, or a cheaper one to order where the study allows."""
    cables = plan.cables
    run, carried = np.zeros(cables.piece.max(initial=-1) + 1, np.int64), cables.carried
    np.maximum.at(run, cables.piece, cables.run_mm)
    for number, made_of in enumerate(cables.assemblies):
        rows = np.flatnonzero((cables.assembly == number) & ~carried)
        wanted, _ = _length(plan, made_of, run[cables.piece[rows]])
        for row in np.flatnonzero(wanted != cables.stock_mm[rows]).tolist():
            stock, right = cables.stock_mm[rows[row]], wanted[row]
            message = f"{made_of.id} is sold at {right} mm, which covers its run" if right else f"{made_of.id} does not reach"
            yield error("shortest_length_bought", cable_name(plan, int(rows[row])), stock, right, "mm", message)


@rule(215)
def slack_given_up_saves(plan: Plan) -> Iterator[Violation]:
    """A cable with less than nominal slack would otherwise cost more, not reach, be slower, or exceed the limit of links."""
    cables, limit = plan.cables, plan.placement.longest_mm
    if not cables.slack_below_mm.any():
        return
    nominal = np.zeros(cables.piece.max(initial=-1) + 1, np.int64)
    np.maximum.at(nominal, cables.piece, cables.run_mm.astype(np.int64) + cables.slack_below_mm)
    kept = plan.inventory.is_link & (cables.run_mm == limit) if limit is not None else np.zeros(cables.cable_count, bool)
    for number, made_of in enumerate(cables.assemblies):
        rows = np.flatnonzero((cables.assembly == number) & (cables.slack_below_mm > 0) & ~kept)
        stock, price = _length(plan, made_of, nominal[cables.piece[rows]])
        _, paid = _length(plan, made_of, cables.stock_mm[rows].astype(np.int64))
        saves = (stock == 0) | (price > paid) | (plan.study["cabling"].get("prefer") == "delay")
        for row, cents in zip(rows[~saves].tolist(), price[~saves].tolist(), strict=True):
            message = f"has {cables.slack_below_mm[row]} mm less than its nominal slack, which saves nothing"
            yield error("slack_given_up_saves", cable_name(plan, row), cents, cents, "cents", message)


@rule(220)
def cheapest_part_bought(plan: Plan) -> Iterator[Violation]:
    """No part that the study prefers covers a cable on its route with minimum slack, fits its cages, and has room in its trays.

    Cables whose cages are connected are compared as one, since they need modules of one sort. Plans over panels and trunks
    are left out: what a jumper costs there depends on its trunk.
    """
    if plan.cables.carried.any() or not plan.cables.cable_count:
        return
    market = _Market.of(plan)
    for alternative in market.alternatives():
        for component in market.better(alternative):
            if market.has_room(component, alternative):
                row = int(np.flatnonzero(market.component == component)[0])
                now, then = market.now[1][component], market.sums(alternative)[1][component]
                message = f"{alternative.name} covers its run and fits its trays"
                yield error("cheapest_part_bought", cable_name(plan, row), now, then, "cents", message)


@dataclass(frozen=True)
class _Alternative:
    """An alternative for the rows of a component: measure, price and cross-section by row, int64 (W,)."""

    name: str
    measure: np.ndarray
    price_cents: np.ndarray
    area_um2: np.ndarray


@dataclass(frozen=True)
class _Market:
    """The cables of a plan by component, their prices, and the alternatives of the catalog."""

    plan: Plan
    prefer: str
    component: np.ndarray
    together: np.ndarray
    first: np.ndarray
    area_um2: np.ndarray
    left_um2: np.ndarray
    now: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of(cls, plan: Plan) -> _Market:
        cables, room = plan.cables, plan.room
        socket = np.unique(sockets(plan), return_inverse=True)[1].reshape(-1, 2)
        size = int(socket.max()) + 1
        graph = coo_array((np.ones(len(socket), bool), (socket[:, 0], socket[:, 1])), shape=(size, size))
        component = connected_components(graph, directed=False)[1][socket[:, 0]]
        first = np.zeros(socket.size, bool)
        first[np.unique(socket.ravel(), return_index=True)[1]] = True
        area = np.array([_area_um2(plan, made_of) for made_of in cables.assemblies])[cables.assembly]
        leads = np.zeros(cables.cable_count, bool)
        leads[cables.first_of_piece] = True
        fill = room.design_fill * (1 - room.existing.keep_free.trays)
        limit = np.where(room.segment_mm2 > 0, fill * room.segment_mm2 * 1e6, np.inf) - tray_use_um2(room)
        prefer = plan.study["cabling"].get("prefer", "price")
        if prefer == "delay":
            rates = np.array([[a.delay_ps_per_m, 2000 * a.delay_end_ps] for a in cables.assemblies])[cables.assembly]
            measure = cables.stock_mm.astype(np.int64) * rates[:, 0] + rates[:, 1]
        else:
            measure = cables.price_cents if prefer == "price" else cables.power_mw.sum(axis=1)
        now = _summed(component, measure), _summed(component, cables.price_cents)
        together = np.bincount(socket.ravel())[socket]
        left = np.maximum(limit - cables.fill_um2, 0)
        return cls(plan, prefer, component, together, first.reshape(-1, 2), np.where(leads, area, 0), left, now)

    def alternatives(self) -> Iterator[_Alternative]:
        """Yield alternatives: each assembly for rows with cages of their own, else the best of each type of module."""
        families: dict[str, list[tuple[Assembly, int]]] = {}
        for number, joint in enumerate(self.plan.inventory.joints):
            for made_of in joint.single:
                families.setdefault(made_of.end_part, []).append((made_of, number))
        alone = np.bincount(self.component)[self.component] == 1
        for family, members in families.items():
            priced = [self._priced(made_of, joint) for made_of, joint in members]
            for one in priced:
                yield self._only(one, alone)
            if not alone.all():
                best = priced[0]
                for one in priced[1:]:
                    better = (one.measure < best.measure) | ((one.measure == best.measure) & (one.price_cents < best.price_cents))
                    fields = ("measure", "price_cents", "area_um2")
                    mixed = (np.where(better, getattr(one, name), getattr(best, name)) for name in fields)
                    best = _Alternative(family or "a finished cable", *mixed)
                yield self._only(best, ~alone)

    def sums(self, alternative: _Alternative) -> tuple[np.ndarray, np.ndarray]:
        """Return measure and price of each component made of an alternative."""
        return _summed(self.component, alternative.measure), _summed(self.component, alternative.price_cents)

    def better(self, alternative: _Alternative) -> list[int]:
        """Return the components for which an alternative is better than the purchase."""
        (measure, price), (now, paid) = self.sums(alternative), self.now
        return np.flatnonzero((measure < now) | ((measure == now) & (price < paid))).tolist()

    def has_room(self, component: int, alternative: _Alternative) -> bool:
        """Return whether the trays on the routes of a component have room for the alternative."""
        cables, more = self.plan.cables, dict[int, int]()
        for row in np.flatnonzero(self.component == component).tolist():
            for segment in cables.route_of(row).tolist():
                more[segment] = more.get(segment, 0) + int(alternative.area_um2[row] - self.area_um2[row])
        return all(area <= 0 or area <= self.left_um2[segment] for segment, area in more.items())

    def _only(self, alternative: _Alternative, rows: np.ndarray) -> _Alternative:
        never = np.where(rows, alternative.measure, _NEVER), np.where(rows, alternative.price_cents, _NEVER)
        return _Alternative(alternative.name, *never, alternative.area_um2)

    def _priced(self, made_of: Assembly, joint: int) -> _Alternative:
        """Return the cost of every row with one assembly of its own; `_NEVER` where it does not fit or reach."""
        plan, cables = self.plan, self.plan.cables
        stock, cents = _length(plan, made_of, cables.minimum_run_mm)
        ends = made_of.ends
        fits = (stock > 0) & (self.together[:, 0] <= ends[0].links) & (self.together[:, 1] <= ends[1].links)
        fits &= plan.inventory.joint == joint
        if not plan.room.shared_trays:
            optical = np.array([a.medium == "optical" for a in cables.assemblies])[cables.assembly]
            fits &= optical == (made_of.medium == "optical")
        price = cents + sum(self.first[:, side] * ends[side].price_cents for side in (0, 1))
        if self.prefer == "delay":
            measure = stock * made_of.delay_ps_per_m + 2000 * made_of.delay_end_ps
        elif self.prefer == "power":
            measure = self.first @ np.array([end.power_mw for end in ends], np.int64)
        else:
            measure = price
        area = np.full(cables.cable_count, _area_um2(plan, made_of))
        return _Alternative(made_of.id, np.where(fits, measure, _NEVER), np.where(fits, price, _NEVER), area)


def _summed(component: np.ndarray, values: np.ndarray) -> np.ndarray:
    found = np.zeros(int(component.max()) + 1, np.int64)
    np.add.at(found, component, values)
    return found


def _area_um2(plan: Plan, made_of: Assembly) -> int:
    shape = 1.0 if plan.room.fill_shape == "square" else math.pi / 4
    return round(shape * made_of.diameter_um**2)


def _length(plan: Plan, made_of: Assembly, run_mm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the length to buy for each run, 0 without a part that reaches, and its price without transceivers; int64."""
    offers = zip(made_of.stock_mm, made_of.length_cents, strict=True)
    ladder = sorted((mm, cents) for mm, cents in offers if mm <= made_of.reach_mm)
    stock, price = np.zeros(len(run_mm), np.int64), np.zeros(len(run_mm), np.int64)
    for mm, cents in reversed(ladder):
        stock, price = np.where(run_mm <= mm, mm, stock), np.where(run_mm <= mm, cents, price)
    rule, cabling = plan.catalog.custom_length, plan.study["cabling"]
    kind = "fiber" if made_of.end_part else made_of.kind
    if not cabling.get("custom_lengths") or rule is None or kind not in rule.kinds or not ladder:
        return stock, price
    first, back, _ = distinct(run_mm)
    stock, price = stock[first], price[first]
    for row, run in enumerate(run_mm[first].tolist()):
        made = max(1, math.ceil(run / rule.increment_mm)) * rule.increment_mm
        cents = math.ceil(_line(ladder, made) * (1 + rule.markup_percent / 100) - 1e-6)
        if made > made_of.reach_mm or (stock[row] and made > stock[row]):
            continue
        if not stock[row] or (made < stock[row] if cabling.get("prefer") == "delay" else cents < price[row]):
            stock[row], price[row] = made, cents
    return stock[back], price[back]


def _line(ladder: list[tuple[int, int]], length_mm: int) -> float:
    """Price on the straight line between the two stock lengths around a length; the last line goes on beyond them."""
    if length_mm <= ladder[0][0] or len(ladder) == 1:
        return float(ladder[0][1])
    above = next((place for place, (mm, _) in enumerate(ladder) if mm >= length_mm), len(ladder) - 1)
    (low, low_cents), (high, high_cents) = ladder[above - 1], ladder[above]
    return low_cents + (high_cents - low_cents) * (length_mm - low) / (high - low)
