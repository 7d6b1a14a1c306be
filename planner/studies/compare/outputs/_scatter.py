"""Scatter charts of networks with Pareto fronts, for paper and screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.paper.axes import Axes, draw_title, title_size
from planner.paper.canvas import ACCENT, MUTED, PAPER
from planner.paper.fonts import printable, width_of
from planner.studies.compare.entries import Entry
from planner.studies.compare.measures import Measure, groups
from planner.studies.compare.pareto import Objective, front, lacking, pairs
from planner.studies.compare.running import Result

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Scatter:
    """One scatter chart.

    Attributes
    ----------
    points
        One per network, in displayed units.
    line
        Points on the front, by x.
    x_range, y_range
        Values at the ends of the axes.
    """

    title: str
    x: Measure
    y: Measure
    labels: tuple[str, ...]
    points: tuple[Point, ...]
    line: tuple[Point, ...]
    x_range: Point
    y_range: Point


def scatters(result: Result) -> list[Scatter]:
    """Return a chart per pair of objectives with at least two ranked networks."""
    measures = {measure.name: measure for group in groups(result) for measure in group.measures}
    charts = []
    for one, other in pairs(result):
        entries = [each for each in result.done if not lacking(each, (one, other))]
        if len(entries) > 1:
            charts.append(_scatter(entries, one, other, measures[one.figure], measures[other.figure]))
    return charts


def _scatter(entries: Sequence[Entry], one: Objective, other: Objective, x: Measure, y: Measure) -> Scatter:
    def place(entry: Entry) -> Point:
        across, up = x.value(entry), y.value(entry)
        assert across is not None
        assert up is not None  # entries without a figure are left out
        return across, up

    points = tuple(map(place, entries))
    line = tuple(map(place, front(entries, [one, other])))
    spans = [_padded([point[axis] for point in points]) for axis in (0, 1)]
    title = f"{other.words[:1].upper()}{other.words[1:]} against {one.words}"
    return Scatter(title, x, y, tuple(e.label for e in entries), points, line, *spans)


def _padded(values: Sequence[float]) -> Point:
    """Return a padded range of values, starting at 0 if that wastes little space."""
    low, high = min(values), max(values)
    if low < 0.35 * high:
        return 0.0, high * 1.12
    pad = 0.15 * (high - low) or 0.1 * high
    return low - pad, high + pad


HEIGHT = 198.0
"""Height of a chart with the space below it, in points."""

_SIZE = 6.5
"""Font size of labels."""


def draw(pen: Any, charts: Sequence[Scatter], number: int, left: float, top: float, width: float) -> None:
    """Draw one of the charts; `pen` is that of the PDF report, or another with `text`, `line` and `dot`."""
    chart = charts[number]
    draw_title(pen, left, top, chart.title, width, title_size((each.title for each in charts), 0.9 * width))
    axes = Axes(left + 34, top - HEIGHT + 38, width - 40, HEIGHT - 70, chart.x_range, chart.y_range)
    axes.draw(pen, chart.x.head, chart.y.unit)
    places = [(axes.x(x), axes.y(y)) for x, y in chart.points]
    if len(chart.line) > 1:
        pen.line([(axes.x(x), axes.y(y)) for x, y in chart.line], ACCENT, 1.0, (4, 2))
    frame = (axes.left, axes.bottom, axes.left + axes.width, axes.bottom + axes.height)
    widths = [width_of(printable(label), _SIZE) for label in chart.labels]
    for label, length, point, (x, y) in zip(chart.labels, widths, places, label_places(places, widths, 6, frame), strict=True):
        if end := leader(point, x, y, length, 6):
            pen.line([point, end], MUTED, 0.3)
        pen.text(x, y, label, _SIZE)
    for label, point, (x, y) in zip(chart.labels, chart.points, places, strict=True):
        on = point in chart.line
        figures = (
            f"{measure.head} {value:,.{measure.decimals}f}" for measure, value in zip((chart.x, chart.y), point, strict=True)
        )
        about = f"{label}: {', '.join(figures)}"
        pen.dot(x, y, 2.6, ACCENT if on else PAPER, ACCENT if on else MUTED, about)


def label_places(places: Sequence[Point], widths: Sequence[float], height: float, frame: Box) -> list[Point]:
    """Return the left end of the base line of each label, next to its point and without overlaps if possible.

    Parameters
    ----------
    places
        Points on paper, y upwards.
    widths, height
        Of the labels.
    frame
        Left, bottom, right and top of the available area.
    """
    taken: list[Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in places]
    found = []
    for (x, y), width in zip(places, widths, strict=True):
        tries = [
            (x + dx if side > 0 else x - dx - width if side < 0 else x - width / 2, y + dy)
            for reach in (0, height, 2 * height, 3 * height, 5 * height, 7 * height)
            for side, dx, dy in (
                (1, 5, -height * 0.35 + reach), (-1, 5, -height * 0.35 + reach), (0, 0, 5 + reach), (0, 0, -height - 4 - reach),
                (1, 5, -height * 0.35 - reach), (-1, 5, -height * 0.35 - reach),
            )
        ]  # fmt: skip
        boxes = [(left, base - 1, left + width, base + height) for left, base in tries]
        best = min(range(len(tries)), key=lambda n: (_covered(boxes[n], taken, frame), n))
        taken.append(boxes[best])
        found.append(tries[best])
    return found


def leader(point: Point, left: float, base: float, width: float, height: float) -> Point | None:
    """Return the end of a line from a point to its label; None if the label is close enough.

    Examples
    --------
    >>> leader((0, 0), left=5, base=-3, width=20, height=9), leader((0, 0), left=5, base=30, width=20, height=9)
    (None, (5, 29))
    """
    x, y = min(max(point[0], left), left + width), min(max(point[1], base - 1), base + height)
    return (x, y) if (x - point[0]) ** 2 + (y - point[1]) ** 2 > height**2 else None


def _covered(box: Box, taken: Sequence[Box], frame: Box) -> float:
    """Return the area of a label that overlaps others or is outside the frame."""
    shared = sum(_overlap(box, other) for other in taken)
    return shared + (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, frame)


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    up = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0) * max(up, 0)
