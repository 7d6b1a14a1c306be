"""Small maps: the part of the floor around a route, with the names of its trays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np

from planner.core.units import unit
from planner.domain.model import Plan
from planner.hall.scene import Point
from planner.hall.scene.room import bounds, corners
from planner.hall.scene.trays import tray_lines
from planner.paper.canvas import DARK, FAINT, MUTED, PAPER, RULE, Pen, color_of
from planner.paper.faces import LIT
from planner.paper.fonts import BOLD, MIN_PT, printable, width_of
from planner.paper.sheet import MM
from planner.view.legs import Run

_SCALE = 100
"""Scale at which the floor is drawn once, for all maps."""
_AROUND_MM, _MIN_MM = 1200.0, 7000.0
"""Margin around a route, and smallest extent of a map."""
_NAME = MIN_PT

_NONE = np.zeros(0, np.int64)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class RouteMaps:
    """Maps of the routes of a plan."""

    plan: Plan

    def draw(self, pen: Pen, runs: Sequence[Run], left: float, bottom: float, width: float, height: float) -> None:
        """Draw some runs, and the cabinets at their ends, in a rectangle on paper."""
        paths = list(dict.fromkeys(self._path(run) for run in runs))
        low, high = self._extent(paths, [slot for run in runs for slot in run.slots])
        scale = max((high[0] - low[0]) / width, (high[1] - low[1]) / height)
        low = ((low[0] + high[0] - scale * width) / 2, (low[1] + high[1] - scale * height) / 2)

        def on_paper(xy: Sequence[float]) -> Point:
            return left + (float(xy[0]) - low[0]) / scale, bottom + (float(xy[1]) - low[1]) / scale

        frame = [(left, bottom), (left + width, bottom), (left + width, bottom + height), (left, bottom + height)]
        with pen.clipped(frame):
            pen.stamp("floor-of-maps", lambda: self._draw_floor(pen), *on_paper(self._origin), MM_SCALE / scale)
            for path in paths:
                pen.line([on_paper(point) for point in path], PAPER, 3.2)
                pen.line([on_paper(point) for point in path], LIT, 1.6)
            for side, fill in ((1, color_of("accent-light")), (0, color_of("accent"))):
                for slot in dict.fromkeys(run.slots[side] for run in runs):
                    pen.shape([on_paper(point) for point in corners(self.plan.room, slot)], fill, DARK, 0.6)
        pen.shape(frame, stroke=RULE, weight=0.5)
        self._write_names(pen, runs, on_paper, (left, bottom, left + width, bottom + height))
        _scale_bar(pen, left + 4, bottom + 4, scale)

    # -- geometry ------------------------------------------------------------------------------

    def _path(self, run: Run) -> tuple[Point, ...]:
        """Return a run over the floor, from cabinet to cabinet."""
        room = self.plan.room
        ends = [tuple(room.slot_xy[slot].tolist()) for slot in run.slots]
        nodes = [tuple(room.node_xyz[node, :2].tolist()) for node in self._nodes(run.route)]
        return tuple(point for point, _ in groupby([ends[0], *nodes, ends[1]]))

    def _segments(self, route: int) -> np.ndarray:
        cables = self.plan.cables
        return cables.route_segments[slice(*cables.route_indptr[route : route + 2].tolist())] if route >= 0 else _NONE

    def _nodes(self, route: int) -> list[int]:
        """Return the tray nodes of a route from its first end to its second."""
        segments = self.plan.room.segments[self._segments(route)].tolist()
        if not segments:
            return []
        nodes = list(segments[0])
        if len(segments) > 1 and nodes[0] in segments[1]:
            nodes.reverse()
        for a, b in segments[1:]:
            nodes.append(b if a == nodes[-1] else a)
        return nodes

    def _extent(self, paths: Sequence[Sequence[Point]], slots: Sequence[int]) -> tuple[Point, Point]:
        room = self.plan.room
        places = [np.array(path, float) for path in paths] + [np.array(corners(room, slot)) for slot in dict.fromkeys(slots)]
        every = np.concatenate(places)
        low, high = every.min(axis=0) - _AROUND_MM, every.max(axis=0) + _AROUND_MM
        short = np.maximum(_MIN_MM - (high - low), 0) / 2
        (left, bottom), (right, top) = (low - short).tolist(), (high + short).tolist()
        return (left, bottom), (right, top)

    @property
    def _origin(self) -> Point:
        return bounds(self.plan.room)[0]

    def _draw_floor(self, pen: Pen) -> None:
        """Draw slots, walls and trays at the common scale, from the corner of the room."""
        room, (left, bottom) = self.plan.room, self._origin

        def place(points: Sequence[Sequence[float]]) -> list[Point]:
            return [((x - left) * MM / _SCALE, (y - bottom) * MM / _SCALE) for x, y in points]

        for zone in room.obstacles:
            pen.shape(place(zone.corners_mm), FAINT, RULE, 0.4)
        taken = set(self.plan.placement.slot_of.tolist())
        for slot in range(room.slot_count):
            pen.shape(place(corners(room, slot)), FAINT if slot in taken else None, RULE, 0.5)
        for line in tray_lines(room):
            if len(line.path_mm) > 1:
                pen.line(place(line.path_mm), MUTED, 0.8, (4, 2) if line.elevation_mm < 0 else ())
        halls = [zone.corners_mm for zone in room.halls] or [room.outline.tolist()]
        for hall in halls:
            pen.shape(place(hall), stroke=DARK, weight=1.5)

    # -- names ---------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> list[str]:
        return [printable(name) for name in self.plan.room.tray_names]

    def _write_names(self, pen: Pen, runs: Sequence[Run], on_paper: Callable[[Sequence[float]], Point], inside: Box) -> None:
        """Write the names of the cabinets or frames at the ends, then those of the trays on the routes, none over another."""
        # The corner of the scale bar.
        taken: list[Box] = [(inside[0], inside[1], inside[0] + 62, inside[1] + 12)]
        room = self.plan.room
        for slot, end in {pair: None for run in runs for pair in zip(run.slots, run.names, strict=True)}:
            x, y = on_paper(room.slot_xy[slot])
            name = printable(end)
            wide = width_of(name, 6.5, BOLD)
            half = max(on_paper(corner)[1] for corner in corners(room, slot)) - y
            for shift in (-half - 8, half + 2.5, -2.5):
                box = _inside((x - wide / 2 - 1, y + shift - 1.5, x + wide / 2 + 1, y + shift + 6.5), inside)
                if not _overlaps(box, taken):
                    taken.append(box)
                    pen.box(box[0], box[1], box[2] - box[0], box[3] - box[1], PAPER, DARK, weight=0.3)
                    pen.text((box[0] + box[2]) / 2, box[1] + 1.6, name, 6.5, font=BOLD, align="center")
                    break
        for name, points in self._stretches(runs):
            self._write_tray(pen, name, [on_paper(point) for point in points], taken, inside)

    def _stretches(self, runs: Sequence[Run]) -> list[tuple[str, list[Point]]]:
        """Return the trays on some routes, each with the corners that they follow in it."""
        room = self.plan.room
        found: dict[tuple[int, frozenset[Point]], tuple[str, list[Point]]] = {}
        for route in dict.fromkeys(run.route for run in runs):
            nodes = self._nodes(route)
            trays = room.segment_tray[self._segments(route)].tolist()
            for tray, steps in groupby(range(len(trays)), key=trays.__getitem__):
                own = list(steps)
                points = [tuple(room.node_xyz[node, :2].tolist()) for node in nodes[own[0] : own[-1] + 2]]
                found.setdefault((tray, frozenset(points)), (self._names[tray], points))
        return list(found.values())

    def _write_tray(self, pen: Pen, name: str, points: Sequence[Point], taken: list[Box], inside: Box) -> None:
        long = sorted(pairwise(points), key=lambda ends: -math.dist(*ends))
        wide = width_of(name, _NAME)
        for (x, y), (u, v) in long[:3]:
            upright = abs(v - y) > abs(u - x)
            for share in (0.5, 0.25, 0.75):
                at_x, at_y = x + share * (u - x), y + share * (v - y)
                for side in (5.5, -5.5):
                    center = (at_x - side, at_y) if upright else (at_x, at_y + side)
                    half = (3.2, wide / 2 + 1) if upright else (wide / 2 + 1, 3.2)
                    box = _inside((center[0] - half[0], center[1] - half[1], center[0] + half[0], center[1] + half[1]), inside)
                    if _overlaps(box, taken):
                        continue
                    taken.append(box)
                    center = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
                    pen.box(box[0], box[1], box[2] - box[0], box[3] - box[1], PAPER)
                    if upright:
                        pen.upright(*center, name, _NAME, color=DARK)
                    else:
                        pen.text(center[0], center[1] - _NAME * 0.36, name, _NAME, color=DARK, align="center")
                    return


MM_SCALE = _SCALE / MM
"""Millimeters of the room in a point of the floor that all maps share."""


def _inside(box: Box, inside: Box) -> Box:
    """Return a box, moved into another one that is larger."""
    left, bottom, right, top = box
    across = max(inside[0] + 1 - left, 0) + min(inside[2] - 1 - right, 0)
    up = max(inside[1] + 1 - bottom, 0) + min(inside[3] - 1 - top, 0)
    return left + across, bottom + up, right + across, top + up


def _overlaps(box: Box, taken: Sequence[Box]) -> bool:
    return any(box[0] < other[2] and box[2] > other[0] and box[1] < other[3] and box[3] > other[1] for other in taken)


def _scale_bar(pen: Pen, x: float, y: float, scale: float) -> None:
    """Draw a bar of whole meters or feet; `scale` is in millimeters per point."""
    own = unit("mm")
    length = next((length for length in (1, 2, 5, 10, 20, 50, 100, 200) if length * own.size / scale >= 16), 500)
    long = length * own.size / scale
    pen.line([(x, y + 2), (x, y), (x + long, y), (x + long, y + 2)], MUTED, 0.6)
    pen.text(x + long + 2, y - 0.5, f"{length} {own.name}", MIN_PT, color=MUTED)
