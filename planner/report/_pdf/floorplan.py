"""The floor to scale, drawn layer by layer into a window of the room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from reportlab.lib.colors import Color, HexColor

from planner.model import Room
from planner.report._cabinets import Cabinet
from planner.report._pdf.canvas import ACCENT, COLD, DARK, FAINT, HOT, MUTED, PAPER, RULE, Pen
from planner.report._pdf.fonts import MIN_PT, width_of
from planner.report._pdf.sheet import MM

SCALES = (20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10_000, 50_000, 100_000)
"""Denominators of the drawing scales."""

AISLES = {"cold aisle": COLD, "hot aisle": HOT, "mixed aisle": FAINT}
OBSTACLES: dict[str, tuple[Color | None, str]] = {
    "column": (HexColor(0x4A5258), ""),
    "wall": (HexColor(0x4A5258), ""),
    "cooling unit": (HexColor(0xD3DCE3), "crossed"),
    "keep-out": (PAPER, "diagonal"),
    "door": (PAPER, "level"),
}
"""Fill and hatch by kind of obstacle; hatching distinguishes them without color."""

_EMPTY, _FULL = (0.93, 0.95, 0.97), (0.36, 0.58, 0.75)
OVER: tuple[Color, str] = (HexColor(0xF3C9C2), "crossed")


Shade = tuple[Color, str]
"""Fill and hatch of a cabinet."""


def shade(share: float) -> Shade:
    """Return the shade of a cabinet by a share of a limit: darker is more; above the limit it is hatched."""
    if share > 1 + 1e-9:
        return OVER
    share = max(share, 0.0)
    return Color(*(low + share * (high - low) for low, high in zip(_EMPTY, _FULL, strict=True))), ""


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

    low_mm: tuple[float, float]
    high_mm: tuple[float, float]
    origin: tuple[float, float]
    scale: float

    def length(self, length_mm: float) -> float:
        """Return a length on paper in points."""
        return length_mm * MM / self.scale

    def point(self, xy_mm: Sequence[float]) -> tuple[float, float]:
        """Return a position on paper in points."""
        x, y = (origin + self.length(float(at) - low) for origin, at, low in zip(self.origin, xy_mm, self.low_mm, strict=True))
        return x, y

    def points(self, places_mm: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        return [self.point(place) for place in places_mm]

    def shown(self, low_mm: np.ndarray, high_mm: np.ndarray) -> list[int]:
        """Return which of many rectangles, given by their corners (N, 2), reach into the window."""
        return np.flatnonzero(((high_mm >= self.low_mm) & (low_mm <= self.high_mm)).all(axis=1)).tolist()

    def inside(self, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Return positions on paper, moved to the window's border where they are outside."""
        (left, bottom), _, (right, top), _ = self.corners
        return [(min(max(x, left), right), min(max(y, bottom), top)) for x, y in places]

    def holds(self, x: float, y: float) -> bool:
        """Return whether a position on paper is in the window."""
        (left, bottom), (right, top) = self.point(self.low_mm), self.point(self.high_mm)
        return left <= x <= right and bottom <= y <= top

    @property
    def corners(self) -> list[tuple[float, float]]:
        (left, bottom), (right, top) = self.point(self.low_mm), self.point(self.high_mm)
        return [(left, bottom), (right, bottom), (right, top), (left, top)]


