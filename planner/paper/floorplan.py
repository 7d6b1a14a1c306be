"""A scene on paper: to scale, in a window of the room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.domain.model import Room
from planner.hall.scene import Label, Point, Scene, Shape
from planner.hall.scene.labels import TYPES, Placed, common_size, place
from planner.hall.scene.palette import ASIDE_PT, named, style_of, text_on
from planner.paper.canvas import ALARM, PAPER, Pen, color_of
from planner.paper.fonts import BOLD, MIN_PT, REGULAR, printable, width_of
from planner.paper.sheet import MM

SCALES = (20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10_000, 50_000, 100_000)
"""Denominators of the drawing scales."""
_MIN_PITCH_PT = 3.0


@dataclass(frozen=True)
class Window:
    """A rectangle of the room and its position on paper.

    Attributes
    ----------
    low_mm, high_mm
        Corners in the room.
    origin
        Position of `low_mm` on paper, in points.
    scale
        Denominator of the scale.
    """

    low_mm: Point
    high_mm: Point
    origin: Point
    scale: float

    @classmethod
    def fitting(cls, low_mm: Point, high_mm: Point, left: float, top: float, width: float, height: float) -> Window:
        """Return a window at the largest usual scale that fits a rectangle on paper, at its top and in its middle."""
        wanted = max(*_size(low_mm, high_mm, MM / width), *_size(low_mm, high_mm, MM / height)[1:])
        scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
        across, up = _size(low_mm, high_mm, MM / scale)
        return cls(low_mm, high_mm, (left + (width - across) / 2, top - up), scale)

    def length(self, length_mm: float) -> float:
        """Return a length on paper in points."""
        return length_mm * MM / self.scale

    def point(self, xy_mm: Sequence[float]) -> Point:
        """Return a position on paper in points."""
        x, y = (origin + self.length(float(at) - low) for origin, at, low in zip(self.origin, xy_mm, self.low_mm, strict=True))
        return x, y

    def points(self, places_mm: Sequence[Sequence[float]], shift: float = 0.0) -> list[Point]:
        """Return positions on paper, shifted to the lower right."""
        return [(x + shift, y - shift) for x, y in map(self.point, places_mm)]

    def shows(self, places_mm: Sequence[Point]) -> bool:
        """Return whether the rectangle around places reaches into the window."""
        xs, ys = zip(*places_mm, strict=True)
        (left, bottom), (right, top) = self.low_mm, self.high_mm
        return max(xs) >= left and min(xs) <= right and max(ys) >= bottom and min(ys) <= top

    def clipped(self, label: Label) -> Label:
        """Return a label of a zone in the middle of the part of its zone that the window shows."""
        if label.upright_mm is None or label.upright_mm[:2] != label.at_mm:
            return label
        spans = []
        for at, extent, low, high in zip(label.at_mm, label.space_mm, self.low_mm, self.high_mm, strict=True):
            spans.append((max(at - extent / 2, low), min(at + extent / 2, high)))
        (left, right), (bottom, top) = spans
        x, y, wide, high = (left + right) / 2, (bottom + top) / 2, max(right - left, 1.0), max(top - bottom, 1.0)
        return replace(label, at_mm=(x, y), space_mm=(wide, high), upright_mm=(x, y, wide, high))

    @property
    def corners(self) -> list[Point]:
        (left, bottom), (right, top) = self.point(self.low_mm), self.point(self.high_mm)
        return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _size(low: Point, high: Point, factor: float) -> Point:
    return (high[0] - low[0]) * factor, (high[1] - low[1]) * factor


def draw_scene(pen: Pen, window: Window, scene: Scene, *, upright: bool = True, stops: Sequence[Point] = ()) -> None:
    """Draw the part of a scene that a window shows; `upright` names of slots may cover trays, names of trays keep off `stops`."""
    for layer in scene.layers:
        if not layer.pitch_mm or window.length(layer.pitch_mm) > _MIN_PITCH_PT:
            for shape in layer.shapes:
                if window.shows(shape.points_mm):
                    _draw(pen, window, shape)
    labels = [window.clipped(label) for label in scene.labels()]
    labels = [kept for label in labels if (kept := _off(label, stops, _CLEAR_PT * window.scale / MM)) is not None]
    if not upright:
        labels = [replace(label, upright_mm=None) if TYPES[label.kind].together else label for label in labels]
    inside = (window.low_mm, window.high_mm)
    for placed in place(labels, _measure, window.scale / MM, min_pt=MIN_PT, inside_mm=inside):
        _write(pen, window, placed)


_CLEAR_PT = 24.0
"""Minimum distance of the middle of a tray's name from a stop."""


