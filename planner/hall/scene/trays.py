"""Trays as lines on the floor, and the busiest routes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from planner.domain.model import Plan, Room

Point = tuple[int, int]

RISER = "riser"


class TrayLine(NamedTuple):
    """A stretch of a tray without branches: its tray, height above the floor, corners and segments."""

    tray: int
    elevation_mm: int
    path_mm: list[Point]
    segments: list[int]


class Route(NamedTuple):
    """A tray route, the cabinets at its ends, and its number of cables."""

    cables: int
    a: str
    b: str
    path_mm: list[Point]


def tray_lines(room: Room) -> list[TrayLine]:
    """Return the trays as lines, each from end to end; risers and changes of height are left out."""
    heights = room.node_xyz[:, 2]
    found = []
    for tray, kind in enumerate(room.tray_kinds):
        if kind == RISER:
            continue
        own = np.flatnonzero(room.segment_tray == tray)
        if not len(own):
            continue
        level = Counter(heights[room.segments[own]].ravel().tolist()).most_common(1)[0][0]
        flat = own[(heights[room.segments[own]] == level).all(axis=1)]
        for nodes, segments in _chains(room.segments, flat):
            found.append(TrayLine(tray, level, _corners(room.node_xyz[nodes, :2].tolist()), segments))
    return found


def _chains(segments: np.ndarray, chosen: np.ndarray) -> Iterator[tuple[list[int], list[int]]]:
    """Split segments into walks that use each segment once, starting at ends where there are any."""
    at: defaultdict[int, list[int]] = defaultdict(list)
    for segment in chosen.tolist():
        for node in segments[segment].tolist():
            at[node].append(segment)
    left = set(chosen.tolist())
    for start in sorted(at, key=lambda node: (len(at[node]) == 2, node)):
        while any(segment in left for segment in at[start]):
            nodes, walked = [start], []
            while (step := next((segment for segment in at[nodes[-1]] if segment in left), None)) is not None:
                left.remove(step)
                walked.append(step)
                a, b = segments[step].tolist()
                nodes.append(b if a == nodes[-1] else a)
            yield nodes, walked


def _corners(path: list[list[int]]) -> list[Point]:
    """Return a path without the points on a straight line between their neighbors.

    >>> _corners([[0, 0], [1, 0], [3, 0], [3, 5]])
    [(0, 0), (3, 0), (3, 5)]
    """
    kept = path[:1]
    for (x, y), (u, v) in pairwise(path[1:]):
        p, q = kept[-1]
        if (x - p) * (v - y) != (u - x) * (y - q) or (x - p) * (u - x) + (y - q) * (v - y) < 0:
            kept.append([x, y])
    return [(x, y) for x, y in [*kept, *path[1:][-1:]]]


def carried(room: Room, segment: int) -> str:
    """Return the kind of a tray in drawings, by one of its segments."""
    under = (room.node_xyz[room.segments[segment], 2] < 0).all()
    return "tray under the floor" if under else "fiber tray" if room.segment_carries[segment] == 2 else "tray"


def aside(room: Room) -> np.ndarray:
    """Return which segments are drawn with an offset, bool (K,), so that two kinds of trays do not overlap.

    These are trays under the floor where others are above it, otherwise fiber-only trays where copper has its own.
    """
    under = (room.node_xyz[room.segments][:, :, 2] < 0).any(axis=1)
    if under.any() and not under.all():
        return under
    fiber = room.segment_carries == 2
    return fiber if not fiber.all() else np.zeros(len(fiber), bool)


def busiest_routes(plan: Plan, count: int) -> list[Route]:
    """Return the `count` routes between two cabinets with the highest numbers of cables, both directions together."""
    cables, room = plan.cables, plan.room
    if cables is None or plan.placement is None:
        return []
    first = cables.first_of_piece
    first = first[cables.route[first] >= 0]
    # A route and its reverse are the same.
    routes = [tuple(cables.route_segments[a:b].tolist()) for a, b in pairwise(cables.route_indptr.tolist())]
    same = {route: number for number, route in reversed(list(enumerate(routes)))}
    number_of = [min(same[route], same.get(route[::-1], number)) for number, route in enumerate(routes)]
    ends = np.sort(cables.cabinet[first], axis=1).tolist()
    found: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for row, (a, b), route in zip(first.tolist(), ends, cables.route[first].tolist(), strict=True):
        found[a, b, number_of[route]].append(row)
    names = [room.slot_names[slot] for slot in plan.placement.slot_of.tolist()]
    chosen = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))[:count]
    return [Route(len(rows), names[a], names[b], route_path(plan, rows[0])) for (a, b, _), rows in chosen]


def route_path(plan: Plan, row: int) -> list[Point]:
    """Return the corners of the route of one row of the cable plan, from its first end."""
    room = plan.room
    segments = [room.segments[segment].tolist() for segment in plan.cables.route_of(row).tolist()]
    if not segments:
        return []
    nodes = list(segments[0])
    if len(segments) > 1 and nodes[0] in segments[1]:
        nodes.reverse()
    for a, b in segments[1:]:
        nodes.append(b if a == nodes[-1] else a)
    return _corners(room.node_xyz[nodes, :2].tolist())
