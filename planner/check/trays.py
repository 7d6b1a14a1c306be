"""Rules of trays: routes are connected, and trays are within their fill limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from planner.check.basis.existing import tray_use_um2
from planner.check.basis.places import cable_name, error, segment_name
from planner.check.basis.routes import add_along_routes
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Room, Violation

_WALKED = 1 << 16
"""Number of routes that are walked at once."""


@rule(180)
def routes_follow_trays(plan: Plan) -> Iterator[Violation]:
    """A cable's tray segments carry its medium class and form a route from slot to slot of the stated length."""
    cables, room = plan.cables, plan.room
    slot = plan.placement.slot_of[cables.cabinet]
    medium = np.array([made_of.medium == "optical" for made_of in cables.assemblies], np.int64)[cables.assembly]
    left = np.flatnonzero(~_follows(plan, slot, medium))
    keys = np.column_stack([cables.route, slot, cables.tray_mm, medium])[left]
    kinds, example, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    columns = zip(left[example].tolist(), kinds.tolist(), strict=True)
    faults = np.array([_broken_route(room, cables.route_of(number), tuple(key)) for number, key in columns], object)
    for place in np.flatnonzero(faults[kind.ravel()] != "").tolist() if len(kinds) else ():
        yield error("routes_follow_trays", cable_name(plan, int(left[place])), 0, 0, "", faults[kind.ravel()[place]])


def _follows(plan: Plan, slot: np.ndarray, medium: np.ndarray) -> np.ndarray:
    """Return the cables whose routes are right beyond doubt, bool (W,): one walk along each route, from its first cable's slot.

    A walk that alternates between the ends of segments is at the sum of their ends with alternating signs.
    """
    cables, room = plan.cables, plan.room
    found = (slot[:, 0] == slot[:, 1]) & (cables.route < 0) & (cables.tray_mm == 0)
    first = np.full(len(cables.route_indptr) - 1, -1)
    rows = np.flatnonzero((cables.route >= 0) & (slot[:, 0] != slot[:, 1]))[::-1]
    first[cables.route[rows]] = rows
    good = np.zeros(len(first), bool)
    length = np.diff(cables.route_indptr).astype(np.int64)
    used = np.flatnonzero((first >= 0) & (length > 0))
    for begin in range(0, len(used), _WALKED):
        route = used[begin : begin + _WALKED]
        count, own = length[route], first[route]
        start = np.cumsum(count) - count
        step = np.arange(count.sum()) - np.repeat(start, count)
        segment = cables.route_segments[np.repeat(cables.route_indptr[route].astype(np.int64), count) + step]
        ends, sign = room.segments[segment].astype(np.int64), 1 - 2 * (step % 2)
        signed = np.append(0, np.cumsum(sign * ends.sum(axis=1)))
        origin = room.slot_node[slot[own, 0], medium[own]].astype(np.int64)
        node = sign * (np.repeat(origin, count) - (signed[:-1] - np.repeat(signed[start], count)))
        broken = (node != ends[:, 0]) & (node != ends[:, 1]) | (
            room.segment_carries[segment] >> np.repeat(medium[own], count) & 1 == 0
        )
        last = start + count - 1
        arrived = ends[last].sum(axis=1) - node[last] == room.slot_node[slot[own, 1], medium[own]]
        total = np.add.reduceat(room.segment_mm[segment].astype(np.int64), start)
        good[route] = arrived & (total == cables.tray_mm[own]) & (np.add.reduceat(broken, start) == 0)
    example = first[cables.route[rows]]
    same = (slot[rows] == slot[example]).all(axis=1) & (cables.tray_mm[rows] == cables.tray_mm[example])
    found[rows] = good[cables.route[rows]] & same & (medium[rows] == medium[example])
    return found


def _broken_route(room: Room, segments: np.ndarray, key: tuple[int, int, int, int, int]) -> str:
    route, start, end, tray_mm, medium = key
    if start == end:
        return "" if route < 0 and tray_mm == 0 else "is on a tray although it stays in its cabinet"
    if route < 0:
        return "has no route over the trays"
    node = int(room.slot_node[start, medium])
    for segment in segments:
        a, b = room.segments[segment].tolist()
        if node not in (a, b):
            return "has a gap in its route"
        node = a + b - node
    if node != room.slot_node[end, medium]:
        return "does not reach the tray over its far end"
    if not all(int(carries) >> medium & 1 for carries in room.segment_carries[segments]):
        return "is on a tray that does not carry its medium"
    length = int(room.segment_mm[segments].sum())
    return "" if length == tray_mm else f"is {length} mm long on the trays, planned {tray_mm} mm"


