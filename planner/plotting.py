"""Plots by Matplotlib: lines that differ in black and white, and equal bytes for equal plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from planner.errors import InputError, Problem
from planner.scene.palette import SERIES
from planner.storage import replacing


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
_STYLE = {"svg.hashsalt": "planner", "font.size": 9, "axes.linewidth": 0.7, "pdf.fonttype": 42}


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
