"""The placement problem: packing, suitable slots, and link costs between slots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.design.placement.model.cost import SlotCost
from planner.design.placement.packing import Packing
from planner.domain.model import Placement, Room, Topology

HARD = 30
"""Strength of the penalty for links that are too long; see `SlotCost.penalized_cost`."""

COMPACT_SLOTS = 4000
"""Maximum number of slots for choosing a compact set; in larger rooms the search finds the shape."""


@dataclass(frozen=True, eq=False)
class PlacementProblem:
    """Input of all placement algorithms; a layout is the slot of each router, int64 (R,).

    Attributes
    ----------
    topology, room, packing
        Records of the earlier stages.
    cost
        Cost of a link between two slots: the objective.
    swap_class
        Routers of the same class may be swapped, int64 (R,).
    fixed
        Routers that stay in their slot, bool (R,).
    start
        Initial layout, which keeps all limits.
    missing
        Routers missing in the given layout, int64; None if the study has no layout.
    groups_stay
        Whether routers may be swapped only inside their group.
    apart_price
        Penalty for each pair of routers of one group (finest level) in different cabinets.
    constant
        Cost of endpoint cables inside cabinets, equal in all layouts.
    """

    topology: Topology
    room: Room
    packing: Packing
    cost: SlotCost
    swap_class: np.ndarray
    fixed: np.ndarray
    start: np.ndarray
    missing: np.ndarray | None = None
    groups_stay: bool = False
    apart_price: int = 0
    constant: int = 0

    @cached_property
    def search_cost(self) -> SlotCost:
        """Cost minimized by searches: the objective with a strong penalty for links that are too long."""
        return self.cost.penalized_cost(HARD)

    @property
    def unit(self) -> str:
        return self.cost.unit

    @property
    def slots(self) -> np.ndarray:
        """Slots that carry some cabinet of the packing, ascending, int64 (E,)."""
        return self.packing.usable

    @cached_property
    def fixed_slots(self) -> np.ndarray:
        """Whether the content of each slot must stay, bool (S,)."""
        fixed = np.zeros(self.room.slot_count, bool)
        fixed[self.start[self.fixed]] = True
        return fixed

    @cached_property
    def cabinets_stay(self) -> bool:
        """Whether no two routers of different cabinets may be swapped, so that only whole cabinets move."""
        return len(np.unique(np.column_stack([self.swap_class, self.start])[~self.fixed], axis=0)) == len(
            np.unique(self.swap_class[~self.fixed])
        )

    def objective(self, slot: np.ndarray, cost: SlotCost | None = None) -> int:
        """Return the cost of all links and endpoint cables of a layout."""
        slot = np.asarray(slot)
        a, b = self.topology.links.T
        return int((cost or self.cost).between(slot[a], slot[b]).sum()) + self.apart(slot) + self.constant

    def apart(self, slot: np.ndarray) -> int:
        """Return the penalty for routers of one group in different cabinets."""
        if not self.apart_price:
            return 0
        group = self.topology.group[:, 0].astype(np.int64)
        _, members = np.unique(group, return_counts=True)
        _, together = np.unique(group * self.room.slot_count + slot, return_counts=True)
        return self.apart_price * int((members * (members - 1) // 2).sum() - (together * (together - 1) // 2).sum())

    def starting_at(self, slot: np.ndarray) -> PlacementProblem:
        """Return the problem with another initial layout."""
        return replace(self, start=np.asarray(slot, np.int64))

    @cached_property
    def demand(self) -> np.ndarray:
        """Demand class of the initial content of each slot, int64 (S,); also 0 for empty slots."""
        packing, slots = self.packing, self.room.slot_count
        endpoints = self.topology.endpoints_of

        def content(place: np.ndarray, places: int) -> np.ndarray:
            routers = np.bincount(place, minlength=places)
            return routers * (1 + endpoints.sum()) + np.bincount(place, endpoints, minlength=places).astype(np.int64)

        known, first = np.unique(content(packing.cabinet_of, packing.cabinet_count), return_index=True)
        here = content(self.start, slots)
        return np.where(here > 0, packing.demand[first[np.searchsorted(known, np.maximum(here, known[0]))]], 0)

    def compact(self) -> np.ndarray:
        """Return a layout on a compact set of slots, int64 (R,); the initial layout if slots cannot be chosen freely.

        Of all slots the one with the maximum total cost to the others is removed repeatedly, until their number equals that of
        the cabinets.
        """
        cabinets, slots = self.packing.cabinet_count, self.slots
        free = self.missing is None and len(self.packing.allowed) == 1
        if not free or cabinets == len(slots) or len(slots) > COMPACT_SLOTS:
            return self.start
        full = np.array([self.search_cost.between(np.full(len(slots), slot), slots) for slot in slots])
        kept, total = np.ones(len(slots), bool), full.sum(axis=0)
        for _ in range(len(slots) - cabinets):
            worst = int(np.argmax(np.where(kept, total, -1)))
            kept[worst] = False
            total -= full[worst]
        first = np.searchsorted(slots, np.unique(self.start))
        if full[np.ix_(first, first)].sum() <= full[np.ix_(kept, kept)].sum():
            return self.start
        return slots[kept][self.packing.cabinet_of]

    def with_bound(self, placed: Placement, best: tuple[int, str, dict[str, int | None]] | None) -> Placement:
        """Return the record with the higher of the given lower bound and that proven by the algorithm."""
        if best is not None and best[0] > placed.lower_bound:
            placed = replace(placed, lower_bound=best[0], bound_method=best[1])
        return replace(placed, bound_covers=self.covers) if placed.lower_bound else placed

    @property
    def covers(self) -> str:
        """Description of the layouts that a lower bound covers."""
        cabinets = f"{self.packing.cabinet_count:,} cabinets"
        if self.cabinets_stay:
            return f"these {cabinets} in any slots, routers packed as given"
        exchanged = "inside their groups" if self.groups_stay else "from cabinet to cabinet"
        return f"{cabinets} in any slots, filled as given, routers exchanged {exchanged}"

    def placement(self, slot: np.ndarray, method: str, evaluations: int, **facts: Any) -> Placement:
        """Return the record of a finished layout; cabinets are numbered in the order of their slots."""
        slot_of, cabinet_of = np.unique(slot, return_inverse=True)
        stack, endpoint_cabinet, endpoint_unit = self.packing.stack(cabinet_of, self.room, slot_of)
        return Placement(
            cabinet=np.concatenate([cabinet_of, endpoint_cabinet]),
            unit=np.concatenate([stack.unit_of, endpoint_unit]),
            slot_of=slot_of,
            **stack.fixtures,
            **self.packing.interior.facts(self.packing.catalog),
            method=method,
            objective_unit=self.unit,
            objective=self.objective(slot),
            start_objective=self.objective(self.start),
            evaluations=evaluations,
            front=np.empty((0, 2), np.int64),
            too_long=self.cost.too_long(*np.asarray(slot)[self.topology.links.T]),
            **facts,
        )