@rule(330)
def trays_within_fill(plan: Plan) -> Iterator[Violation]:
    """Cables in a tray, those of others included, do not exceed the design fill (warning) and the maximum fill (error)."""
    cables, room = plan.cables, plan.room
    fill = np.zeros(len(room.segments), np.int64)
    shape = 1.0 if room.fill_shape == "square" else math.pi / 4
    area = np.array([round(shape * a.diameter_um**2) for a in cables.assemblies], np.int64)
    first = cables.first_of_piece
    pulled = first[~cables.carried[first]]
    add_along_routes(fill, cables, cables.route[pulled], area[cables.assembly[pulled]])
    add_along_routes(fill, cables, cables.carrier_route, cables.carrier_um2)
    for segment in np.flatnonzero(fill != cables.fill_um2):
        yield error(
            "trays_within_fill",
            segment_name(room, segment),
            cables.fill_um2[segment],
            fill[segment],
            "µm²",
            "fill is not the cross-section of its cables",
        )
    fill += tray_use_um2(room)
    for segment in np.flatnonzero((room.segment_mm2 > 0) & (fill > room.design_fill * room.segment_mm2 * 1e6)):
        share = fill[segment] / room.segment_mm2[segment] / 1e4
        over = share > 100 * room.max_fill
        limit = 100 * (room.max_fill if over else room.design_fill)
        severity = "error" if over else "warning"
        message = "proven: no other routes help" if cables.bottleneck and segment in cables.bottleneck.segments else ""
        yield Violation("trays_within_fill", segment_name(room, segment), round(share, 1), limit, "%", severity, message)


@rule(350)
def bends_within_radius(plan: Plan) -> Iterator[Violation]:
    """No cable turns a tray corner below its bend radius."""
    cables, room = plan.cables, plan.room
    if not any(room.tray_bend_mm):
        return
    tightest = [_tightest_corner(room, cables.route_segments[a:b]) for a, b in pairwise(cables.route_indptr.tolist())]
    worst: dict[tuple[int, int], tuple[int, int]] = {}
    for number in np.flatnonzero(cables.route >= 0):
        radius, segment = tightest[cables.route[number]]
        part = int(cables.assembly[number])
        if radius and cables.assemblies[part].bend_mm > radius:
            first, count = worst.get((segment, part), (int(number), 0))
            worst[segment, part] = first, count + 1
    for (segment, part), (first, count) in sorted(worst.items()):
        where = f"{segment_name(room, segment)}, {cable_name(plan, first)}"
        made_of, radius = cables.assemblies[part], tightest[cables.route[first]][0]
        yield error("bends_within_radius", where, made_of.bend_mm, radius, "mm", f"{count} cables of {made_of.id} turn here")


def _tightest_corner(room: Room, segments: np.ndarray) -> tuple[int, int]:
    """Return the smallest radius of the corners on a route and the segment before it; 0 where no corner states one."""
    found = (0, -1)
    for one, two in pairwise(segments.tolist()):
        shared = set(room.segments[one].tolist()) & set(room.segments[two].tolist())
        stated = [radius for radius in (room.tray_bend_mm[room.segment_tray[k]] for k in (one, two)) if radius]
        if stated and shared and _turns(room, one, two, shared.pop()) and (found[1] < 0 or min(stated) < found[0]):
            found = (min(stated), one)
    return found


def _turns(room: Room, one: int, two: int, node: int) -> bool:
    """Return whether two consecutive segments form an angle of more than five degrees."""
    ends = [room.segments[k].tolist() for k in (one, two)]
    far = [sum(pair) - node for pair in ends]
    here = room.node_xyz[node].astype(float)
    before, after = here - room.node_xyz[far[0]], room.node_xyz[far[1]] - here
    cosine = before @ after / max(np.linalg.norm(before) * np.linalg.norm(after), 1e-9)
    return cosine < math.cos(math.radians(5))
