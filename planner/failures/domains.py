"""The failure domains of a plan: cabinets, rows, zones, halls, trays and their segments."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from planner.model import CablePlan, Domain, Placement, Room, Topology


def domains_of(topology: Topology, room: Room, placement: Placement, cables: CablePlan, *, segments: bool) -> Iterator[Domain]:
    """Yield the domains that are not empty; tray segments only with `segments`."""
    yield from _areas(room, placement)
    yield from _trays(topology, room, cables, segments)


def _areas(room: Room, placement: Placement) -> Iterator[Domain]:
    """Yield areas of the floor with all boxes in them."""
    slot = placement.slot_of
    for cabinet in np.argsort(slot, kind="stable").tolist():
        yield _of_cabinets("cabinet", room.slot_names[slot[cabinet]], np.arange(len(slot)) == cabinet, placement)
    row = room.slot_row[slot]
    for number, name in enumerate(room.row_names):
        if (row == number).any():
            yield _of_cabinets("row", name, row == number, placement)
    parts = [("zone", zone.name, np.isin(slot, zone.slots)) for zone in room.zones]
    xy = room.slot_xy[slot]
    for hall in room.halls:
        inside = shapely.contains_xy(shapely.Polygon(hall.corners_mm), xy[:, 0], xy[:, 1])
        parts.append(("hall", hall.name, inside))
    for kind, name, inside in parts:
        if inside.any():
            yield _of_cabinets(kind, name, inside, placement)


def _of_cabinets(kind: str, name: str, lost: np.ndarray, placement: Placement) -> Domain:
    """Return the boxes in the cabinets marked in `lost`, bool (C,)."""
    return Domain(
        kind,
        name,
        routers=np.flatnonzero(lost[placement.cabinet_of]),
        endpoints=np.flatnonzero(lost[placement.endpoint_cabinet]),
    )


def _trays(topology: Topology, room: Room, cables: CablePlan, segments: bool) -> Iterator[Domain]:
    """Yield trays with all cables routed over them."""
    route = np.repeat(np.arange(len(cables.route_indptr) - 1), np.diff(cables.route_indptr))
    used = cables.route_segments
    for number, name in enumerate(room.tray_names):
        yield from _of_routes("tray", name, route[room.segment_tray[used] == number], topology, cables)
    if segments:
        order = np.argsort(used, kind="stable")
        bounds = np.searchsorted(used[order], np.arange(len(room.segments) + 1))
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            own = route[order[bounds[number] : bounds[number + 1]]]
            yield from _of_routes("tray segment", _segment_name(room, number), own, topology, cables)


def _of_routes(kind: str, name: str, routes: np.ndarray, topology: Topology, cables: CablePlan) -> Iterator[Domain]:
    # One entry more than routes: the last stays False, for cables inside a cabinet, whose route is -1.
    hit = np.zeros(len(cables.route_indptr), bool)
    hit[routes] = True
    lost = np.flatnonzero(hit[cables.route])
    if len(lost):
        links = topology.link_count
        yield Domain(kind, name, links=lost[lost < links], endpoints=lost[lost >= links] - links)


def _segment_name(room: Room, segment: int) -> str:
    """Return the name of the tray and the position of the segment; a riser is vertical."""
    (x, y, z), (end_x, end_y, end_z) = room.node_xyz[room.segments[segment]] / 1000
    tray = room.tray_names[room.segment_tray[segment]]
    if (x, y) == (end_x, end_y):
        return f"{tray}: {x:.1f}, {y:.1f} m, height {z:.1f} – {end_z:.1f} m"
    return f"{tray}: {x:.1f}, {y:.1f} – {end_x:.1f}, {end_y:.1f} m"
