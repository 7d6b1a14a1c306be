"""Axes with round ticks, bars and curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportlab.lib.colors import Color

from planner.hall.scene.palette import MEDIA
from planner.paper.canvas import ACCENT, DARK, FAINT, MUTED, PAPER, Pen, color_of
from planner.paper.fonts import BOLD, printable, width_of
from planner.view.figures import trimmed

MEDIUM_STYLES = {name: (color_of(style.fill), style.hatch) for name, style in MEDIA.items()}
"""Fill and hatch of each medium; hatching distinguishes them without color."""


def round_step(extent: float, parts: int = 5) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides an extent into about this number of parts.

    >>> round_step(23)
    5
    """
    if extent <= 0:
        return 1
    power = 10 ** math.floor(math.log10(extent / parts))
    step = next(step for step in (1, 2, 5, 10) if step * power * parts >= extent * 0.999)
    return step * power


@dataclass(frozen=True)
class Axes:
    """A rectangle on paper with a value range along each side.

    Attributes
    ----------
    left, bottom, width, height
        The rectangle between the axes, in points.
    x_range, y_range
        Values at the ends of the axes.
    """

    left: float
    bottom: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """Return the position of a value on paper."""
        low, high = self.x_range
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return self.bottom + self.height * (value - low) / (high - low)

    def draw(self, pen: Pen, x_title: str, y_title: str, *, x_ticks: Sequence[float] | None = None) -> None:
        """Draw axes, grid lines, ticks and titles; `x_ticks` empty leaves the ticks to the caller."""
        for tick in ticks(self.y_range):
            y = self.y(tick)
            pen.line([(self.left, y), (self.left + self.width, y)], FAINT, 0.5)
            pen.text(self.left - 5, y - 2.4, trimmed(tick), 6.5, color=DARK, align="right")
        for tick in ticks(self.x_range) if x_ticks is None else x_ticks:
            x = self.x(tick)
            pen.line([(x, self.bottom), (x, self.bottom - 3)], DARK, 0.6)
            pen.text(x, self.bottom - 11, trimmed(tick), 6.5, align="center")
        pen.line(
            [(self.left, self.bottom + self.height), (self.left, self.bottom), (self.left + self.width, self.bottom)], DARK, 0.8
        )
        pen.text(self.left + self.width / 2, self.bottom - 22, x_title, 7, color=MUTED, align="center", width=self.width)
        pen.text(self.left - 24, self.bottom + self.height + 7, y_title, 7, color=MUTED, width=self.width)

    def bar(self, pen: Pen, x: tuple[float, float], y: tuple[float, float], fill: Color = ACCENT, hatch: str = "") -> None:
        """Draw a bar between two values on each axis."""
        left, right, low, high = self.x(x[0]), self.x(x[1]), self.y(y[0]), self.y(y[1])
        if high > low:
            pen.box(left, low, right - left, high - low, fill, DARK, weight=0.4, hatch=hatch)

    def curve(
        self, pen: Pen, points: Sequence[tuple[float, float]], hollow: Sequence[bool], color: Color, dash: tuple = ()
    ) -> None:
        """Draw a line with a dot at every point; `hollow` dots mark saturated points."""
        places = [(self.x(x), self.y(y)) for x, y in points]
        if len(places) > 1:
            pen.line(places, color, 1.2, dash)
        for (x, y), empty in zip(places, hollow, strict=True):
            pen.dot(x, y, 2.4, PAPER if empty else color, color)


def ticks(extent: tuple[float, float]) -> list[float]:
    """Return round values inside a range.

    >>> ticks((0, 10))
    [0, 2, 4, 6, 8, 10]
    """
    step = round_step(extent[1] - extent[0])
    first, last = math.ceil(extent[0] / step - 1e-9), math.floor(extent[1] / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def up_to(value: float) -> tuple[float, float]:
    """Return a range from 0 to a round end with a margin above a value.

    >>> up_to(47)
    (0, 50)
    """
    step = round_step(value)
    return 0, max(step, math.ceil(value / step - 1e-9) * step)


def draw_legend(pen: Pen, right: float, y: float, entries: Sequence[tuple[str, Color, str]]) -> None:
    """Write entries of text, fill and hatch in one line that ends at `right`."""
    for text, fill, hatch in reversed(entries):
        pen.text(right, y, text, 7, align="right")
        right -= width_of(printable(text), 7)
        pen.box(right - 16, y - 1, 13, 7, fill, DARK, hatch=hatch, weight=0.4)
        right -= 28


def draw_title(pen: Pen, x: float, top: float, title: str, width: float, size: float = 10) -> None:
    """Write the title of a chart."""
    pen.text(x, top - 10, title, size, font=BOLD, color=DARK, width=width)


def title_size(titles: Iterable[str], width: float) -> float:
    """Return the font size at which the titles of neighboring charts fit a width; at most that of a single title."""
    longest = max((width_of(printable(title), 10, BOLD) for title in titles), default=0.0)
    return 10 * min(1.0, width / longest) if longest else 10