def _off(label: Label, stops: Sequence[Point], clear_mm: float) -> Label | None:
    """Return a label without the places that are near stops; None where no place is left. Only names of trays move."""
    if label.kind != "tray names" or not stops:
        return label
    places = [at for at in (label.at_mm, *label.others_mm) if all(math.dist(at, stop) >= clear_mm for stop in stops)]
    return replace(label, at_mm=places[0], others_mm=places[1:]) if places else None


def names_fit(scene: Scene, scale: float) -> bool:
    """Return whether the names of all slots are readable at a scale, horizontally or vertically."""
    labels = [label for label in scene.labels() if TYPES[label.kind].together]
    return not labels or common_size(labels, _measure, scale / MM, MIN_PT)[0] > 0


def draw_stops(pen: Pen, window: Window, room: Room, slots: Sequence[int]) -> None:
    """Number the slots in the order of a path, above their names."""
    for slot in dict.fromkeys(slots):
        x, y = window.point(room.slot_xy[slot])
        y += window.length(room.slot_size[slot, 1]) * 0.32
        stops = "+".join(str(number) for number, at in enumerate(slots, 1) if at == slot)
        pen.dot(x, y, max(5.5, width_of(stops, 6, BOLD) / 2 + 1.5), PAPER, ALARM)
        pen.text(x, y - 2.2, stops, 6, font=BOLD, color=ALARM, align="center")


def _draw(pen: Pen, window: Window, shape: Shape) -> None:
    style = style_of(shape)
    points = window.points(shape.points_mm, ASIDE_PT if shape.aside else 0.0)
    if shape.closed:
        fill, stroke = color_of(style.fill), color_of(style.stroke)
        pen.shape(points, fill, stroke, style.weight_pt, hatch=style.hatch, dash=style.dash_pt)
    elif stroke := color_of(style.stroke):
        pen.line(points, stroke, style.weight_pt, style.dash_pt)
    if shape.target:
        (left, bottom), (right, top) = points[0], points[2]
        pen.link(left, bottom, right - left, top - bottom, shape.target)


def _write(pen: Pen, window: Window, placed: Placed) -> None:
    label, of, size = placed.label, TYPES[placed.label.kind], placed.size_pt
    style = style_of(label.on) if label.on is not None else None
    back = style.fill if style is not None and style.fill and not style.hatch else named("paper")
    color = named(of.color) if text_on(back) == named("text") else text_on(back)
    x, y = window.point(placed.at_mm)
    wide, high = placed.width_pt + 1, size * 0.95
    font = BOLD if of.bold else REGULAR
    if placed.upright or label.angle % 180 == 90:
        pen.box(x - high / 2, y - wide / 2, high, wide, color_of(back))
        pen.upright(x, y, placed.text, size, font=font, color=color_of(color))
    else:
        pen.box(x - wide / 2, y - high / 2, wide, high, color_of(back))
        pen.text(x, y - size * 0.36, placed.text, size, font=font, color=color_of(color), align="center")


def _measure(text: str, size: float, bold: bool) -> float:
    return width_of(printable(text), size, BOLD if bold else REGULAR) + 1.5
