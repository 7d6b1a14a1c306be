"""Routes over the trays of a room: every cable on trays of its medium class, within the fill limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from planner.core.progress import Progress, silent
from planner.design.cabling.trays.certificate import verify_certificate
from planner.design.cabling.trays.graph import Demands, TrayGraph
from planner.design.cabling.trays.negotiation import negotiate
from planner.design.cabling.trays.result import Negotiated, WarmStart
from planner.domain.model import Bottleneck, Room

_HALVINGS = 4
"""Number of bisection steps between design fill and maximum fill where the former cannot be kept."""


@dataclass(frozen=True)
class Routes:
    """Arrays as in `planner.domain.model.CablePlan`.

    Attributes
    ----------
    route, indptr, segments
        Row of each cable in `indptr`, or -1, int64 (W,); the segments of each route in CSR.
    tray_mm
        Route length along trays, int64 (W,).
    shortest_mm
        Total length of all cables over their shortest routes.
    bottleneck
        Proof that they do not fit below the design fill, where there is one.
    warm_start
        State to resume from when a few cables change, if they provably do not fit below the maximum fill either.
    complete
        False when interrupted.
    """

    route: np.ndarray
    indptr: np.ndarray
    segments: np.ndarray
    tray_mm: np.ndarray
    shortest_mm: int
    bottleneck: Bottleneck | None
    warm_start: WarmStart | None = None
    complete: bool = True

    def segments_of(self, cable: int) -> np.ndarray:
        """Return the segments of the route of a cable that is on trays."""
        return self.segments[self.indptr[self.route[cable]] : self.indptr[self.route[cable] + 1]]


def routes(
    room: Room,
    slot: np.ndarray,
    medium_class: np.ndarray,
    area_um2: np.ndarray,
    *,
    taken_um2: np.ndarray | None = None,
    warm_start: WarmStart | None = None,
    thorough: bool = True,
    progress: Progress = silent,
) -> Routes:
    """Route all cables between different slots.

    Parameters
    ----------
    slot
        Slots of both ends, int (W, 2).
    medium_class, area_um2
        0 copper or 1 fiber, and the cross-section that each cable takes, int (W,).
    taken_um2
        Cross-section of each segment that is already in use, int64 (K,).
    warm_start
        From the routes of mostly the same cables.
    thorough
        As for `planner.design.cabling.trays.negotiation.negotiate`; without it, the design fill is all that counts.

    Notes
    -----
    Where the design fill cannot be kept, the routes are those for the smallest feasible fill between it and the
    maximum fill, to a sixteenth of the difference.
    """
    between = np.flatnonzero(slot[:, 0] != slot[:, 1])
    alike, turned, row = _alike(room, slot[between], medium_class[between], area_um2[between])
    taken = np.zeros(len(room.segments), np.int64) if taken_um2 is None else taken_um2
    graph = trays(room, room.design_fill, taken)
    routed = negotiate(graph, alike, warm_start=warm_start, thorough=thorough, progress=progress)
    is_final = routed.fits or not (routed.complete and thorough)
    best, complete = (routed, routed.complete) if is_final else _fuller(room, taken, alike, routed, progress)
    found = _routes(room, best, between, row, turned, len(slot), _bottleneck(routed))
    return replace(found, warm_start=None if best.fits else routed.warm_start, complete=complete)


def _fuller(
    room: Room, taken_um2: np.ndarray, demands: Demands, routed: Negotiated, progress: Progress
) -> tuple[Negotiated, bool]:
    """Return routes for the smallest feasible fill between design and maximum fill; `routed` where none is feasible.

    A certificate often holds for more room as well: then no negotiation is needed. The second value is False when interrupted;
    the routes are then the best so far.
    """
    low, high = room.design_fill, room.max_fill
    known, best, fill = routed.certificate, routed, high
    for _ in range(1 + _HALVINGS if low < high else 0):
        graph = trays(room, fill, taken_um2)
        fits = False
        if known is None or verify_certificate(graph, demands, known.segments, known.prices) is None:
            tried = negotiate(graph, demands, progress=progress)
            fits, known = tried.fits, tried.certificate or known
            best = tried if fits else best
            if not tried.complete:
                return best, False
        if not fits and fill == high:
            break
        low, high = (low, fill) if fits else (fill, high)
        fill = (low + high) / 2
    return best, True


def shortest(room: Room, node: np.ndarray, medium_class: np.ndarray) -> list[np.ndarray]:
    """Return the segments of the shortest route between two tray nodes each, in order.

    Parameters
    ----------
    node, medium_class
        Nodes of both ends, int (N, 2), and 0 for copper or 1 for fiber, int (N,).
    """
    if not len(node):
        return []
    turned = node[:, 0] > node[:, 1]
    pairs, row = np.unique(np.column_stack([np.sort(node, axis=1), medium_class]), axis=0, return_inverse=True)
    one = np.ones(len(pairs), np.int64)
    free = np.full(len(room.segments), -1, np.int64)
    graph = TrayGraph(len(room.node_xyz), room.segments, room.segment_mm, free, room.segment_carries)
    routed = negotiate(graph, Demands(pairs[:, :2], pairs[:, 2], one, one))
    segments = [routed.segments[a:b] for a, b in pairwise(routed.indptr.tolist())]
    return [segments[k][::-1] if back else segments[k] for k, back in zip(row.ravel().tolist(), turned.tolist(), strict=True)]


def trays(room: Room, fill: float, taken_um2: np.ndarray) -> TrayGraph:
    """Return the tray graph of a room with the cross-section left for cables at this fill, less what is in use or reserved."""
    used_um2 = taken_um2 + room.existing.fill_um2(len(room.segments))
    share = fill * (1 - room.existing.keep_free.trays)
    area = room.segment_mm2
    limit = np.where(area > 0, np.maximum((share * area * 1_000_000).astype(np.int64) - used_um2, 0), -1)
    return TrayGraph(len(room.node_xyz), room.segments, room.segment_mm, limit, room.segment_carries)


def cross_section_um2(diameter_um: np.ndarray, shape: str) -> np.ndarray:
    """Return the cross-section of cables in a tray: circles of their outer diameters, or the squares around them; int64."""
    square = np.asarray(diameter_um, np.int64) ** 2
    return square if shape == "square" else np.rint(np.pi / 4 * square).astype(np.int64)


def fill_um2(found: Routes, area_um2: np.ndarray, segments: int) -> np.ndarray:
    """Return the cross-section of all cables in each tray segment, int64 (K,)."""
    on_tray = found.route >= 0
    per_route = np.zeros(len(found.indptr) - 1, np.int64)
    np.add.at(per_route, found.route[on_tray], area_um2[on_tray])
    fill = np.zeros(segments, np.int64)
    np.add.at(fill, found.segments, np.repeat(per_route, np.diff(found.indptr)))
    return fill


def _alike(
    room: Room, slot: np.ndarray, medium_class: np.ndarray, area_um2: np.ndarray
) -> tuple[Demands, np.ndarray, np.ndarray]:
    """Return demands by pair of slots, medium class and cross-section; which cables are reversed, and the demand of each."""
    turned = slot[:, 0] > slot[:, 1]
    areas, thickness = np.unique(area_um2, return_inverse=True)
    # One number for all four sorts much faster.
    key = slot.min(axis=1).astype(np.int64) * room.slot_count + slot.max(axis=1)
    key = (2 * key + medium_class) * max(1, len(areas)) + thickness
    rows, row, count = np.unique(key, return_inverse=True, return_counts=True)
    rest, thickness = np.divmod(rows, max(1, len(areas)))
    (low, high), medium, area = np.divmod(rest // 2, room.slot_count), rest % 2, areas[thickness]
    node = np.column_stack([room.slot_node[low, medium], room.slot_node[high, medium]])
    return Demands(node, medium, area, count), turned, row.ravel()


def _routes(
    room: Room, routed: Negotiated, between: np.ndarray, row: np.ndarray, turned: np.ndarray, count: int, why: Bottleneck | None
) -> Routes:
    """Assign the strands to the cables of each demand, in the order of the cables; routes are symmetric."""
    order = np.argsort(row, kind="stable")
    strand = np.empty(len(row), np.int64)
    strand[order] = np.repeat(np.arange(len(routed.demand)), routed.cables)
    kinds, kind = np.unique(2 * strand + turned, return_inverse=True)
    starts, ends = routed.indptr[kinds // 2], routed.indptr[kinds // 2 + 1]
    length = ends - starts
    indptr = np.zeros(len(kinds) + 1, np.int64)
    np.cumsum(length, out=indptr[1:])
    step = np.arange(indptr[-1]) - np.repeat(indptr[:-1], length)
    back = np.repeat(kinds % 2, length).astype(bool)
    place = np.where(back, np.repeat(ends, length) - 1 - step, np.repeat(starts, length) + step)
    segments = routed.segments[place].astype(np.int64)
    mm = np.concatenate([[0], np.cumsum(room.segment_mm[segments], dtype=np.int64)])
    route, tray = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    route[between] = kind.ravel()
    tray[between] = (mm[indptr[1:]] - mm[indptr[:-1]])[kind.ravel()]
    return Routes(route, indptr, segments, tray, routed.uncongested_mm, why)


def _bottleneck(routed: Negotiated) -> Bottleneck | None:
    found = routed.certificate
    if found is None:
        return None
    return Bottleneck(tuple(found.segments.tolist()), tuple(found.prices.tolist()), found.room, found.needed, found.is_cut)
