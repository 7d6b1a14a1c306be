"""Result of packing: the cabinet of each router, and the suitable slots of each cabinet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from planner.design.placement.packing.cabinets.interior import PLAIN, Interior, Stack, rank, stacked
from planner.design.placement.packing.cabinets.obstacles import obstacles_of, stacked_around
from planner.domain.model import Catalog, Placement, Room, Topology


@dataclass(frozen=True)
class Packing:
    """Cabinet of each router, initial slot of each cabinet, and suitable slots of each cabinet.

    Attributes
    ----------
    cabinet_of
        Cabinet of each router, counted from 0, int64 (R,).
    slot_of
        Initial slot of each cabinet, which carries it; all different, int64 (C,).
    demand
        Demand class of each cabinet, int64 (C,); cabinets of one class have the same suitable slots.
    allowed
        Slots that carry each demand class, bool (D, S).
    method
        Description of the packing method.
    interior
        Arrangement inside cabinets.
    """

    topology: Topology
    catalog: Catalog
    cabinet_of: np.ndarray
    slot_of: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    method: str
    interior: Interior = PLAIN

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)

    @cached_property
    def usable(self) -> np.ndarray:
        """Slots that carry cabinets of at least one class, ascending, int64 (E,)."""
        return np.flatnonzero(self.allowed.any(axis=0))

    def stack(self, cabinet_of: np.ndarray, room: Room, slot_of: np.ndarray) -> tuple[Stack, np.ndarray, np.ndarray]:
        """Assign rack units to all boxes; endpoints of one cabinet share boxes, by id.

        Parameters
        ----------
        cabinet_of
            Cabinet of each router, int64 (R,).
        room, slot_of
            The room with what is there already, and the slot of each cabinet, int64 (C,).

        Returns
        -------
        stack, endpoint_cabinet, endpoint_unit
            The last two int64 (H,); units count from 1 at the bottom.
        """
        cabinet_of = np.asarray(cabinet_of)
        endpoint_cabinet = cabinet_of[self.topology.endpoint_router]
        place = rank(endpoint_cabinet)
        inside = np.column_stack([endpoint_cabinet, place // self.catalog.endpoint_part.endpoints])
        boxes, box = np.unique(inside, axis=0, return_inverse=True)
        stack = _stacked(self.catalog, self.interior, room, slot_of, cabinet_of, boxes[:, 0])
        return stack, endpoint_cabinet, stack.box_unit[box.ravel()]


def restacked(catalog: Catalog, interior: Interior, placed: Placement, routers: int, room: Room) -> Placement:
    """Return a placement with the rack units of all boxes reassigned within their cabinets."""
    inside = np.column_stack([placed.cabinet[routers:], -placed.unit[routers:].astype(np.int64)])
    boxes, box = np.unique(inside, axis=0, return_inverse=True)
    stack = _stacked(catalog, interior, room, placed.slot_of, placed.cabinet[:routers], boxes[:, 0])
    return replace(placed, unit=np.concatenate([stack.unit_of, stack.box_unit[box.ravel()]]), **stack.fixtures)


def _stacked(
    catalog: Catalog, interior: Interior, room: Room, slot_of: np.ndarray, cabinet_of: np.ndarray, box_cabinet: np.ndarray
) -> Stack:
    """Return the rack units of routers and endpoint boxes around what is in their cabinets already."""
    stack = stacked(catalog, interior, len(slot_of), cabinet_of, box_cabinet)
    return stacked_around(stack, obstacles_of(room, slot_of), catalog, interior, cabinet_of, box_cabinet)
