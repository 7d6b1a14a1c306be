"""Areas of the floor, and the cabinets that take air from each aisle or return it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from planner.domain.model import Room, Zone

_PROBE_MM = 100
"""Distance in front of a cabinet, or behind it, at which an aisle is looked up."""


@dataclass(frozen=True)
class Place:
    """An area of the floor by its slots."""

    kind: str
    name: str
    slots: np.ndarray
    floor_mm2: int


def places_of(room: Room) -> list[Place]:
    """Return rows, zones, halls and the room, in that order."""
    size = room.slot_size.astype(np.int64).prod(axis=1)

    def place(kind: str, name: str, slots: np.ndarray) -> Place:
        return Place(kind, name, slots, int(size[slots].sum()))

    def hall(kind: str, name: str, corners: np.ndarray) -> Place:
        polygon = shapely.Polygon(corners)
        return Place(kind, name, np.flatnonzero(shapely.intersects_xy(polygon, room.slot_xy)), round(polygon.area))

    halls = [hall("hall", zone.name, np.array(zone.corners_mm)) for zone in room.halls]
    floor_mm2 = sum(one.floor_mm2 for one in halls) or round(shapely.Polygon(room.outline).area)
    return [
        *(place("row", name, np.flatnonzero(room.slot_row == number)) for number, name in enumerate(room.row_names)),
        *(place("zone", zone.name, np.array(zone.slots, np.int64)) for zone in room.zones),
        *halls,
        Place("room", "", np.arange(room.slot_count), floor_mm2),
    ]


def aisles_of(room: Room, slot_of: np.ndarray) -> Iterator[tuple[Zone, np.ndarray]]:
    """Yield each aisle, and which cabinets take air from it, or return air to it where it is hot; bool (C,)."""
    angle = np.deg2rad(room.slot_facing[slot_of])
    toward = np.rint(np.column_stack([np.cos(angle), np.sin(angle)]))
    depth_mm = (np.abs(toward) * room.slot_size[slot_of]).sum(axis=1)
    reach_mm = (depth_mm / 2 + _PROBE_MM)[:, None] * toward
    center = room.slot_xy[slot_of]
    for zone in room.aisles:
        polygon = shapely.Polygon(zone.corners_mm)
        front, rear = (shapely.intersects_xy(polygon, center + sign * reach_mm) for sign in (1, -1))
        yield zone, {"cold aisle": front, "hot aisle": rear}.get(zone.kind, front | rear)
