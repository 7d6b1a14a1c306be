"""Failure domains of a plan, recomputed: equipment that fails with each cabinet, row, hall, tray and power feed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.sparse import csc_array, csr_array

from planner.check.basis.boxes import boxes
from planner.check.ends import within
from planner.domain.model import Plan, Room

_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Loss:
    """Equipment that fails together; that of thousands of domains as masks would take more memory than the plan.

    Attributes
    ----------
    devices
        Devices that fail, int (n,).
    segments
        Tray segments whose cables fail, int (n,).
    """

    kind: str
    name: str
    devices: np.ndarray = field(default_factory=_NONE.copy)
    segments: np.ndarray = field(default_factory=_NONE.copy)

    def of(self, plan: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return which routers, links and endpoints of the first network fail, bool (R,), (L,), (H,)."""
        inventory, cables = plan.inventory, plan.cables
        failed, rows = np.zeros(inventory.device_count, bool), np.zeros(inventory.connection_count, bool)
        failed[self.devices] = True
        if len(self.segments):
            over, hit = _routes(plan), np.zeros(len(cables.route_indptr) - 1, bool)
            for segment in self.segments.tolist():
                hit[over.indices[over.indptr[segment] : over.indptr[segment + 1]]] = True
            on_tray = cables.route >= 0
            rows[on_tray] = hit[cables.route[on_tray]]
        links, ends = inventory.links(), inventory.endpoints()
        return failed[inventory.routers()], rows[links], rows[ends] | failed[inventory.ends[ends, 1]]


@lru_cache(maxsize=1)
def _routes(plan: Plan) -> csc_array:
    """Return which routes with cables use each segment, a column each."""
    cables = plan.cables
    length = np.diff(cables.route_indptr)
    taken = np.repeat(np.bincount(cables.route[cables.route >= 0], minlength=len(length)) > 0, length)
    shape = len(length), len(plan.room.segments)
    over = csr_array((taken.view(np.uint8), cables.route_segments, cables.route_indptr), shape=shape).tocsc()
    over.eliminate_zeros()
    return over


@lru_cache(maxsize=1)
def losses(plan: Plan, segments: bool) -> tuple[Loss, ...]:
    """Return the domains in the order in which plans list them; the first loses nothing."""
    return (Loss("none", "nothing failed"), *_places(plan), *_trays(plan, segments), *_feeds(plan))


def _places(plan: Plan) -> Iterator[Loss]:
    """Yield the parts of the floor where a cabinet is located."""
    room, slot = plan.room, plan.placement.slot_of[plan.placement.cabinet]
    taken = np.zeros(room.slot_count, bool)
    taken[plan.placement.slot_of] = True
    number, by_slot = np.arange(room.slot_count), _by(slot, room.slot_count)
    parts = [("row", name, room.slot_row == row) for row, name in enumerate(room.row_names)]
    parts += [("zone", zone.name, np.isin(number, zone.slots)) for zone in room.zones]
    parts += [("hall", hall.name, _strictly_inside(room, hall.corners_mm)) for hall in room.halls]
    for one in np.flatnonzero(taken).tolist():
        yield Loss("cabinet", room.slot_names[one], by_slot[one])
    for kind, name, slots in parts:
        if (taken & slots).any():
            yield Loss(kind, name, np.flatnonzero(slots[slot]))


def _by(key: np.ndarray, count: int) -> list[np.ndarray]:
    """Return where each key 0 … count - 1 is, ascending; other keys are nowhere."""
    order = np.argsort(key, kind="stable")
    return np.split(order, np.searchsorted(key[order], np.arange(count + 1)))[1:-1]


def _strictly_inside(room: Room, corners: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the slots whose centers are inside a hall; a center on its wall is in no hall."""
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))

    def on_edge(x: int, y: int) -> bool:
        return any(within(x, y, (a, b, a)) for a, b in edges)

    return np.array([within(x, y, corners) and not on_edge(x, y) for x, y in room.slot_xy.tolist()], bool)


def _trays(plan: Plan, segments: bool) -> Iterator[Loss]:
    """Yield each tray, and each segment, that carries a cable."""
    room, carries = plan.room, np.diff(_routes(plan).indptr) > 0
    for number, name in enumerate(room.tray_names):
        own = np.flatnonzero((room.segment_tray == number) & carries)
        if len(own):
            yield Loss("tray", name, segments=own)
    for segment in np.flatnonzero(carries).tolist() if segments else ():
        yield Loss("tray segment", _segment(room, segment), segments=np.array([segment]))


def _segment(room: Room, segment: int) -> str:
    """Return tray and position of a segment in meters; for a riser position and heights."""
    (ax, ay, az), (bx, by, bz) = (room.node_xyz[segment_end] / 1000 for segment_end in room.segments[segment])
    tray = room.tray_names[room.segment_tray[segment]]
    if ax == bx and ay == by:
        return f"{tray}: {ax:.1f}, {ay:.1f} m, height {az:.1f} – {bz:.1f} m"
    return f"{tray}: {ax:.1f}, {ay:.1f} – {bx:.1f}, {by:.1f} m"


def _feeds(plan: Plan) -> Iterator[Loss]:
    """Yield the devices without a supply on another feed: by PDU, by row, and in the room, feed after feed."""
    placement, room = plan.placement, plan.room
    if not placement.feeds:
        return
    plugs = supplies(plan)[boxes(plan).of_device]
    row_of = room.slot_row[placement.slot_of[placement.cabinet]]
    pdus, cabinets = placement.pdus_per_feed, len(placement.slot_of)
    for feed, letter in zip(range(placement.feeds), "AB", strict=False):
        only = np.where(plugs[:, 1 - feed] < 0, plugs[:, feed], -1)
        by_pdu = _by(np.where(only < 0, -1, placement.cabinet * pdus + only), cabinets * pdus)
        by_row = _by(np.where(only < 0, -1, row_of), len(room.row_names))
        for cabinet, slot in enumerate(placement.slot_of.tolist()):
            for pdu in range(pdus):
                if len(lost := by_pdu[cabinet * pdus + pdu]):
                    yield Loss("PDU", f"{room.slot_names[slot]}-{letter}{pdu + 1}", lost)
        for row, name in enumerate(room.row_names):
            if len(by_row[row]):
                yield Loss("feed", f"{letter} of row {name}", by_row[row])
        yield Loss("feed", letter, np.flatnonzero(only >= 0))


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
