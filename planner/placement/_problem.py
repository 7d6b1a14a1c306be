"""The placement problem: what has been packed, which slots carry what, and what a link between two slots costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.model import Placement, Room, Topology
from planner.placement._cost import SlotCost
from planner.placement.packing import Packing

HARD = 30
"""Strength of the guard against links that are too long; see `SlotCost.penalized_cost`."""

COMPACT_SLOTS = 4000
"""In larger rooms the search has to find the shape by itself."""


@dataclass(frozen=True, eq=False)
class PlacementProblem:
    """What every placement algorithm gets; a layout is the slot of each router, int64 (R,).

    Attributes
    ----------
    topology, room, packing
        The records before this one.
    cost
        Cost of a link between two slots: the objective.
    swap_class
        Two routers may change places when they have the same class, int64 (R,).
    fixed
        Routers that stay in their slot, bool (R,).
    start
        Layout to start from, which keeps every limit.
    missing
        Routers that the study's layout does not name, int64; None where the study has no layout.
    groups_stay
        Whether routers change places inside their group only.
    apart_price
        Cost of each pair of routers of one group (finest level) in different cabinets, 0 for nothing.
    constant
        What endpoint cables inside cabinets cost in any layout.
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
        """What a search should make small: the cost, with links that are too long made very dear."""
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
        """Whether no two routers of different cabinets may change places: cabinets are then moved whole."""
        return len(np.unique(np.column_stack([self.swap_class, self.start])[~self.fixed], axis=0)) == len(
            np.unique(self.swap_class[~self.fixed])
        )

    def objective(self, slot: np.ndarray, cost: SlotCost | None = None) -> int:
        """Return the cost of all links and endpoint cables of a layout in full."""
        slot = np.asarray(slot)
        a, b = self.topology.links.T
        return int((cost or self.cost).between(slot[a], slot[b]).sum()) + self.apart(slot) + self.constant

    def apart(self, slot: np.ndarray) -> int:
        """Return what routers of one group in different cabinets cost."""
        if not self.apart_price:
            return 0
        group = self.topology.group[:, 0].astype(np.int64)
        _, members = np.unique(group, return_counts=True)
        _, together = np.unique(group * self.room.slot_count + slot, return_counts=True)
        return self.apart_price * int((members * (members - 1) // 2).sum() - (together * (together - 1) // 2).sum())

    def starting_at(self, slot: np.ndarray) -> PlacementProblem:
        """Return the same problem with another layout to start from."""
        return replace(self, start=np.asarray(slot, np.int64))

    @cached_property
    def demand(self) -> np.ndarray:
        """Demand class of what stands in each slot at the start, int64 (S,); 0 also for nothing."""
        packing, slots = self.packing, self.room.slot_count
        endpoints = self.topology.endpoints_of

        def content(place: np.ndarray, places: int) -> np.ndarray:
            routers = np.bincount(place, minlength=places)
            return routers * (1 + endpoints.sum()) + np.bincount(place, endpoints, minlength=places).astype(np.int64)

        known, first = np.unique(content(packing.cabinet_of, packing.cabinet_count), return_index=True)
        here = content(self.start, slots)
        return np.where(here > 0, packing.demand[first[np.searchsorted(known, np.maximum(here, known[0]))]], 0)

    def compact(self) -> np.ndarray:
        """Return a layout on the slots that lie together best, as int64 (R,); the start where that cannot be chosen freely.

        Of all slots the one whose links to the others cost most is given up, again and again, until as many are left
        as there are cabinets.
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
        """Return the record with what is known about the best possible layout added to what the algorithm has proven."""
        if best is not None and best[0] > placed.lower_bound:
            placed = replace(placed, lower_bound=best[0], bound_method=best[1])
        return replace(placed, bound_covers=self.covers) if placed.lower_bound else placed

    @property
    def covers(self) -> str:
        """Which layouts a lower bound of the links is about, in words."""
        cabinets = f"{self.packing.cabinet_count:,} cabinets"
        if self.cabinets_stay:
            return f"these {cabinets} in any slots, routers packed as they are"
        exchanged = "inside their groups" if self.groups_stay else "from cabinet to cabinet"
        return f"{cabinets} in any slots, filled as they are, routers exchanged {exchanged}"

    def placement(self, slot: np.ndarray, method: str, evaluations: int, **facts: Any) -> Placement:
        """Return the record of a finished layout; cabinets are numbered in the order of their slots."""
        slot_of, cabinet_of = np.unique(slot, return_inverse=True)
        stack, endpoint_cabinet, endpoint_unit = self.packing.stack(cabinet_of)
        return Placement(
            cabinet_of=cabinet_of,
            unit_of=stack.unit_of,
            endpoint_cabinet=endpoint_cabinet,
            endpoint_unit=endpoint_unit,
            slot_of=slot_of,
            **stack.fixtures,
            **self.packing.interior.facts(self.packing.catalog),
            method=method,
            unit=self.unit,
            objective=self.objective(slot),
            start_objective=self.objective(self.start),
            evaluations=evaluations,
            front=np.empty((0, 2), np.int64),
            too_long=self.cost.too_long(*np.asarray(slot)[self.topology.links.T]),
            **facts,
        )
