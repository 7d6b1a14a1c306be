"""Rules of trays: routes are ways, and no tray is too full."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check._places import cable_name, error, segment_name
from planner.model import Plan, Violation


def routes_follow_trays(plan: Plan) -> Iterator[Violation]:
    """A cable's tray segments form a way from slot to slot whose length is the cable's way along trays."""
    cables, room = plan.cables, plan.room
    slot = plan.placement.slot_of[cables.cabinet]
    seen: dict[tuple, str] = {}
    for number in range(cables.cable_count):
        key = (int(cables.route[number]), *slot[number].tolist(), int(cables.tray_mm[number]))
        if key not in seen:
            seen[key] = _broken_route(room, cables.route_of(number), key)
        if seen[key]:
            yield error("routes_follow_trays", cable_name(plan, number), 0, 0, "", seen[key])


def _broken_route(room, segments: np.ndarray, key: tuple) -> str:
    route, start, end, tray_mm = key
    if start == end:
        return "" if route < 0 and tray_mm == 0 else "is on a tray although it stays in its cabinet"
    if route < 0:
        return "has no way over the trays"
    node = int(room.slot_node[start])
    for segment in segments:
        a, b = room.segments[segment].tolist()
        if node not in (a, b):
            return "leaves the trays on its way"
        node = a + b - node
    if node != room.slot_node[end]:
        return "does not reach the tray over its far end"
    length = int(room.segment_mm[segments].sum())
    return "" if length == tray_mm else f"is {length} mm long on the trays, planned {tray_mm} mm"


def trays_within_fill(plan: Plan) -> Iterator[Violation]:
    """Cables take no more of a tray than the design fill (warning) and the greatest fill (error) allow."""
    cables, room = plan.cables, plan.room
    fill = np.zeros(len(room.segments), np.int64)
    area = [round(math.pi * (a.diameter_um / 2) ** 2) for a in cables.assemblies]
    for number in range(cables.cable_count):
        fill[cables.route_of(number)] += area[cables.assembly[number]]
    for segment in np.flatnonzero(fill != cables.fill_um2):
        yield error(
            "trays_within_fill",
            segment_name(room, segment),
            cables.fill_um2[segment],
            fill[segment],
            "µm²",
            "fill is not what the cables take",
        )
    for segment in np.flatnonzero((room.segment_mm2 > 0) & (fill > room.design_fill * room.segment_mm2 * 1e6)):
        share = fill[segment] / room.segment_mm2[segment] / 1e4
        over = share > 100 * room.max_fill
        limit = 100 * (room.max_fill if over else room.design_fill)
        yield Violation(
            "trays_within_fill", segment_name(room, segment), round(share, 1), limit, "%", "error" if over else "warning", ""
        )
