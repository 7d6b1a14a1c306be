"""Plots by Matplotlib: lines that differ in black and white, and equal bytes for equal plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from planner.core.errors import InputError, Problem
from planner.core.storage import replacing
from planner.hall.scene.palette import SERIES


class Stroke(NamedTuple):
    """Color, marker and dashes of a line."""

    color: str
    marker: str
    dashes: Any


_MARKERS, _DASHES = "os^Dv<>P", ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
STROKES = tuple(Stroke(SERIES[n % len(SERIES)], _MARKERS[n % len(_MARKERS)], _DASHES[n % len(_DASHES)]) for n in range(280))
"""All combinations of the first 280 lines are different."""

_DATES = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {"Software": None}}
SUFFIXES = tuple(_DATES)
_LABEL_PT = 8.0
_EARLY = 0.8
"""Share of the width before which a line ends early."""
_STYLE: Any = {"svg.hashsalt": "planner", "font.size": 9, "axes.linewidth": 0.7, "pdf.fonttype": 42}


def save(out: Path, pages: Sequence[Callable[[Any], None]], size_in: tuple[float, float] = (5.6, 3.6)) -> None:
    """Write a plot to a PDF, SVG or PNG file; a PDF may have several pages.

    Parameters
    ----------
    pages
        For each page a function that draws into a Matplotlib figure.
    size_in
        Width and height in inches.

    Raises
    ------
    InputError
        If Matplotlib is not installed.
    """
    with _matplotlib() as figure_of, replacing(out) as temporary:
        figures = [figure_of(figsize=size_in, layout="constrained") for _ in pages]
        for draw, figure in zip(pages, figures, strict=True):
            draw(figure)
        if out.suffix == ".pdf":
            from matplotlib.backends.backend_pdf import PdfPages

            with PdfPages(temporary, metadata=_DATES[".pdf"]) as document:
                for figure in figures:
                    document.savefig(figure)
        else:
            figures[0].savefig(temporary, format=out.suffix[1:], dpi=200, metadata=_DATES[out.suffix])


def grid(axes: Any, **labels: Any) -> None:
    """Set labels, and draw a grid behind the lines."""
    axes.set(**labels)
    axes.grid(color="0.85", linewidth=0.5)
    axes.set_axisbelow(True)


def thousands(axis: Any) -> None:
    """Write the numbers of an axis as everywhere: 1,064; categories are unchanged."""
    from matplotlib.ticker import LogFormatter, ScalarFormatter

    class Grouped(LogFormatter):
        def __call__(self, x: float, pos: Any = None) -> str:
            return f"{x:,.10g}" if super().__call__(x, pos) else ""

    if isinstance(axis.get_major_formatter(), LogFormatter):
        axis.set_major_formatter(Grouped())
        axis.set_minor_formatter(Grouped(labelOnlyBase=False))
    elif isinstance(axis.get_major_formatter(), ScalarFormatter):
        axis.set_major_formatter(lambda value, place: f"{value:,.10g}")


class End(NamedTuple):
    """The last point of a line, which its label names."""

    name: str
    x: float
    y: float
    stroke: Stroke


def label_ends(axes: Any, ends: Sequence[End]) -> None:
    """Name lines at their ends, in the order of their height and without overlaps, to the right of the axes.

    A name has the marker of its line, so that it needs no legend; lines that end early are named where they end. To be called
    after the scales and limits are set.
    """
    axes.autoscale_view()
    low, high = axes.transAxes.transform((0, 0)), axes.transAxes.transform((1, 1))
    shares = [(axes.transData.transform((end.x, end.y)) - low) / (high - low) for end in ends]
    early = [end for end, (across, _) in zip(ends, shares, strict=True) if across < _EARLY]
    for end in early:
        back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
        axes.annotate(end.name, (end.x, end.y), (5, 8), textcoords="offset points", fontsize=_LABEL_PT, va="center", bbox=back)
    late = [(end, up) for end, (across, up) in zip(ends, shares, strict=True) if across >= _EARLY]
    gap = 1.35 * _LABEL_PT / (72 * axes.get_figure().get_size_inches()[1] * 0.85)
    for (end, _), share in zip(late, spread([up for _, up in late], gap), strict=True):
        line = {"arrowstyle": "-", "color": end.stroke.color, "linewidth": 0.5, "shrinkA": 9, "shrinkB": 3}
        place, kind = (1.045, share), "axes fraction"
        axes.annotate(end.name, (end.x, end.y), place, textcoords=kind, fontsize=_LABEL_PT, va="center", arrowprops=line)
        axes.plot(
            [1.032], [share], end.stroke.marker, color=end.stroke.color, markersize=4, transform=axes.transAxes, clip_on=False
        )


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Return places between 0 and 1 in the same order, at least a gap apart as far as there is room, near the given ones.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], 0.25)
    [0.375, 0.625, 0.875]
    """
    gap = min(gap, 1 / max(len(places), 1))
    order = sorted(range(len(places)), key=lambda n: places[n])
    # Groups of labels that touch each other: their middle, and their number.
    groups: list[tuple[float, int]] = []
    for place in (places[n] for n in order):
        middle, count = place, 1
        while True:
            half = gap * count / 2
            middle = min(max(middle, half), 1 - half)
            if not groups or groups[-1][0] + gap * groups[-1][1] / 2 <= middle - half + 1e-9:
                break
            other, many = groups.pop()
            middle, count = (middle * count + other * many) / (count + many), count + many
        groups.append((middle, count))
    found = [0.0] * len(places)
    at = iter(order)
    for middle, count in groups:
        for number in range(count):
            found[next(at)] = middle + (number - (count - 1) / 2) * gap
    return found


@contextmanager
def _matplotlib() -> Iterator[Callable[..., Any]]:
    """Yield the class of figures; no dates and no random names get into files."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise InputError(Problem("", "plots need the package matplotlib", "pip install 'planner[plot]'")) from None
    with matplotlib.rc_context(_STYLE):
        yield Figure
