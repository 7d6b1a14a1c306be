"""Pareto fronts as SVG: a chart per pair of cost or power and performance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color

from planner.hall.scene.palette import COLORS, named
from planner.paper.canvas import BOLD, DARK, color_of
from planner.paper.fonts import REGULAR, printable, width_of
from planner.studies.compare.outputs._scatter import HEIGHT, draw, scatters
from planner.studies.compare.running import Result

_WIDTH, _ACROSS = 250, 3
_NAMES = {color.hexval(): name for name in reversed(COLORS) if (color := color_of(name))}
_FONT_SHARE = 0.85
"""Width of text in the font of reports as a share of that in the wider ones of browsers."""
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def write(result: Result, path: Path) -> None:
    """Write the drawing; equal comparisons give equal bytes."""
    path.write_text(drawing(result) + "\n", encoding="utf-8")


def drawing(result: Result) -> str:
    """Return the drawing; its colors are variables that an embedding page may set, the defaults are a light theme."""
    charts = scatters(result)
    across = min(_ACROSS, max(1, len(charts)))
    width, height = across * _WIDTH, max(1, -(-len(charts) // across)) * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fronts" viewBox="0 0 {width} {height:g}" '
        'font-family="system-ui, sans-serif" role="img">',
        f"<title>{escape(result.comparison.head.title)}: Pareto fronts</title>",
        f'<rect width="{width}" height="{height:g}" style="fill: {_css("paper")}"/>',
    ]
    for number in range(len(charts)):
        pen = _Pen()
        draw(pen, charts, number, 4, HEIGHT - 4, _WIDTH - 8)
        place = f"translate({number % across * _WIDTH} {number // across * HEIGHT:g})"
        parts += [f'<g transform="{place}">', *pen.parts, "</g>"]
    return "\n".join([*parts, "</svg>"])


class _Pen:
    """Draws what the pen of the PDF report draws, as elements of SVG; y upwards from the lower end of a chart."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def text(
        self, x: float, y: float, text: str, size: float = 8, *, font: str = "", color: Color = DARK, align: str = "left",
        width: float | None = None,
    ) -> None:  # fmt: skip
        """Write one line on a background that keeps it legible on grid lines, smaller where it is wider than `width`."""
        if width is not None and (needed := width_of(printable(text), size, font or REGULAR)):
            size = min(size, _FONT_SHARE * size * width / needed)
        weight = ' font-weight="650"' if font == BOLD else ""
        style = f"fill: {_color(color)}; stroke: {_css('paper')}; stroke-width: 2; stroke-linejoin: round; paint-order: stroke"
        where = f'x="{x:.1f}" y="{HEIGHT - y:.1f}" font-size="{size:g}" text-anchor="{_ANCHORS[align]}"'
        self.parts.append(f'<text {where}{weight} style="{style}">{escape(text)}</text>')

    def line(self, points: Sequence[tuple[float, float]], color: Color, weight: float = 0.4, dash: tuple = ()) -> None:
        """Draw a line through all points."""
        corners = " ".join(f"{x:.1f},{HEIGHT - y:.1f}" for x, y in points)
        dashes = f"; stroke-dasharray: {' '.join(map(str, dash))}" if dash else ""
        style = f"fill: none; stroke: {_color(color)}; stroke-width: {weight:g}{dashes}"
        self.parts.append(f'<polyline points="{corners}" style="{style}"/>')

    def dot(self, x: float, y: float, radius: float, fill: Color, stroke: Color, title: str = "") -> None:
        """Draw a circle; the title appears under the pointer."""
        style = f"fill: {_color(fill)}; stroke: {_color(stroke)}"
        circle = f'<circle cx="{x:.1f}" cy="{HEIGHT - y:.1f}" r="{radius:g}" style="{style}">'
        self.parts.append(f"{circle}<title>{escape(title)}</title></circle>")


def _color(color: Color) -> str:
    return _css(_NAMES[color.hexval()])


def _css(name: str) -> str:
    return f"var(--{name}, {named(name)})"
