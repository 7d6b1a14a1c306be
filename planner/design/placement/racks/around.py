"""Filled cabinets in slots where equipment of others, or devices that must not move, take rack units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.core.errors import Infeasible
from planner.design.placement.packing import Interior
from planner.design.placement.packing.cabinets.obstacles import Obstacle, Shelf, obstacle_in
from planner.design.placement.racks.units import Units
from planner.domain.model import FIXTURES, Catalog, FixedDevice, Inventory, Room


class _Box(NamedTuple):
    """A device or a fixture of a cabinet: its number in the array of its units, its lowest unit, and its height.

    `at_top` is whether it moves to the highest gap, as routers and their cable managers do; nodes and PDUs move to the lowest.
    """

    is_device: bool
    at_top: bool
    number: int
    unit: int
    units: int


@dataclass(frozen=True, eq=False)
class Around:
    """The slots that hold filled cabinets, and the rack units of these cabinets there.

    Attributes
    ----------
    units
        Rack units without regard to what is in the slots.
    """

    room: Room
    inventory: Inventory
    catalog: Catalog
    interior: Interior
    units: Units

    def allowed(self, carried: np.ndarray) -> np.ndarray:
        """Return whether each slot may take each cabinet, bool (C, S), given whether it carries it.

        Cabinets with devices that must not move may take only the slots of these; in slots with equipment of others the devices
        have to fit around it.
        """
        allowed, kept = carried & self.room.free, self.room.existing.keep_free.of("units", self.catalog.cabinet.units)
        for rack, slot in self._homes.items():
            allowed[rack, np.arange(self.room.slot_count) != slot] = False
        for slot in self._busy:
            obstacle = self._obstacle(slot)
            for rack in np.flatnonzero(allowed[:, slot]).tolist():
                boxes, shelf = self._boxes(rack), Shelf.of(self.interior, self.catalog, obstacle)
                room_left = sum(len(gap) for gap in shelf.gaps()) - sum(box.units for box in boxes)
                allowed[rack, slot] = room_left >= kept and self._fitted(boxes, obstacle) is not None
        return allowed

    def stacked(self, slot_of: np.ndarray) -> Units:
        """Return the rack units of all devices and fixtures in the slots of their cabinets, int64 (C,)."""
        busy = np.flatnonzero(np.isin(slot_of, self._busy)).tolist()
        if not busy:
            return self.units
        unit, fixture = self.units.unit.copy(), self.units.fixture_unit.copy()
        for rack in busy:
            for box in self._fitted(self._boxes(rack), self._obstacle(int(slot_of[rack]))) or ():
                (unit if box.is_device else fixture)[box.number] = box.unit
        return replace(self.units, unit=unit, fixture_unit=fixture)

    @cached_property
    def _busy(self) -> list[int]:
        """Slots with equipment of others or devices that must not move, ascending."""
        return sorted({*self.room.existing.shared, *self._homes.values()})

    @cached_property
    def _homes(self) -> dict[int, int]:
        """Slot of each cabinet with devices that must not move."""
        return {int(self.inventory.rack[number]): each.slot for number, each in self._fixed.items()}

    @cached_property
    def _fixed(self) -> dict[int, FixedDevice]:
        return self.room.existing.fixed_among(self.inventory.names.tolist())

    def _obstacle(self, slot: int) -> Obstacle:
        return obstacle_in(self.room, slot, {each: number for number, each in self._fixed.items()}.get)

    def _boxes(self, rack: int) -> list[_Box]:
        """Return what takes units in a cabinet."""
        own, heights = np.flatnonzero(self.inventory.rack == rack), self.inventory.of_part("units")
        routers = self.inventory.is_router
        found = [_Box(True, bool(routers[n]), n, int(self.units.unit[n]), int(heights[n])) for n in own.tolist() if heights[n]]
        parts = {FIXTURES.index("cable manager"): self.catalog.manager, FIXTURES.index("PDU"): self.catalog.pdu}
        for number in np.flatnonzero(self.units.fixture_cabinet == rack).tolist():
            kind = int(self.units.fixture_kind[number])
            height = part.units if (part := parts[kind]) is not None else 1
            found.append(_Box(False, FIXTURES[kind] == "cable manager", number, int(self.units.fixture_unit[number]), height))
        return found

    def _fitted(self, boxes: list[_Box], obstacle: Obstacle) -> list[_Box] | None:
        """Return the boxes around an obstacle, each in its own units where these are free; None where they do not fit."""
        for keep in (True, False):
            shelf, found, others = Shelf.of(self.interior, self.catalog, obstacle), [], []
            for box in boxes:
                if box.is_device and box.number in obstacle.fixed:
                    found.append(box._replace(unit=obstacle.fixed[box.number]))
                    shelf.take(found[-1].unit, box.units)
            for box in (box for box in boxes if not (box.is_device and box.number in obstacle.fixed)):
                if keep and shelf.is_free(box.unit, box.units):
                    shelf.take(box.unit, box.units)
                    found.append(box)
                else:
                    others.append(box)
            try:
                # Tall boxes first, so that low ones fill the gaps.
                for box in sorted(others, key=lambda box: (-box.units, -box.unit)):
                    found.append(box._replace(unit=shelf.place(box.units, top=box.at_top)))
            except Infeasible:
                continue
            return found
        return None
