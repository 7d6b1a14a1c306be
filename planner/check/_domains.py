"""Failure domains of a plan, recomputed: equipment that fails with each cabinet, row, hall, tray and power feed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from planner.check._boxes import boxes
from planner.check.ends import within
from planner.model import Plan, Room


@dataclass(frozen=True, eq=False)
class Loss:
    """Equipment of the first network that fails together.

    Attributes
    ----------
    sizes
        Number of routers, links and endpoints of the network.
    failed
        Those that fail, ascending, int32 (n,) each: masks of thousands of domains take more memory than the plan.
    """

    kind: str
    name: str
    sizes: tuple[int, int, int]
    failed: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, kind: str, name: str, *masks: np.ndarray) -> Loss:
        """Return the failure of the marked routers, links and endpoints, bool (R,), (L,), (H,)."""
        routers, links, endpoints = map(len, masks)
        return cls(kind, name, (routers, links, endpoints), tuple(np.flatnonzero(mask).astype(np.int32) for mask in masks))

    @property
    def routers(self) -> np.ndarray:
        """Return which routers fail, bool (R,)."""
        return self._mask(0)

    @property
    def links(self) -> np.ndarray:
        """Return which links fail, bool (L,)."""
        return self._mask(1)

    @property
    def endpoints(self) -> np.ndarray:
        """Return which endpoints fail, bool (H,)."""
        return self._mask(2)

    def _mask(self, which: int) -> np.ndarray:
        mask = np.zeros(self.sizes[which], bool)
        mask[self.failed[which]] = True
        return mask


@lru_cache(maxsize=1)
def losses(plan: Plan, segments: bool) -> tuple[Loss, ...]:
    """Return the domains in the order in which plans list them; the first loses nothing."""
    return tuple(_losses(plan, segments))


def _losses(plan: Plan, segments: bool) -> Iterator[Loss]:
    inventory, home = plan.inventory, plan.placement.slot_of[plan.placement.cabinet]
    links, ends = inventory.links(), inventory.endpoints()
    none = np.zeros(inventory.connection_count, bool)

    def loss(kind: str, name: str, devices: np.ndarray, rows: np.ndarray) -> Loss:
        failed = rows[ends] | devices[inventory.ends[ends, 1]]
        return Loss.of(kind, name, devices[inventory.routers()], rows[links], failed)

    intact = np.zeros(inventory.device_count, bool)
    yield loss("none", "nothing failed", intact, none)
    for kind, name, slots in _places(plan):
        if slots.any():
            yield loss(kind, name, slots[home], none)
    for kind, name, rows in _trays(plan, segments):
        yield loss(kind, name, intact, rows)
    for kind, name, devices in _feeds(plan):
        yield loss(kind, name, devices, none)


def _places(plan: Plan) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the kind, name and slots of the parts of the floor where a cabinet is located."""
    room, taken = plan.room, np.zeros(plan.room.slot_count, bool)
    taken[plan.placement.slot_of] = True
    number = np.arange(room.slot_count)
    for slot in np.flatnonzero(taken).tolist():
        yield "cabinet", room.slot_names[slot], number == slot
    for row, name in enumerate(room.row_names):
        yield "row", name, taken & (room.slot_row == row)
    for zone in room.zones:
        yield "zone", zone.name, taken & np.isin(number, zone.slots)
    for hall in room.halls:
        yield "hall", hall.name, taken & _strictly_inside(room, hall.corners_mm)


def _strictly_inside(room: Room, corners: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the slots whose centers are inside a hall; a center on its wall is in no hall."""
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))

    def on_edge(x: int, y: int) -> bool:
        return any(within(x, y, (a, b, a)) for a, b in edges)

    return np.array([within(x, y, corners) and not on_edge(x, y) for x, y in room.slot_xy.tolist()], bool)


def _trays(plan: Plan, segments: bool) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the kind, name and rows of cables of each tray, and of each segment, that carries a cable."""
    room, cables = plan.room, plan.cables
    length = np.diff(cables.route_indptr)
    route = np.repeat(np.arange(len(length)), length)
    on_tray = cables.route >= 0

    def rows_over(used: np.ndarray) -> np.ndarray:
        hit = np.zeros(len(length), bool)
        hit[route[used]] = True
        rows = np.zeros(cables.cable_count, bool)
        rows[on_tray] = hit[cables.route[on_tray]]
        return rows

    tray = room.segment_tray[cables.route_segments]
    for number, name in enumerate(room.tray_names):
        if (rows := rows_over(tray == number)).any():
            yield "tray", name, rows
    if not segments:
        return
    order = np.argsort(cables.route_segments, kind="stable")
    bounds = np.searchsorted(cables.route_segments[order], np.arange(len(room.segments) + 1))
    for segment in np.flatnonzero(np.diff(bounds)).tolist():
        if (rows := rows_over(order[bounds[segment] : bounds[segment + 1]])).any():
            yield "tray segment", _segment(room, segment), rows


def _segment(room: Room, segment: int) -> str:
    """Return tray and position of a segment in meters; for a riser position and heights."""
    (ax, ay, az), (bx, by, bz) = (room.node_xyz[segment_end] / 1000 for segment_end in room.segments[segment])
    tray = room.tray_names[room.segment_tray[segment]]
    if ax == bx and ay == by:
        return f"{tray}: {ax:.1f}, {ay:.1f} m, height {az:.1f} – {bz:.1f} m"
    return f"{tray}: {ax:.1f}, {ay:.1f} – {bx:.1f}, {by:.1f} m"


def _feeds(plan: Plan) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the devices without a supply on another feed, bool (D,): by PDU, by row, and in the room, feed after feed."""
    placement, room = plan.placement, plan.room
    if not placement.feeds:
        return
    found = boxes(plan)
    plugs = supplies(plan)[found.of_device]
    row_of = room.slot_row[placement.slot_of[placement.cabinet]]
    for feed in range(placement.feeds):
        only = np.where(plugs[:, 1 - feed] < 0, plugs[:, feed], -1)
        for cabinet, slot in enumerate(placement.slot_of.tolist()):
            for pdu in range(placement.pdus_per_feed):
                lost = (only == pdu) & (placement.cabinet == cabinet)
                if lost.any():
                    yield "PDU", f"{room.slot_names[slot]}-{'AB'[feed]}{pdu + 1}", lost
        for row, name in enumerate(room.row_names):
            lost = (only >= 0) & (row_of == row)
            if lost.any():
                yield "feed", f"{'AB'[feed]} of row {name}", lost
        yield "feed", "AB"[feed], only >= 0


def supplies(plan: Plan) -> np.ndarray:
    """Return the PDU on feed A and on feed B of each box, -1 for none, int64 (B, 2).

    The boxes of one part use the PDUs of their cabinet in turn, from the top down.
    """
    found, feeds, pdus = boxes(plan), plan.placement.feeds, plan.placement.pdus_per_feed
    plugs = np.full((len(found.cabinet), 2), -1)
    for box, (turn, psus) in enumerate(zip(found.above, found.of_part("psu_count").tolist(), strict=True)):
        if feeds == 1:
            plugs[box, 0] = turn % pdus
        elif feeds == 2 and psus > 1:
            plugs[box] = turn % pdus
        elif feeds == 2:
            plugs[box, turn % 2] = turn // 2 % pdus
    return plugs
