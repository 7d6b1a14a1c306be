"""The failure domains of a plan: cabinets, rows, zones, halls, trays and their segments."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scipy.sparse import csr_array

from planner.domain.model import CablePlan, Domain, Inventory, Placement, Room


def domains_of(inventory: Inventory, room: Room, placement: Placement, cables: CablePlan, *, segments: bool) -> Iterator[Domain]:
    """Yield the domains that are not empty; tray segments only with `segments`."""
    yield from _areas(inventory, room, placement)
    yield from _trays(inventory, room, cables, segments)


def _areas(inventory: Inventory, room: Room, placement: Placement) -> Iterator[Domain]:
    """Yield areas of the floor with all boxes in them."""
    slot = placement.slot_of
    boxes, start = _grouped(placement.cabinet, len(slot))
    for cabinet in np.argsort(slot, kind="stable").tolist():
        devices = boxes[start[cabinet] : start[cabinet + 1]]
        yield Domain.of(inventory, "cabinet", room.slot_names[slot[cabinet]], devices=devices)
    row = room.slot_row[slot]
    for number, name in enumerate(room.row_names):
        if (row == number).any():
            yield _of_cabinets(inventory, "row", name, row == number, placement)
    parts = [("zone", zone.name, np.isin(slot, zone.slots)) for zone in room.zones]
    xy = room.slot_xy[slot]
    for hall in room.halls:
        inside = shapely.contains_xy(shapely.Polygon(hall.corners_mm), xy[:, 0], xy[:, 1])
        parts.append(("hall", hall.name, inside))
    for kind, name, inside in parts:
        if inside.any():
            yield _of_cabinets(inventory, kind, name, inside, placement)


def _of_cabinets(inventory: Inventory, kind: str, name: str, lost: np.ndarray, placement: Placement) -> Domain:
    """Return the boxes in the cabinets marked in `lost`, bool (C,)."""
    return Domain.of(inventory, kind, name, devices=np.flatnonzero(lost[placement.cabinet]))


def _trays(inventory: Inventory, room: Room, cables: CablePlan, segments: bool) -> Iterator[Domain]:
    """Yield trays with all cables routed over them."""
    routes = len(cables.route_indptr) - 1
    # Cables inside a cabinet, whose route is -1, come first.
    rows, start = _grouped(cables.route + 1, routes + 1)
    used, shape = cables.route_segments, (routes, len(room.segments))
    over = csr_array((np.ones(len(used), np.uint8), used, cables.route_indptr), shape=shape).tocsc()

    def domain(kind: str, name: str, chosen: np.ndarray) -> Iterator[Domain]:
        lost = np.sort(_members(rows, start, chosen + 1))
        if len(lost):
            yield Domain.of(inventory, kind, name, connections=lost)

    for number, name in enumerate(room.tray_names):
        own = np.flatnonzero(room.segment_tray == number)
        yield from domain("tray", name, np.unique(_members(over.indices, over.indptr, own)))
    if segments:
        for number in np.flatnonzero(np.diff(over.indptr)).tolist():
            own = over.indices[over.indptr[number] : over.indptr[number + 1]]
            yield from domain("tray segment", _segment_name(room, number), np.unique(own))


def _grouped(key: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return places by their key, ascending, int64 (N,), and where those of each key start, int64 (count + 1,)."""
    return np.argsort(key, kind="stable"), np.append(0, np.cumsum(np.bincount(key, minlength=count)))


def _members(places: np.ndarray, start: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the places of several keys, one after the other."""
    count = start[keys + 1] - start[keys]
    return places[np.arange(count.sum()) + np.repeat(start[keys] - np.cumsum(count) + count, count)]


def _segment_name(room: Room, segment: int) -> str:
    """Return the name of the tray and the position of the segment; a riser is vertical."""
    (x, y, z), (end_x, end_y, end_z) = room.node_xyz[room.segments[segment]] / 1000
    tray = room.tray_names[room.segment_tray[segment]]
    if (x, y) == (end_x, end_y):
        return f"{tray}: {x:.1f}, {y:.1f} m, height {z:.1f} – {end_z:.1f} m"
    return f"{tray}: {x:.1f}, {y:.1f} – {end_x:.1f}, {end_y:.1f} m"