def bounds(room: Room) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest corner of everything in the room, float (2,) each."""
    places = [room.outline, room.slot_xy - room.slot_size / 2, room.slot_xy + room.slot_size / 2, room.node_xyz[:, :2]]
    places += [np.array(zone.corners_mm) for zone in room.obstacles]
    every = np.concatenate([place.astype(float).reshape(-1, 2) for place in places])
    return every.min(axis=0), every.max(axis=0)


def draw_ground(pen: Pen, window: Window, room: Room, *, names: bool = True) -> None:
    """Draw tile grid, outline, aisles and obstacles."""
    outline = window.points(room.outline)
    pen.shape(outline, PAPER)
    with pen.clipped(outline):
        if window.length(room.tile_mm) > 3:
            _draw_tiles(pen, window, room)
        for zone in room.aisles:
            corners = window.points(zone.corners_mm)
            pen.shape(corners, AISLES.get(zone.kind, FAINT))
            if names:
                _name_in(pen, window.inside(corners), f"{zone.kind} {zone.name}", MUTED, 6.5)
    pen.shape(outline, stroke=DARK, weight=1.2)
    for zone in room.obstacles:
        fill, hatch = OBSTACLES.get(zone.kind, (PAPER, "diagonal"))
        corners = window.points(zone.corners_mm)
        pen.shape(corners, fill, MUTED, hatch=hatch)
        if names:
            dark = zone.kind in ("column", "wall")
            _name_in(pen, window.inside(corners), zone.name, PAPER if dark else DARK, 6, backed=not dark)


def draw_slots(
    pen: Pen, window: Window, room: Room, cabinets: Sequence[Cabinet], shades: Mapping[int, Shade] | None = None
) -> None:
    """Draw all slots: empty ones as dashed outlines, cabinets with their fronts as a heavy line, shaded by their slot."""
    occupied = {cabinet.slot for cabinet in cabinets}
    half = room.slot_size / 2
    for slot in window.shown(room.slot_xy - half, room.slot_xy + half):
        if slot not in occupied:
            # A little smaller, so that the dashes of neighbors do not fill each other's gaps.
            pen.shape(window.points(_corners(room, slot, 0.96)), PAPER, MUTED, 0.35, dash=(1.5, 1.5))
            continue
        corners = window.points(_corners(room, slot))
        fill, hatch = (shades or {}).get(slot, (PAPER, ""))
        pen.shape(corners, fill, DARK, 0.5, hatch=hatch)
        pen.line(_front(corners, int(room.slot_facing[slot])), ACCENT, 1.6)


def _draw_tiles(pen: Pen, window: Window, room: Room) -> None:
    (left, bottom), (right, top) = room.outline.min(axis=0), room.outline.max(axis=0)
    for x in np.arange(left, right, room.tile_mm):
        pen.line(window.points([(x, bottom), (x, top)]), FAINT, 0.3)
    for y in np.arange(bottom, top, room.tile_mm):
        pen.line(window.points([(left, y), (right, y)]), FAINT, 0.3)


def _corners(room: Room, slot: int, share: float = 1.0) -> np.ndarray:
    half = share * room.slot_size[slot] / 2
    return room.slot_xy[slot] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def _front(corners: list[tuple[float, float]], facing_degrees: int) -> list[tuple[float, float]]:
    # Corners run counterclockwise from the lower left one.
    first = {0: 1, 90: 2, 180: 3, 270: 0}[facing_degrees]
    return [corners[first], corners[(first + 1) % 4]]


def _name_in(pen: Pen, corners: list[tuple[float, float]], name: str, color: Color, size: float, *, backed: bool = False) -> None:
    """Write a name into a shape, horizontally or vertically, where it fits; `backed` adds a white background."""
    xs, ys = zip(*corners, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    needed = width_of(name, size) + 3
    if needed <= width and height >= size + 1:
        if backed:
            pen.box(x - needed / 2, y - size * 0.55, needed, size * 1.15, PAPER)
        pen.text(x, y - size * 0.36, name, size, color=color, align="center")
    elif needed <= height and width >= size + 1:
        if backed:
            pen.box(x - size * 0.55, y - needed / 2, size * 1.15, needed, PAPER)
        pen.upright(x, y, name, size, color=color)
    elif size > MIN_PT:
        _name_in(pen, corners, name, color, MIN_PT, backed=backed)


ASIDE = 3.2
"""Offset of trays of the second kind, in points."""


def aside(room: Room) -> np.ndarray:
    """Return which segments are drawn with an offset, bool (K,), so that two kinds of trays do not overlap.

    These are trays under the floor where others are above it, otherwise fiber-only trays where copper has its own.
    """
    under = (room.node_xyz[room.segments][:, :, 2] < 0).any(axis=1)
    if under.any() and not under.all():
        return under
    fiber = room.segment_carries == 2
    return fiber if not fiber.all() else np.zeros(len(fiber), bool)


def tray_ends(window: Window, room: Room, segment: int, moved: bool) -> list[tuple[float, float]]:
    """Return both ends of a segment on paper, shifted to the lower right where it is drawn with an offset."""
    shift = ASIDE if moved else 0.0
    return [(x + shift, y - shift) for x, y in window.points(room.node_xyz[room.segments[segment], :2])]


def draw_trays(pen: Pen, window: Window, room: Room, styles: Sequence[tuple[Color, float]] | None = None) -> None:
    """Draw tray segments: as thin dashes, or each with its own color and weight."""
    places = room.node_xyz[room.segments][:, :, :2]
    moved = aside(room)
    for number in window.shown(places.min(axis=1), places.max(axis=1)):
        ends = tray_ends(window, room, number, bool(moved[number]))
        if styles is None:
            pen.line(ends, RULE, 0.8, (3, 1.5))
        else:
            pen.line(ends, *styles[number])
