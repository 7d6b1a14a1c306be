"""A drawing on a sheet: title, scale bar, north arrow and legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.core.units import unit
from planner.hall.scene import Point
from planner.hall.scene.palette import Entry
from planner.paper.canvas import ACCENT, DARK, MUTED, PAPER, Pen, color_of
from planner.paper.floorplan import Window
from planner.paper.fonts import BOLD, MIN_PT, printable, width_of
from planner.paper.sheet import MM, Area
from planner.view.figures import grouped, trimmed

KEY_HEIGHT = 52.0
"""Height of the strip below the drawing: scale, north and legend."""

_TITLE = 26.0
_KEY_LINES = 4


@dataclass(frozen=True)
class Drawing:
    """One subject drawn on the floor: what to draw, and its legend entries."""

    title: str
    key: str
    draw: Callable[[Pen, Window], None]
    legend: Sequence[Entry]
    note: str = ""


_EDGE = 13.0
"""Width of the strips at the left and below with distances in meters."""
TILE_EDGE = 12.0
"""Width of the strips around one tile of a drawing, which name the neighboring tiles."""


def drawable(size: tuple[float, float]) -> tuple[float, float]:
    """Return width and height that a drawing may take on a paper, in points."""
    area = Area.of(size)
    return area.width - _EDGE - 2, area.height - KEY_HEIGHT - _TITLE - _EDGE


def window_of(area: Area, low_mm: Point, high_mm: Point, scale: float) -> Window:
    """Return a window of the room in the middle of the drawing area."""
    across, up = ((high - low) * MM / scale for low, high in zip(low_mm, high_mm, strict=True))
    width, height = area.width - _EDGE - 2, area.height - KEY_HEIGHT - _TITLE - _EDGE
    origin = (area.left + _EDGE + (width - across) / 2, area.bottom + KEY_HEIGHT + _EDGE + (height - up) / 2)
    return Window(low_mm, high_mm, origin, scale)


def print_tile(pen: Pen, window: Window, others: Sequence[tuple[str, Point, Point]]) -> None:
    """Print the frame of one tile; dashed lines and crosses mark where neighboring tiles join."""
    (left, bottom), _, (right, top), _ = window.corners
    pen.shape(window.corners, stroke=MUTED, weight=0.5)
    for name, start, end in others:
        corners = [window.point((x, y)) for x in (start[0], end[0]) for y in (start[1], end[1])]
        for x, y in corners:
            if left - 1 <= x <= right + 1 and bottom - 1 <= y <= top + 1:
                pen.line([(x - 5, y), (x + 5, y)], DARK, 0.6)
                pen.line([(x, y - 5), (x, y + 5)], DARK, 0.6)
        (low_x, low_y), (high_x, high_y) = corners[0], corners[-1]
        on_the_right, on_the_left = left + 1 < low_x < right, left < high_x < right - 1
        above, below = bottom + 1 < low_y < top, bottom < high_y < top - 1
        # Diagonal neighbors share no border.
        if (on_the_right or on_the_left) and abs(low_y - bottom) < 1:
            x = low_x if on_the_right else high_x
            pen.line([(x, bottom), (x, top)], ACCENT, 0.6, (5, 2))
            pen.upright(right + 8 if on_the_right else left - 20, (top + bottom) / 2, f"tile {name}", 8, color=ACCENT)
        elif (above or below) and abs(low_x - left) < 1:
            y = low_y if above else high_y
            pen.line([(left, y), (right, y)], ACCENT, 0.6, (5, 2))
            pen.text((left + right) / 2, top + 5 if above else bottom - 23, f"tile {name}", 8, color=ACCENT, align="center")


def print_drawing(pen: Pen, area: Area, drawing: Drawing, window: Window, title: str) -> None:
    pen.text(area.left, area.top - 14, title, 15, font=BOLD, color=ACCENT, width=area.width * 0.6)
    rest = area.width - min(width_of(printable(title), 15, BOLD), area.width * 0.6) - 20
    pen.text(area.right, area.top - 14, drawing.note, 8, color=MUTED, align="right", width=rest)
    # Lines that leave the window by half their width are still whole.
    (left, bottom), _, (right, top), _ = window.corners
    with pen.clipped([(left - 4, bottom - 4), (right + 4, bottom - 4), (right + 4, top + 4), (left - 4, top + 4)]):
        drawing.draw(pen, window)
    _print_meters(pen, window)
    _print_key(pen, area, drawing, window)


def _print_meters(pen: Pen, window: Window) -> None:
    """Print distances from the corner of the room along the left and the lower edge."""
    (left, bottom), _, (right, top), _ = window.corners
    scale = unit("mm")
    meter = window.length(scale.size)
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step * meter > 36), 1000)
    for axis, (start, end) in enumerate(((left, right), (bottom, top))):
        first = -(-window.low_mm[axis] // (scale.size * step)) * step
        at = start + (first * scale.size - window.low_mm[axis]) * meter / scale.size
        while at <= end + 0.1:
            if axis == 0:
                pen.line([(at, bottom - 4), (at, bottom - 6.5)], DARK, 0.4)
                pen.text(at, bottom - 12.5, f"{trimmed(first or 0)} {scale.name}", MIN_PT, color=MUTED, align="center")
            else:
                pen.line([(left - 4, at), (left - 6.5, at)], DARK, 0.4)
                pen.upright(left - 10, at, f"{trimmed(first or 0)} {scale.name}", MIN_PT, color=MUTED)
            at, first = at + step * meter, first + step


def _print_key(pen: Pen, area: Area, drawing: Drawing, window: Window) -> None:
    """Scale with its bar and north on the left, the legend to the right of it."""
    top = area.bottom + KEY_HEIGHT - 10
    pen.text(area.left, top - 8, f"Scale 1:{grouped(window.scale)}", 8, font=BOLD)
    _scale_bar(pen, area.left, top - 24, window)
    _north(pen, area.left + 132, top - 26)
    left = area.left + 165
    columns = max(-(-len(drawing.legend) // _KEY_LINES), int((area.right - left) // 106), 1)
    width = min((area.right - left) / columns, 106)
    for number, entry in enumerate(drawing.legend):
        x, y = left + number % columns * width, top - 8 - number // columns * 11
        draw_swatch(pen, x, y - 1, entry)
        pen.text(x + 19, y, entry.text, 6.5, width=width - 22)


def _scale_bar(pen: Pen, x: float, y: float, window: Window) -> None:
    scale = unit("mm")
    meter = window.length(scale.size)
    step = next((step for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if 2 * step * meter > 55), 1000)
    for part in range(2):
        pen.box(x + part * step * meter, y, step * meter, 3.5, DARK if part == 0 else PAPER, DARK)
    for part in range(3):
        pen.text(
            x + part * step * meter,
            y - 8,
            trimmed(part * step) + (f" {scale.name}" if part == 2 else ""),
            6,
            align="left" if part == 0 else "center",
        )


def _north(pen: Pen, x: float, y: float) -> None:
    pen.shape([(x, y + 18), (x - 4.5, y), (x, y + 4)], DARK)
    pen.shape([(x, y + 18), (x + 4.5, y), (x, y + 4)], PAPER, DARK, 0.5)
    pen.text(x, y + 20, "N", 6.5, font=BOLD, align="center")


def draw_swatch(pen: Pen, x: float, y: float, entry: Entry) -> None:
    """Draw the sample of a legend entry."""
    _, style, line = entry
    if line:
        pen.line([(x, y + 3), (x + 15, y + 3)], color_of(style.stroke), style.weight_pt, style.dash_pt)
    else:
        pen.box(x, y - 1, 15, 8, color_of(style.fill), color_of(style.stroke) or MUTED, hatch=style.hatch, dash=style.dash_pt)
