"""A drawing on a sheet: its title, scale, north, and the key to its colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.report._figures import grouped, trimmed
from planner.report._pdf.floorplan import Window
from planner.report._pdf.ink import ACCENT, INK, MUTED, PAPER, Pen
from planner.report._pdf.letters import BOLD, printable, width_of
from planner.report._pdf.sheet import Area

KEY_HEIGHT = 52.0
"""Height of the strip below the drawing: scale, north, and what the colours mean."""

_TITLE = 26.0


@dataclass(frozen=True)
class Drawing:
    """One subject drawn on the floor: what to draw, and its entries of the key."""

    title: str
    key: str
    draw: Callable[[Pen, Window], None]
    legend: Sequence[tuple[str, Callable[[Pen, float, float], None]]]
    note: str = ""


def drawable(size: tuple[float, float]) -> tuple[float, float]:
    area = Area.of(size)
    return area.width, area.height - KEY_HEIGHT - _TITLE


def print_drawing(pen: Pen, area: Area, drawing: Drawing, window: Window, title: str) -> None:
    pen.text(area.left, area.top - 14, title, 15, font=BOLD, colour=ACCENT, width=area.width * 0.6)
    rest = area.width - min(width_of(printable(title), 15, BOLD), area.width * 0.6) - 20
    pen.text(area.right, area.top - 14, drawing.note, 8, colour=MUTED, align="right", width=rest)
    # Lines that leave the window by half their width are still whole.
    (left, bottom), _, (right, top), _ = window.corners
    with pen.clipped([(left - 4, bottom - 4), (right + 4, bottom - 4), (right + 4, top + 4), (left - 4, top + 4)]):
        drawing.draw(pen, window)
    _print_key(pen, area, drawing, window)


def _print_key(pen: Pen, area: Area, drawing: Drawing, window: Window) -> None:
    """Scale with its bar and north on the left, the legend to the right of it."""
    top = area.bottom + KEY_HEIGHT - 10
    pen.text(area.left, top - 8, f"Scale 1:{grouped(window.scale)}", 8, font=BOLD)
    _scale_bar(pen, area.left, top - 24, window)
    _north(pen, area.left + 132, top - 26)
    x, y = area.left + 165, top - 8
    for text, swatch in drawing.legend:
        if x + 104 > area.right + 1:
            x, y = area.left + 165, y - 13
        swatch(pen, x, y - 1)
        pen.text(x + 20, y, text, 6.5, width=84)
        x += 106


def _scale_bar(pen: Pen, x: float, y: float, window: Window) -> None:
    metre = window.length(1000)
    step = next((step for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if 2 * step * metre > 55), 1000)
    for part in range(2):
        pen.box(x + part * step * metre, y, step * metre, 3.5, INK if part == 0 else PAPER, INK)
    for part in range(3):
        pen.text(
            x + part * step * metre,
            y - 8,
            trimmed(part * step) + (" m" if part == 2 else ""),
            6,
            align="left" if part == 0 else "centre",
        )


def _north(pen: Pen, x: float, y: float) -> None:
    pen.shape([(x, y + 18), (x - 4.5, y), (x, y + 4)], INK)
    pen.shape([(x, y + 18), (x + 4.5, y), (x, y + 4)], PAPER, INK, 0.5)
    pen.text(x, y + 20, "N", 6.5, font=BOLD, align="centre")


def swatch(fill=None, hatch: str = "", stroke=MUTED, dash: tuple = ()) -> Callable[[Pen, float, float], None]:
    return lambda pen, x, y: pen.box(x, y - 1, 15, 8, fill, stroke, hatch=hatch, dash=dash)


def line_swatch(colour, width: float, dash: tuple = ()) -> Callable[[Pen, float, float], None]:
    return lambda pen, x, y: pen.line([(x, y + 3), (x + 15, y + 3)], colour, width, dash)
