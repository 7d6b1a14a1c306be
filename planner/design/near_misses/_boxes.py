"""The boxes of a plan, their units, and the units available to them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from planner.domain.model import FIXTURES, Catalog, Inventory, Placement, Room

_FREE, _TAKEN = -1, -2


class Boxes:
    """Routers, then the boxes of nodes in the order of cabinets and units.

    Attributes
    ----------
    cabinet, unit, units, rear
        Cabinet, lowest unit and height in units of each box, and 1 where its ports are at the rear, int64 (B,). `unit`
        changes as boxes move.
    part, is_router
        Part of each box, index into the parts of the inventory, int64 (B,), and whether it is a router, bool (B,).
    stays
        Boxes that must not move, bool (B,).
    of_device
        Box of each device, int64 (D,).
    cabinets
        The number of cabinets.
    """

    def __init__(self, inventory: Inventory, catalog: Catalog, placement: Placement, room: Room):
        self._catalog, self._placement, self._existing = catalog, placement, room.existing
        first = placement.first_of_box
        order = np.lexsort((np.where(inventory.is_router[first], first, np.arange(len(first))), ~inventory.is_router[first]))
        first, self.of_device = first[order], np.argsort(order)[placement.box]
        self.cabinet, self.unit = (places[first].astype(np.int64) for places in (placement.cabinet, placement.unit))
        self.units, self.rear = (inventory.of_part(name)[first] for name in ("units", "rear"))
        self.part, self.is_router = inventory.part[first].astype(np.int64), inventory.is_router[first]
        # Where splitter cables connect neighbors, their boxes stay.
        splits = np.array([joint.ports_per_cage[0] > joint.ports_per_cage[1] for joint in inventory.joints])[inventory.joint]
        # Upright boxes stay too, and boxes that must not move.
        self.stays = self.units == 0
        self.stays[self.of_device[list(room.existing.fixed_among(inventory.names.tolist()))]] = True
        self.stays[self.of_device[inventory.ends[splits, 1]]] = True
        self.cabinets = placement.cabinet_count
        order = np.argsort(self.cabinet, kind="stable")
        self._in_cabinet = np.split(order, np.searchsorted(self.cabinet[order], np.arange(1, self.cabinets)))

    def of(self, cabinet: int) -> np.ndarray:
        """Return the boxes of a cabinet, ascending, int64."""
        return self._in_cabinet[cabinet]

    def like(self, one: np.ndarray | int, other: np.ndarray | int) -> np.ndarray:
        """Return whether boxes may be swapped: two of one part, of which neither has to stay."""
        return (self.part[one] == self.part[other]) & ~self.stays[one] & ~self.stays[other]

    def vacant(self, cabinet: int) -> np.ndarray:
        """Return the units available to each box of a cabinet, bool (boxes, units); units count from 1.

        Routers with cable managers stay between these.
        """
        boxes, owner = self.of(cabinet), self._owners(cabinet)
        found = np.zeros((len(boxes), len(owner)), bool)
        for row, box in enumerate(boxes.tolist()):
            if self.stays[box] or (self.is_router[box] and self._catalog.manager is not None):
                continue
            height = int(self.units[box])
            usable = (owner == _FREE) | (owner == box)
            fits = np.convolve(usable, np.ones(height, np.int64), "full")[height - 1 :] == height
            found[row] = fits & (np.arange(len(owner)) + height <= len(owner))
            found[row, int(self.unit[box])] = False
        return found

    @cached_property
    def taken(self) -> np.ndarray:
        """Units of each cabinet that no box may use: reserved, of fixtures, or in use; bool (C, units), units counted from 1."""
        placement, catalog = self._placement, self._catalog
        taken = np.zeros((self.cabinets, catalog.cabinet.units + 1), bool)
        low, high = placement.reserved_units
        taken[:, : 1 + low] = True
        taken[:, taken.shape[1] - high :] = True
        for name, part in (("cable manager", catalog.manager), ("PDU", catalog.pdu)):
            mine = placement.fixture_kind == FIXTURES.index(name)
            for unit in range(part.units if part is not None and mine.any() else 0):
                high_unit = placement.fixture_unit[mine] + unit
                inside = high_unit < taken.shape[1]
                taken[placement.fixture_cabinet[mine][inside], high_unit[inside]] = True
        for cabinet, slot in enumerate(placement.slot_of.tolist()):
            for unit in self._existing.units_in(slot):
                taken[cabinet, unit : unit + 1] = True
        return taken

    def placement(self) -> Placement:
        """Return the placement with every box in its current unit."""
        return replace(self._placement, unit=self.unit[self.of_device])

    def _owners(self, cabinet: int) -> np.ndarray:
        """Return the owner of each unit of a cabinet: a box, `_FREE` or `_TAKEN`; int64, units counted from 1."""
        owner = np.where(self.taken[cabinet], _TAKEN, _FREE)
        for box in self.of(cabinet).tolist():
            owner[self.unit[box] : self.unit[box] + self.units[box]] = box
        return owner
