"""Cost of a link between two slots: price, length, power, delay, or a weighted sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.design.placement.packing import PLAIN, Interior
from planner.domain.model import Catalog
from planner.domain.parts import Assembly, LaborRates
from planner.domain.pricelist import PriceList, price_list
from planner.hall.floor import Lengths

Weight = Annotated[float, Ge(0)]

UNITS = {"price": "cents", "length": "mm", "power": "mW", "delay": "ps"}

_BLOCK = 1 << 22

TABLE_SLOTS = 4096
"""Maximum number of slots for which the costs of all pairs are computed before a search needs them."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Weights of the objective in cents; the objective is the weighted sum over all links.

    Parameters
    ----------
    price
        Weight of the price of cables, transceivers and labor.
    meter_cents
        Cents per meter of run length.
    watt_cents
        Cents per watt at both ends together, such as the energy cost over the years of use.
    ns_cents
        Cents per nanosecond of delay.
    optical_cents
        Cents per optical link.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    price: Weight = 1.0
    meter_cents: Weight = 0.0
    watt_cents: Weight = 0.0
    ns_cents: Weight = 0.0
    optical_cents: Weight = 0.0


Objective = Literal["price", "length", "power", "delay"] | Weights


@dataclass(frozen=True, eq=False)
class SlotCost:
    """Cost of a link between any two slots; the diagonal is the cost inside a cabinet.

    Attributes
    ----------
    table
        int32: (S, S), or by distance (X, Y) if the slots form a lattice.
    x, y
        Lattice coordinates of the slots, int32 (S,); empty where `table` is (S, S).
    unit
        cents, mm, mW or ps.
    excess
        Excess of the run length over the soft limit, in the form of `table`, int32, mm; None without a limit.
    run
        Run length, in the form of `table`, int32, mm; None where it is not known.
    """

    table: np.ndarray
    x: np.ndarray
    y: np.ndarray
    unit: str
    excess: np.ndarray | None = None
    run: np.ndarray | None = None

    @property
    def slot_count(self) -> int:
        return len(self.x) or len(self.table)

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the costs between slots `a` and `b`, int64."""
        if len(self.x):
            return self.table[np.abs(self.x[a] - self.x[b]), np.abs(self.y[a] - self.y[b])].astype(np.int64)
        return self.table[a, b].astype(np.int64)

    def penalized_cost(self, strength: int) -> SlotCost:
        """Return the cost with a penalty for links that are too long, which grows with the excess.

        With a weak penalty a search can pass through layouts with such links, and finds its coarse order; a strong
        penalty dominates the cost.
        """
        if self.excess is None or not self.excess.any():
            return self
        share = np.where(self.excess > 0, 0.3 + self.excess / self.excess.max(), 0.0)
        penalized = self.table + np.rint(strength * int(self.table.max()) * share).astype(np.int32)
        return SlotCost(penalized, self.x, self.y, self.unit, run=self.run)

    def too_long(self, a: np.ndarray, b: np.ndarray) -> int:
        """Return the number of links between slots `a` and `b` that exceed the soft limit."""
        return 0 if self.excess is None else int((replace(self, table=self.excess).between(a, b) > 0).sum())

    @cached_property
    def split(self) -> tuple[np.ndarray, np.ndarray, int] | None:
        """The cost as a sum over both axes, or None if it is not separable.

        Returns
        -------
        across, along
            int32 (X, X), (Y, Y): the cost between two different slots is ``across[xa, xb] + along[ya, yb]``.
        gain
            Difference between that sum and the cost inside a cabinet.
        """
        table = self.table.astype(np.int64)
        if not len(self.x) or min(table.shape) < 2:
            return None
        step_x = table[:, 1] - table[0, 1]
        step_y = table[1] - step_x[1]
        if not (np.array_equal((step_x[:, None] + step_y)[1:], table[1:]) and np.array_equal(step_y[1:], table[0, 1:])):
            return None
        x, y = np.arange(len(step_x)), np.arange(len(step_y))
        across = step_x[np.abs(x[:, None] - x)].astype(np.int32)
        along = step_y[np.abs(y[:, None] - y)].astype(np.int32)
        gain = int(step_x[0] + step_y[0] - table[0, 0])
        return (across, along, gain) if gain >= 0 else None

    @cached_property
    def full(self) -> np.ndarray:
        """The cost of every pair of slots, int32 (S, S)."""
        if not len(self.x):
            return self.table
        full = np.empty((len(self.x), len(self.x)), np.int32)
        for p in range(len(full)):
            full[p] = self.table[np.abs(self.x - self.x[p]), np.abs(self.y - self.y[p])]
        return full


def link_cost(
    catalog: Catalog, lengths: Lengths, objective: Objective, longest_mm: int | None = None, interior: Interior = PLAIN
) -> SlotCost:
    """Return the cost of links between slots, measured from the reference unit of each cabinet.

    Parameters
    ----------
    longest_mm
        Soft limit of the run length; see `SlotCost.penalized_cost`.
    interior
        Arrangement inside cabinets.

    Raises
    ------
    InputError
        When costs are too large for sums in 32 bits; use smaller weights.
    """
    units, rear = catalog.router_part.units, catalog.router_part.rear
    inside_unit = interior.reference_unit(catalog)
    offers = offers_of(catalog.link_assemblies, catalog.labor, lengths, objective)
    unit = UNITS.get(objective, "cents") if isinstance(objective, str) else "cents"
    lattice = lengths.lattice(inside_unit, units, rear)
    if lattice is None:
        cost = RoomCost(offers, (inside_unit, units, rear), unit, longest_mm)
        if lengths.room.slot_count > TABLE_SLOTS:
            return cost
        none = np.empty(0, np.int32)
        return SlotCost(cost.table, none, none, unit, cost.excess, cost.run)
    x, y, near = lattice
    here = np.zeros(near.shape, bool)
    here[0, 0] = True
    table, run = cheapest(offers, [near], here)
    excess = None if longest_mm is None else np.maximum(run - longest_mm, 0).astype(np.int32)
    return SlotCost(_bounded(table), x, y, unit, excess, run.astype(np.int32))


class RoomCost(SlotCost):
    """Cost of a link between any two slots of a large room: the table is computed when a search needs it.

    Parameters
    ----------
    offers
        Parts of each medium class.
    box
        Reference unit of the routers, their height in units, and 1 for ports at the rear.
    unit
        As in `SlotCost`.
    longest_mm
        Soft limit of the run length; None without one.
    """

    _offers: list[Offer]
    _box: tuple[int, int, int]
    _mm: int | None

    def __init__(self, offers: list[Offer], box: tuple[int, int, int], unit: str, longest_mm: int | None):
        none = np.empty(0, np.int32)
        self.__dict__.update(x=none, y=none, unit=unit, _offers=offers, _box=box, _mm=longest_mm)

    @property
    def slot_count(self) -> int:
        return self._offers[0].lengths.room.slot_count

    @cached_property
    def table(self) -> np.ndarray:
        return self._tables[0]

    @cached_property
    def run(self) -> np.ndarray:
        return self._tables[1]

    @cached_property
    def excess(self) -> np.ndarray | None:
        return None if self._mm is None else np.maximum(self.run - self._mm, 0)

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if "_tables" in self.__dict__:
            return super().between(a, b)
        return self._pairs(a, b)[0].astype(np.int64)

    def too_long(self, a: np.ndarray, b: np.ndarray) -> int:
        return 0 if self._mm is None else int((self._pairs(a, b)[1] > self._mm).sum())

    def penalized_cost(self, strength: int) -> SlotCost:
        if self._mm is None:
            return self
        return SlotCost(self.table, self.x, self.y, self.unit, self.excess, self.run).penalized_cost(strength)

    def _pairs(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return costs and run lengths of links between slots."""
        a, b = np.asarray(a), np.asarray(b)
        cost, run = cheapest(self._offers, [offer.lengths.slot_run_pairs(a, b, *self._box) for offer in self._offers], a == b)
        return _bounded(cost), run

    @cached_property
    def _tables(self) -> tuple[np.ndarray, np.ndarray]:
        """Costs and run lengths of all pairs of slots, int32 (S, S)."""
        count = self.slot_count
        table, lengths = np.empty((count, count), np.int32), np.empty((count, count), np.int32)
        for first in range(0, count, rows := max(1, _BLOCK // count)):
            block = np.arange(first, min(first + rows, count))
            runs = [offer.lengths.slot_run_rows(block, *self._box) for offer in self._offers]
            cost, run = cheapest(self._offers, runs, block[:, None] == np.arange(count))
            table[block], lengths[block] = _bounded(cost), run
        return table, lengths


def _bounded(cost: np.ndarray) -> np.ndarray:
    """Return costs as int32; sums of them have 32 bits in searches.

    Raises
    ------
    InputError
        When they are too large.
    """
    if cost.max(initial=0) > (1 << 24):
        raise InputError(
            Problem("objective", f"a link costs up to {cost.max():,}, more than {1 << 24:,}", "choose smaller weights")
        )
    return cost.astype(np.int32)


@dataclass(frozen=True)
class Offer:
    """Parts for one medium class: length rules, cost by run length in mm and location inside a cabinet, and reach in mm."""

    lengths: Lengths
    cost_of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    reach_mm: int


def offers_of(assemblies: Sequence[Assembly], labor: LaborRates, lengths: Lengths, objective: Objective) -> list[Offer]:
    """Return one offer where all trays carry both, else copper's and fiber's, as far as the assemblies have them."""
    copper, fiber = lengths.by_medium_class
    if copper is fiber:
        classes = [(copper, tuple(assemblies))]
    else:
        optical = tuple(assembly for assembly in assemblies if assembly.medium == "optical")
        classes = [(copper, tuple(assembly for assembly in assemblies if assembly.medium != "optical")), (fiber, optical)]
    return [Offer(rules, _cost_of(some, labor, objective), int(price_list(some).limit_mm[-1])) for rules, some in classes if some]


def cheapest(offers: list[Offer], runs: list[np.ndarray], inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the minimum cost of a link over all medium classes that some part covers, and its run length.

    If nothing reaches that far, the last offer applies.
    """
    cost, run = offers[-1].cost_of(runs[-1], inside), runs[-1]
    for offer, other in zip(offers[:-1], runs[:-1], strict=True):
        that = offer.cost_of(other, inside)
        better = (other <= offer.reach_mm) & ((that < cost) | (run > offers[-1].reach_mm))
        cost, run = np.where(better, that, cost), np.where(better, other, run)
    return cost, run


def _cost_of(
    assemblies: Sequence[Assembly], labor: LaborRates, objective: Objective
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a function from run lengths in mm, and whether they are inside a cabinet, to costs, int64."""
    if objective == "length":
        return lambda run, inside: run.astype(np.int64)
    offers = price_list(assemblies, prefer=objective if objective in ("power", "delay") else "price")
    if objective == "price":
        return lambda run, inside: _price(labor, offers, run, inside)
    if objective == "power":
        return lambda run, inside: 2 * _of(offers, "power_mw", run)
    if objective == "delay":
        return lambda run, inside: _delay_ps(offers, run)

    def weighted(run: np.ndarray, inside: np.ndarray) -> np.ndarray:
        optical = np.array([assembly.medium == "optical" for assembly in offers.assemblies])[_assembly(offers, run)]
        total = objective.price * _price(labor, offers, run, inside) + objective.meter_cents * run / 1000
        power = 2 * _of(offers, "power_mw", run)
        total += objective.watt_cents * power / 1000 + objective.ns_cents * _delay_ps(offers, run) / 1000
        return np.rint(total + objective.optical_cents * optical).astype(np.int64)

    return weighted


def _price(labor: LaborRates, offers: PriceList, run: np.ndarray, inside: np.ndarray) -> np.ndarray:
    cost = offers.price_of(run) + np.where(inside, labor.in_cabinet_cents, labor.between_cabinets_cents)
    return cost + run.astype(np.int64) * labor.pull_cents_per_m // 1000


def _row(offers: PriceList, run: np.ndarray) -> np.ndarray:
    # Layouts that no part can reach are charged as the longest part.
    return np.minimum(np.searchsorted(offers.limit_mm, run), len(offers.limit_mm) - 1)


def _assembly(offers: PriceList, run: np.ndarray) -> np.ndarray:
    return offers.assembly[_row(offers, run)]


def _of(offers: PriceList, name: str, run: np.ndarray) -> np.ndarray:
    return np.array([getattr(assembly, name) for assembly in offers.assemblies], np.int64)[_assembly(offers, run)]


def _delay_ps(offers: PriceList, run: np.ndarray) -> np.ndarray:
    stock_mm = np.maximum(offers.stock_mm[_row(offers, run)], run)
    return -(-stock_mm * _of(offers, "delay_ps_per_m", run) // 1000) + 2 * _of(offers, "delay_end_ps", run)
