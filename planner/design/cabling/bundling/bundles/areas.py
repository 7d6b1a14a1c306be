"""Areas of the floor that share a panel: cabinets, rows, zones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.domain.model import Room

Level = Literal["cabinet", "row", "zone"]


@dataclass(frozen=True, eq=False)
class Areas:
    """Area of each slot, int64 (S,), and the slot in the middle of each area, int64 (A,)."""

    of_slot: np.ndarray
    center: np.ndarray

    @classmethod
    def of(cls, room: Room, level: Level) -> Areas:
        """Return the areas of a level.

        Zones are those of the room, or its halls, or all of it; slots outside of all zones are one more.
        The middle of a cabinet is its slot, that of a row its middle slot in order, that of a zone the
        slot nearest to the mean of its slots.
        """
        slots = np.arange(room.slot_count)
        if level == "cabinet":
            return cls(slots, slots)
        if level == "row":
            return cls(room.slot_row.astype(np.int64), _middles(room.slot_row))
        of_slot = _zones(room)
        center = []
        for zone in range(int(of_slot.max(initial=-1)) + 1):
            own = np.flatnonzero(of_slot == zone)
            away = room.slot_xy[own] - room.slot_xy[own].mean(axis=0)
            center.append(own[np.abs(away).sum(axis=1).argmin()])
        return cls(of_slot, np.array(center, np.int64))


def _middles(row: np.ndarray) -> np.ndarray:
    """Return the middle slot of each row; any slot for a row without slots, int64."""
    size = np.bincount(row)
    first = np.cumsum(size) - size
    return np.argsort(row, kind="stable")[np.minimum(first + size // 2, len(row) - 1)]


def _zones(room: Room) -> np.ndarray:
    """Return the zone of each slot by the room's own zones or halls, numbered without gaps, int64 (S,)."""
    of_slot = np.full(room.slot_count, -1, np.int64)
    if room.zones:
        for number, zone in enumerate(room.zones):
            of_slot[list(zone.slots)] = number
    elif room.halls:
        import shapely

        places = shapely.points(room.slot_xy)
        for number, hall in enumerate(room.halls):
            of_slot[shapely.covers(shapely.Polygon(hall.corners_mm), places)] = number
    return np.unique(of_slot, return_inverse=True)[1].ravel().astype(np.int64)
