"""Pareto fronts as SVG: a chart per pair of cost or power and performance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from planner.compare.outputs._scatter import Scatter, label_places, leader, scatters
from planner.compare.running import Result
from planner.report._pdf.axes import Axes, ticks
from planner.scene.palette import named

_PAPER, _TEXT, _MUTED, _RULE, _ACCENT = (f"var(--{name}, {named(name)})" for name in ("paper", "text", "muted", "rule", "accent"))
_STYLE = f"""
.fronts .frame, .fronts .off {{ fill: {_PAPER} }}
.fronts text {{ fill: {_TEXT} }}
.fronts .label {{ paint-order: stroke; stroke: {_PAPER}; stroke-width: 3px; stroke-linejoin: round }}
.fronts .axis {{ fill: {_MUTED} }}
.fronts .grid {{ stroke: {_RULE} }}
.fronts .leader {{ stroke: {_MUTED}; stroke-width: 0.7 }}
.fronts .front {{ stroke: {_ACCENT}; fill: none; stroke-dasharray: 5 3; stroke-width: 1.5 }}
.fronts .on {{ fill: {_ACCENT}; stroke: {_ACCENT} }}
.fronts .off {{ stroke: {_MUTED}; stroke-width: 1.5 }}
"""
"""Colors are variables that an embedding page may set; the defaults are a light theme."""

_WIDE, _HIGH, _ACROSS = 380, 290, 3
_LEFT, _RIGHT, _ABOVE, _BELOW = 58, 14, 34, 42
_CHARACTER_WIDTH = 6.2
"""Approximate width of a character at 11 points."""


def write(result: Result, path: Path) -> None:
    """Write the drawing; equal comparisons give equal bytes."""
    path.write_text(drawing(result) + "\n", encoding="utf-8")


def drawing(result: Result) -> str:
    """Return the drawing; its colors are variables that a page may set."""
    charts = scatters(result)
    across = min(_ACROSS, max(1, len(charts)))
    width, height = across * _WIDE, max(1, -(-len(charts) // across)) * _HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fronts" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="11" role="img">',
        f"<style>{_STYLE}</style>",
        f"<title>{escape(result.comparison.head.title)}: Pareto fronts</title>",
        f'<rect class="frame" width="{width}" height="{height}"/>',
    ]
    for number, chart in enumerate(charts):
        parts.append(f'<g transform="translate({number % across * _WIDE} {number // across * _HIGH})">')
        parts += [*_chart(chart), "</g>"]
    return "\n".join([*parts, "</svg>"])


def _chart(chart: Scatter) -> Iterator[str]:
    # Axes count y upwards, drawings downwards.
    axes = Axes(_LEFT, _BELOW, _WIDE - _LEFT - _RIGHT, _HIGH - _ABOVE - _BELOW, chart.x_range, chart.y_range)
    right, bottom = _LEFT + axes.width, _HIGH - _BELOW
    yield f'<text x="{_LEFT}" y="18" font-weight="650">{escape(_capital(chart.title))}</text>'
    for tick in ticks(chart.y_range):
        y = _HIGH - axes.y(tick)
        yield f'<path class="grid" d="M{_LEFT} {y:.1f}H{right}"/>'
        yield f'<text class="axis" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,.6g}</text>'
    for tick in ticks(chart.x_range):
        x = axes.x(tick)
        yield f'<path class="grid" d="M{x:.1f} {_ABOVE}V{bottom}"/>'
        yield f'<text class="axis" x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{tick:,.6g}</text>'
    yield f'<text class="axis" x="{_LEFT + axes.width / 2}" y="{bottom + 32}" text-anchor="middle">{escape(chart.x.head)}</text>'
    middle = _ABOVE + axes.height / 2
    turned = f'transform="rotate(-90 13 {middle})"'
    yield f'<text class="axis" x="13" y="{middle}" text-anchor="middle" {turned}>{escape(chart.y.unit)}</text>'
    places = [(axes.x(x), axes.y(y)) for x, y in chart.points]
    if len(chart.line) > 1:
        corners = " ".join(f"{axes.x(x):.1f},{_HIGH - axes.y(y):.1f}" for x, y in chart.line)
        yield f'<polyline class="front" points="{corners}"/>'
    frame = (_LEFT, _BELOW, right, _HIGH - _ABOVE)
    for label, point, (x, y) in zip(
        chart.labels, places, label_places(places, chart.labels, lambda text: _CHARACTER_WIDTH * len(text), 9, frame), strict=True
    ):
        if end := leader(point, x, y, _CHARACTER_WIDTH * len(label), 9):
            yield f'<path class="leader" d="M{point[0]:.1f} {_HIGH - point[1]:.1f}L{end[0]:.1f} {_HIGH - end[1]:.1f}"/>'
        yield f'<text class="label" x="{x:.1f}" y="{_HIGH - y:.1f}">{escape(label)}</text>'
    for label, point, (x, y) in zip(chart.labels, chart.points, places, strict=True):
        kind = "on" if point in chart.line else "off"
        about = f"{label}: {chart.x.head} {point[0]:,.4g}, {chart.y.head} {point[1]:,.4g}"
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{_HIGH - y:.1f}" r="4"><title>{escape(about)}</title></circle>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
