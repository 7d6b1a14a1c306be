"""Plots of the design space as PDF: order and Moore efficiency by radix, PolarStar variants, feasible sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Circle, Drawing, Line, Polygon, PolyLine, Rect, Shape, String
from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from planner.explore import Configuration, families, largest
from planner.metrics.moore import moore_bound
from planner.storage import replacing

WIDTH, HEIGHT = landscape(A4)
LEFT, RIGHT, BOTTOM, TOP = 75, WIDTH - 150, 60, HEIGHT - 60

_GRID = HexColor(0xDDDDDD)
_COLORS = [
    HexColor(code)
    for code in (0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xE69F00, 0x777777, 0x882255, 0x332288, 0x999933)
]


@dataclass(frozen=True)
class Curve:
    """Points of one color and marker; `style` -1 is a line without markers."""

    name: str
    points: list[tuple[float, float]]
    style: int
    joined: bool = True


def write_plots(configurations: list[Configuration], path: str | Path) -> None:
    """Write the plots of these configurations, one per page."""
    with replacing(Path(path)) as temporary:
        canvas = Canvas(str(temporary), pagesize=(WIDTH, HEIGHT), invariant=1)
        canvas.setTitle("Design space")
        for drawing in _pages(configurations):
            renderPDF.draw(drawing, canvas, 0, 0)
            canvas.showPage()
        canvas.save()


def _pages(configurations: list[Configuration]) -> Iterable[Drawing]:
    series = largest(configurations)
    for diameter in sorted({diameter for _, diameter in series if diameter in (2, 3)}):
        named = [(family, best) for (family, d), best in series.items() if d == diameter]
        radixes = sorted({radix for _, best in named for radix in best})
        orders = [_curve(family, best, lambda c: c.routers) for family, best in named]
        bound = Curve("Moore bound", [(radix, moore_bound(radix, diameter)) for radix in radixes], -1)
        yield chart(f"Largest network of diameter {diameter}", "radix", "routers", [bound, *orders], logarithmic=True)
        shares = [_curve(family, best, lambda c: 100 * c.moore_efficiency) for family, best in named]
        yield chart(f"Moore efficiency at diameter {diameter}", "radix", "percent of the Moore bound", shares)
    if polarstars := [c for c in configurations if c.family == "polarstar"]:
        yield chart("Design space of PolarStar", "radix", "routers", _design_space(polarstars), logarithmic=True)
    sizes = [
        Curve(name, sorted({(c.radix, c.routers) for c in configurations if c.family == name}), families().index(name), False)
        for name in sorted({c.family for c in configurations})
    ]
    yield chart("Feasible sizes", "radix", "routers", sizes, logarithmic=True)


def _curve(family: str, best: dict[int, Configuration], figure: Callable[[Configuration], float]) -> Curve:
    return Curve(family, [(radix, figure(best[radix])) for radix in sorted(best)], families().index(family))


def _design_space(polarstars: list[Configuration]) -> list[Curve]:
    kinds = sorted({c.parameters["supernode"] for c in polarstars})
    return [
        Curve(kind, [(c.radix, c.routers) for c in polarstars if c.parameters["supernode"] == kind], number, False)
        for number, kind in enumerate(kinds)
    ]


def chart(title: str, x_name: str, y_name: str, curves: list[Curve], *, logarithmic: bool = False) -> Drawing:
    """Return one plot with its legend."""
    drawing = Drawing(WIDTH, HEIGHT)
    xs, ys = ([point[axis] for curve in curves for point in curve.points] for axis in (0, 1))
    x_ticks = _ticks(min(xs), max(xs))
    y_ticks = _decades(min(ys), max(ys)) if logarithmic else _ticks(0, max(ys))
    scale = log10 if logarithmic else float
    x_of = _mapping(x_ticks[0], x_ticks[-1], LEFT, RIGHT)
    to_y = _mapping(scale(y_ticks[0]), scale(y_ticks[-1]), BOTTOM, TOP)
    for tick in x_ticks:
        drawing.add(Line(x_of(tick), BOTTOM, x_of(tick), TOP, strokeColor=_GRID, strokeWidth=0.5))
        drawing.add(String(x_of(tick), BOTTOM - 14, f"{tick:,.10g}", fontSize=9, textAnchor="middle"))
    for tick in y_ticks:
        height = to_y(scale(tick))
        drawing.add(Line(LEFT, height, RIGHT, height, strokeColor=_GRID, strokeWidth=0.5))
        drawing.add(String(LEFT - 6, height - 3, f"{tick:,.10g}", fontSize=9, textAnchor="end"))
    drawing.add(Rect(LEFT, BOTTOM, RIGHT - LEFT, TOP - BOTTOM, fillColor=None, strokeColor=black, strokeWidth=0.7))
    drawing.add(String(LEFT, TOP + 22, title, fontSize=14, fontName="Helvetica-Bold"))
    drawing.add(String(LEFT, TOP + 7, y_name, fontSize=9))
    drawing.add(String((LEFT + RIGHT) / 2, BOTTOM - 32, x_name, fontSize=9, textAnchor="middle"))
    for place, curve in enumerate(curves):
        points = [(x_of(x), to_y(scale(y))) for x, y in curve.points]
        _draw(drawing, curve, points)
        height = TOP - 8 - 16 * place
        _draw(drawing, curve, [(RIGHT + 14, height), (RIGHT + 34, height)])
        drawing.add(String(RIGHT + 42, height - 3, curve.name, fontSize=9))
    return drawing


def _draw(drawing: Drawing, curve: Curve, points: list[tuple[float, float]]) -> None:
    color = black if curve.style < 0 else _COLORS[curve.style % len(_COLORS)]
    if curve.joined and len(points) > 1:
        dashes = [4, 2] if curve.style < 0 else None
        flat = [number for point in points for number in point]
        drawing.add(PolyLine(flat, strokeColor=color, strokeWidth=0.8, strokeDashArray=dashes))
    if curve.style >= 0:
        for x, y in points:
            drawing.add(_mark(x, y, curve.style // len(_COLORS), color))


def _mark(x: float, y: float, kind: int, color: Color) -> Shape:
    r = 1.9
    style = {"fillColor": color, "strokeColor": None}
    if kind == 0:
        return Circle(x, y, r, **style)
    if kind == 1:
        return Rect(x - r, y - r, 2 * r, 2 * r, **style)
    return Polygon([x - r, y - r, x + r, y - r, x, y + r], **style)


def _mapping(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _ticks(low: float, high: float) -> list[float]:
    """Return about eight round numbers from at most `low` to at least `high`.

    >>> _ticks(8, 64)
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]
    """
    span = max(high - low, 1)
    power = 10.0 ** floor(log10(span / 8))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power * 8 >= span)
    first, last = floor(low / step), ceil(high / step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _decades(low: float, high: float) -> list[float]:
    """Return the powers of ten that enclose the values.

    >>> _decades(50, 3000)
    [10.0, 100.0, 1000.0, 10000.0]
    """
    first, last = floor(log10(low)), ceil(log10(high))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]
