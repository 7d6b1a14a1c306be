"""Slots and their limits, and the assignment of cabinets to slots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from planner.design.placement.packing.cabinets.interior import Interior
from planner.design.placement.packing.cabinets.obstacles import lost_units
from planner.domain.model import Catalog, Room
from planner.domain.parts import CabinetPart, CoolingUnit


@dataclass(frozen=True)
class Slots:
    """Slots of a room with their limits.

    Attributes
    ----------
    names, power_mw, load_g
        Of each slot: its name, and limits as int64 (S,), less what is in use; -1 where a cabinet of others takes the slot.
    lost_units
        Rack units of each slot that are in use or kept free, int64 (S,).
    width_mm, depth_mm
        Size of each slot, seen from the front, int64 (S,); None in rooms with fixed lengths, which do not
        limit the size of cabinets.
    free
        Slots that neither others nor a given layout use, bool (S,).
    routers
        Maximum number of routers per cabinet, if the room sets one.
    zones
        Zones with limits for the total of their cabinets: slots, nearest to the center first, and limits of power and load;
        None for no limit.
    """

    room: str
    names: tuple[str, ...]
    power_mw: np.ndarray
    load_g: np.ndarray
    lost_units: np.ndarray
    width_mm: np.ndarray | None
    depth_mm: np.ndarray | None
    free: np.ndarray
    routers: int | None
    zones: tuple[tuple[np.ndarray, int | None, int | None], ...] = ()

    @staticmethod
    def of(room: Room, catalog: Catalog, interior: Interior) -> Slots:
        width, depth = None, None
        if room.end_mm is None:
            across = room.slot_facing % 180 == 0
            width = np.where(across, room.slot_size[:, 1], room.slot_size[:, 0])
            depth = np.where(across, room.slot_size[:, 0], room.slot_size[:, 1])
        free = room.free
        away = np.abs(room.slot_xy - room.slot_xy.mean(axis=0)).sum(axis=1)
        zones = []
        for number, zone in enumerate(room.zones):
            slots = np.array(zone.slots, np.int64)
            slots = slots[free[slots]]
            zones.append((slots[np.argsort(away[slots], kind="stable")], *room.left_in(number)))
        lost = lost_units(room, catalog, interior)
        # In cabinets with equipment of others its mass counts against the limit of the cabinet too.
        in_use_g = room.existing.in_slots("mass_g", room.slot_count)
        carried_g = np.where(in_use_g, catalog.cabinet.mass_g + catalog.cabinet.load_g - in_use_g, room.load_left_g)
        load_left_g = np.minimum(room.load_left_g, carried_g)
        limits = (room.power_left_mw, load_left_g, lost, width, depth, free, room.cabinet_routers, tuple(zones))
        return Slots(room.name, room.slot_names, *limits)

    @property
    def count(self) -> int:
        return len(self.power_mw)

    def large(self, cabinet: CabinetPart | CoolingUnit) -> np.ndarray:
        """Return whether a cabinet or a freestanding unit fits each slot by its size, bool (S,)."""
        if self.width_mm is None or self.depth_mm is None:
            return np.ones(self.count, bool)
        return (self.width_mm >= cabinet.width_mm) & (self.depth_mm >= cabinet.depth_mm)

    @property
    def smallest_mm(self) -> tuple[int, int]:
        """Smallest width and depth of slots that state their size."""
        assert self.width_mm is not None
        assert self.depth_mm is not None
        return int(self.width_mm.min()), int(self.depth_mm.min())

    def extended(self, number: int, like: int) -> Slots:
        """Return the slots with `number` copies of one of them added."""

        def longer(values: Any) -> Any:
            return None if values is None else np.append(values, np.full(number, values[like]))

        return replace(
            self,
            names=self.names + tuple(f"more {n + 1}" for n in range(number)),
            power_mw=longer(self.power_mw),
            load_g=longer(self.load_g),
            lost_units=longer(self.lost_units),
            width_mm=longer(self.width_mm),
            depth_mm=longer(self.depth_mm),
            free=np.append(self.free, np.ones(number, bool)),
        )

    @cached_property
    def power_levels(self) -> np.ndarray:
        return np.unique(self.power_mw)

    @cached_property
    def load_levels(self) -> np.ndarray:
        return np.unique(self.load_g)

    @cached_property
    def unit_levels(self) -> np.ndarray:
        return np.unique(self.lost_units)

    def classes(
        self, power_mw: np.ndarray, load_g: np.ndarray, spare_units: np.ndarray, cabinet: CabinetPart
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the demand classes of cabinets by the slots that carry them.

        Parameters
        ----------
        power_mw, load_g, spare_units
            Power, load on the floor, and rack units to spare of each cabinet, int64 (C,).
        cabinet
            The part of all cabinets.

        Returns
        -------
        demand, allowed
            Class of each cabinet, int64 (C,); slots that carry each class, bool (D, S).
        """
        units = np.searchsorted(self.unit_levels, spare_units, side="right") - 1
        rung = np.column_stack([np.searchsorted(self.power_levels, power_mw), np.searchsorted(self.load_levels, load_g), units])
        rungs, demand = np.unique(rung, axis=0, return_inverse=True)
        power = np.searchsorted(self.power_levels, self.power_mw)
        load = np.searchsorted(self.load_levels, self.load_g)
        lost = np.searchsorted(self.unit_levels, self.lost_units)
        allowed = (power >= rungs[:, :1]) & (load >= rungs[:, 1:2]) & (lost <= rungs[:, 2:]) & self.large(cabinet)
        allowed[:, self._closed(int(power_mw.max(initial=0)), int(load_g.max(initial=0)))] = False
        return demand.ravel().astype(np.int64), allowed

    def _closed(self, power_mw: int, load_g: int) -> np.ndarray:
        """Return slots that zones must leave empty so that their limits hold for the heaviest cabinet in every slot."""
        closed = [np.zeros(0, np.int64)]
        for slots, max_power_mw, max_load_g in self.zones:
            pairs = ((max_power_mw, power_mw), (max_load_g, load_g))
            carries = min((max(limit, 0) // need for limit, need in pairs if limit is not None and need), default=len(slots))
            closed.append(slots[carries:])
        return np.concatenate(closed)


def assign(demand: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Assign slots to the maximum number of cabinets.

    Cabinets in order take the first free slot that carries them; if that leaves one without a slot, a
    maximum flow from demand classes to kinds of slots determines the numbers.

    Returns
    -------
    Slot of each cabinet, int64 (C,); -1 for none.

    References
    ----------
    .. [1] Y. Dinitz, "Algorithm for solution of a problem of maximum flow in networks with power
       estimation", Soviet Mathematics Doklady 11, 1970.
    """
    slot = _in_order(demand, allowed)
    if (slot >= 0).all():
        return slot
    kinds, kind = np.unique(allowed, axis=1, return_inverse=True)
    kind = kind.ravel()
    classes, count = kinds.shape
    supply, room = np.bincount(demand, minlength=classes), np.bincount(kind, minlength=count)
    # Source, classes, kinds of slots, sink.
    carried, into = np.nonzero(kinds)
    tail = np.concatenate([np.zeros(classes, np.int64), carried + 1, np.arange(count) + 1 + classes])
    head = np.concatenate([np.arange(classes) + 1, into + 1 + classes, np.full(count, classes + count + 1)])
    limits = np.concatenate([supply, np.minimum(supply[carried], room[into]), room]).astype(np.int32)
    size = classes + count + 2
    flow = maximum_flow(csr_array((limits, (tail, head)), shape=(size, size)), 0, size - 1).flow[1 : classes + 1]
    slot[:] = -1
    taken = [np.flatnonzero(kind == k) for k in range(count)]
    for number in range(classes):
        share = flow[[number]].toarray()[0, classes + 1 : -1]
        parts = [taken[k][: share[k]] for k in np.flatnonzero(share > 0)]
        taken = [slots[max(share[k], 0) :] for k, slots in enumerate(taken)]
        here = np.sort(np.concatenate(parts)) if parts else np.empty(0, np.int64)
        slot[np.flatnonzero(demand == number)[: len(here)]] = here
    return slot


def _in_order(demand: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    if len(allowed) == 1:
        slots = np.flatnonzero(allowed[0])[: len(demand)]
        return np.append(slots, np.full(len(demand) - len(slots), -1))
    choices = [iter(np.flatnonzero(row).tolist()) for row in allowed]
    taken: set[int] = set()
    slot = []
    for number in demand.tolist():
        chosen = next((place for place in choices[number] if place not in taken), -1)
        taken.add(chosen)
        slot.append(chosen)
    return np.array(slot, np.int64)
