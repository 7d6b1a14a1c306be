"""The boxes of a plan: routers and endpoint boxes, their units, and the units available to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.model import FIXTURES, Catalog, Placement

_FREE, _TAKEN = -1, -2


class Boxes:
    """Routers, then endpoint boxes in the order of cabinets and units.

    Attributes
    ----------
    cabinet, unit, units, rear
        Cabinet, lowest unit and height in units of each box, and 1 where its ports are at the rear, int64 (B,). `unit`
        changes as boxes move.
    of_device
        Box of each device, routers first, then endpoints, int64 (R + H,).
    routers, cabinets
        The number of routers, R, and of cabinets.
    """

    def __init__(self, catalog: Catalog, placement: Placement):
        self._catalog, self._placement = catalog, placement
        self.routers = len(placement.cabinet_of)
        alike = catalog.endpoint.connector == catalog.router.connector
        self._ends_move = catalog.router.ports_per_cage == 1 or alike
        where = np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]).astype(np.int64)
        distinct, box = np.unique(where, axis=0, return_inverse=True) if len(where) else (where, np.zeros(0, np.int64))
        self.of_device = np.concatenate([np.arange(self.routers), self.routers + box.ravel()])
        self.cabinet = np.concatenate([placement.cabinet_of, distinct[:, 0]]).astype(np.int64)
        self.unit = np.concatenate([placement.unit_of, distinct[:, 1]]).astype(np.int64)
        heights = (catalog.router.units, catalog.endpoint.units)
        self.units = np.repeat(np.array(heights, np.int64), [self.routers, len(distinct)])
        self.rear = np.repeat([catalog.router.rear, catalog.endpoint.rear], [self.routers, len(distinct)])
        self.cabinets = placement.cabinet_count
        order = np.argsort(self.cabinet, kind="stable")
        self._in_cabinet = np.split(order, np.searchsorted(self.cabinet[order], np.arange(1, self.cabinets)))

    def of(self, cabinet: int) -> np.ndarray:
        """Return the boxes of a cabinet, ascending, int64."""
        return self._in_cabinet[cabinet]

    def like(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return whether boxes may be swapped: two routers, or two endpoint boxes that may move."""
        one_is, other_is = np.less(one, self.routers), np.less(other, self.routers)
        return (one_is & other_is) | (self._ends_move & ~one_is & ~other_is)

    def vacant(self, cabinet: int) -> np.ndarray:
        """Return the units available to each box of a cabinet, bool (boxes, units); units count from 1.

        Routers with cable managers stay between these. Endpoint boxes stay in place where splitter cables connect
        neighbors.
        """
        boxes, owner = self.of(cabinet), self._owners(cabinet)
        found = np.zeros((len(boxes), len(owner)), bool)
        for row, box in enumerate(boxes.tolist()):
            if (self._catalog.manager is not None) if box < self.routers else not self._ends_move:
                continue
            height = int(self.units[box])
            usable = (owner == _FREE) | (owner == box)
            fits = np.convolve(usable, np.ones(height, np.int64), "full")[height - 1 :] == height
            found[row] = fits & (np.arange(len(owner)) + height <= len(owner))
            found[row, int(self.unit[box])] = False
        return found

    def placement(self) -> Placement:
        """Return the placement with every box in its current unit."""
        endpoint_box = self.of_device[self.routers :]
        return replace(self._placement, unit_of=self.unit[: self.routers], endpoint_unit=self.unit[endpoint_box])

    def _owners(self, cabinet: int) -> np.ndarray:
        """Return the owner of each unit of a cabinet: a box, `_FREE` or `_TAKEN`; int64, units counted from 1."""
        placement, catalog = self._placement, self._catalog
        owner = np.full(catalog.cabinet.units + 1, _FREE)
        low, high = placement.reserved_units
        owner[: 1 + low] = owner[len(owner) - high :] = _TAKEN
        fixed = placement.fixture_cabinet == cabinet
        height = {FIXTURES.index("cable manager"): catalog.manager, FIXTURES.index("PDU"): catalog.pdu}
        for unit, kind in zip(placement.fixture_unit[fixed].tolist(), placement.fixture_kind[fixed].tolist(), strict=True):
            owner[unit : unit + height[kind].units] = _TAKEN
        for box in self.of(cabinet).tolist():
            owner[self.unit[box] : self.unit[box] + self.units[box]] = box
        return owner
