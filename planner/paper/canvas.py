"""The pen that draws every sheet, and its colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from planner.hall.scene.palette import named
from planner.paper.fonts import BOLD as BOLD
from planner.paper.fonts import COMMON, REGULAR, fitted, is_common, printable, runs, width_of


@lru_cache(maxsize=1024)
def color_of(color: str) -> Color | None:
    """Return a color of the palette for the PDF library; None for none."""
    return HexColor(named(color)) if color else None


DARK, MUTED, RULE, FAINT, PAPER, ACCENT, ACCENT_LIGHT, ALARM = map(
    color_of, ("text", "muted", "rule", "faint", "paper", "accent", "accent-light", "alarm")
)

_MOVE, _LINE = "m", "l"
"""Operators of PDF: a path begins at a point, and goes on in a straight line."""

_PAINT = {(True, True): "B*", (True, False): "f*", (False, True): "S", (False, False): "n"}
"""How a closed path is painted: whether it is filled, and whether it has an edge."""

_number = lru_cache(maxsize=1 << 16)(fp_str)
"""A coordinate as text; rows and columns have few, and to look one up takes a tenth of the time."""

_LARGE = 100_000
"""More than the size of any drawing, in points."""

_BOX = (-_LARGE, -_LARGE, _LARGE, _LARGE)
"""Box of a repeated drawing, which clips it; it is not known which size the drawing has."""


class _State(NamedTuple):
    """What the canvas draws with: colors of shapes and lines, width of lines in points, and arguments of their dash."""

    fill: Color | None
    stroke: Color | None
    weight: float
    dash: tuple


_START = _State(None, None, 1, ())
"""What each page and each repeated drawing begins with."""


class Pen:
    """Draws on the current sheet; lengths in points, y upwards.

    Parameters
    ----------
    canvas
        Canvas of the PDF library.
    page_of
        Page number of every mark of the document, by its key.
    volume_of
        Volume of the marks in other documents.
    """

    def __init__(self, canvas: Canvas, page_of: Mapping[str, int], volume_of: Mapping[str, int] | None = None):
        self._canvas = canvas
        self._add = canvas.addLiteral
        self.page_of = page_of
        self._volume_of = volume_of or {}
        self._codes: dict[tuple[str, str, float], tuple[str, str, float]] = {}
        self._starts: dict[tuple[str, float], str] = {}
        self._characters: dict[str, dict[int, str]] = {}
        self._empty = canvas.beginText(0, 0).getCode().removesuffix("ET")
        self._state = _START

    def end(self) -> None:
        """End the page and begin the next one."""
        self._canvas.showPage()
        self._state = _START

    def page(self, key: str) -> str:
        """Return the page of a mark as text; the volume if it is in another document, a dash if it is not printed."""
        if key in self.page_of:
            return str(self.page_of[key])
        return f"vol. {self._volume_of[key]}" if key in self._volume_of else "–"

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 8,
        *,
        font: str = REGULAR,
        color: Color = DARK,
        align: str = "left",
        width: float | None = None,
    ) -> None:
        """Write one line; text wider than `width` is shrunk or truncated."""
        shown, code, natural = self._codes.get((text, font, size)) or self._coded(text, font, size)
        if width is not None and natural > width:
            text, size = fitted(shown, width, size, font)
            shown, code, natural = self._codes.get((text, font, size)) or self._coded(text, font, size)
        self._fill(color)
        if align != "left":
            x -= natural * (1 if align == "right" else 0.5)
        if code:
            self._add(f"BT 1 0 0 1 {_number(x)} {_number(y)} Tm {code}")
            return
        for name, piece in runs(shown, font):
            self._add(f"BT 1 0 0 1 {_number(x)} {_number(y)} Tm {self._written(piece, name, size)}")
            x += pdfmetrics.stringWidth(piece, name, size)

    def _coded(self, text: str, font: str, size: float) -> tuple[str, str, float]:
        """Return a text as it is printed, its code without its place if all its characters are common, and its width."""
        shown, start = printable(text), self._starts.get((font, size)) or self._start(font, size)
        code = f"{start}({shown.translate(self._characters[font])}) Tj T* ET" if is_common(shown) else ""
        # A tuple of texts and numbers alone is nothing that the garbage collector visits.
        found = self._codes[text, font, size] = shown, code, width_of(shown, size, font)
        return found

    def _start(self, font: str, size: float) -> str:
        """Return what precedes common text; to have the library write each text takes five times as long."""
        if font not in self._characters:
            # The first characters of a font that are written have numbers of one byte in one embedded font.
            self._characters[font] = {ord(each): self._shown(each, font, size)[1] for each in sorted(COMMON)}
        start = self._starts[font, size] = self._shown(" ", font, size)[0]
        return start

    def _shown(self, text: str, font: str, size: float) -> list[str]:
        """Return what precedes the code of a short text, and that code."""
        return self._written(text, font, size).removesuffix(") Tj T* ET").split("(", 1)

    def _written(self, text: str, font: str, size: float) -> str:
        """Return the code of a text in one font, without its place."""
        line = self._canvas.beginText(0, 0)
        line.setFont(font, size)
        line.textLine(text)
        return line.getCode().removeprefix(self._empty)

    def upright(self, x: float, y: float, text: str, size: float, **options: Any) -> None:
        """Write one line from the bottom to the top, centered on (x, y)."""
        with self.kept():
            self._canvas.translate(x, y)
            self._canvas.rotate(90)
            self.text(0, -size * 0.36, text, size, align="center", **options)

    def line(self, points: Sequence[tuple[float, float]], color: Color = RULE, weight: float = 0.4, dash: tuple = ()) -> None:
        """Draw a line through all points."""
        self._stroke(color, weight, dash)
        self._add(f"{_path(points)} S")

    def shape(
        self,
        points: Sequence[tuple[float, float]],
        fill: Color | None = None,
        stroke: Color | None = None,
        weight: float = 0.4,
        hatch: str = "",
        dash: tuple = (),
    ) -> None:
        """Draw a closed polygon; `hatch` is ``diagonal``, ``level`` or ``crossed``."""
        path = f"{_path(points)} h"
        if fill is not None:
            self._fill(fill)
        if stroke is not None:
            self._stroke(stroke, weight, dash)
        if hatch:
            if fill is not None:
                self._add(f"{path} f*")
            self._hatch(points, hatch, stroke or MUTED)
            if stroke is not None:
                self._stroke(stroke, weight, dash)
                self._add(f"{path} S")
        else:
            self._add(f"{path} {_PAINT[fill is not None, stroke is not None]}")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: Color | None = None,
        stroke: Color | None = None,
        **options: Any,
    ) -> None:
        """Draw a rectangle by its lower left corner; options as in `shape`."""
        self.shape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, stroke, **options)

    def dot(self, x: float, y: float, radius: float, fill: Color, stroke: Color, title: str = "") -> None:
        """Draw a circle; a title appears on screens only."""
        self._stroke(stroke, 0.9)
        self._fill(fill)
        self._canvas.circle(x, y, radius, stroke=1, fill=1)

    def rectangles(self, places: Iterable[tuple[float, float, float, float]], fill: Color) -> None:
        """Fill many rectangles without edges: left, bottom, width and height of each."""
        self._fill(fill)
        paths = " ".join(f"{fp_str(*place)} re" for place in places)
        if paths:
            self._add(f"n {paths} f*")

    def stamp(self, name: str, draw: Callable[[], None], x: float, y: float, scale: float = 1.0) -> None:
        """Repeat a drawing with its origin at (x, y); equal names are one drawing, which the file has once."""
        canvas = self._canvas
        if not canvas.hasForm(name):
            with self.kept():
                canvas.beginForm(name, *_BOX)
                self._state = _START
                draw()
                canvas.endForm()
        with self.kept():
            canvas.translate(x, y)
            if scale != 1:
                canvas.scale(scale, scale)
            canvas.doForm(name)

    @contextmanager
    def clipped(self, points: Sequence[tuple[float, float]]) -> Iterator[None]:
        """Clip drawing to a polygon."""
        with self.kept():
            self._add(f"{_path(points)} h W* n")
            yield

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Restore color, width and dash of lines, clipping and coordinates afterwards."""
        self._canvas.saveState()
        state = self._state
        try:
            yield
        finally:
            self._canvas.restoreState()
            self._state = state

    def link(self, x: float, y: float, width: float, height: float, key: str) -> None:
        """Link a rectangle to the mark `key`, if this document has it."""
        if key in self.page_of:
            self._canvas.linkRect("", key, (x, y, x + width, y + height), relative=0, thickness=0)

    def mark(self, key: str, top: float) -> None:
        """Set a target of `link`."""
        left, height = self._canvas.absolutePosition(0, top)
        self._canvas.bookmarkHorizontalAbsolute(key, height, left=left)

    # Setting what is set already would take as long as writing a word.

    def _fill(self, color: Color) -> None:
        if self._state.fill is not color:
            self._add(f"{_rgb(color)} rg")
            self._state = self._state._replace(fill=color)

    def _stroke(self, color: Color, weight: float, dash: tuple = ()) -> None:
        state = self._state
        if state[1:] == (color, weight, dash):
            return
        if state.stroke is not color:
            self._add(f"{_rgb(color)} RG")
        if state.weight != weight:
            self._canvas.setLineWidth(weight)
        if state.dash != dash:
            self._canvas.setDash(*dash)
        self._state = _State(state.fill, color, weight, dash)

    def _hatch(self, points: Sequence[tuple[float, float]], kind: str, color: Color, gap: float = 3.2) -> None:
        (left, bottom), (right, top) = (tuple(pick(axis) for axis in zip(*points, strict=True)) for pick in (min, max))
        with self.clipped(points):
            for line in _HATCHES[kind](left, bottom, right, top, gap):
                self.line(line, color, 0.45)


@lru_cache(maxsize=1024)
def _rgb(color: Color) -> str:
    """Return a color as operands; to look one up takes a fifth of the time that the PDF library takes to set it."""
    return fp_str(color.red, color.green, color.blue)


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Return an open path as the PDF library writes it, which takes four times as long."""
    (x, y), *others = points
    return " ".join([f"n {_number(x)} {_number(y)} {_MOVE}", *[f"{_number(x)} {_number(y)} {_LINE}" for x, y in others]])


def _diagonal(left: float, bottom: float, right: float, top: float, gap: float) -> Iterator[list[tuple[float, float]]]:
    # Multiples of the gap counted from the page's corner, so that neighboring hatches meet.
    step = gap * 2**0.5
    start = (left - top) // step * step
    while start < right - bottom:
        yield [(start + bottom, bottom), (start + top, top)]
        start += step


def _level(left: float, bottom: float, right: float, top: float, gap: float) -> Iterator[list[tuple[float, float]]]:
    y = bottom // gap * gap + gap
    while y < top:
        yield [(left, y), (right, y)]
        y += gap


def _crossed(left: float, bottom: float, right: float, top: float, gap: float) -> Iterator[list[tuple[float, float]]]:
    yield [(left, bottom), (right, top)]
    yield [(left, top), (right, bottom)]


_HATCHES: dict[str, Callable] = {"diagonal": _diagonal, "level": _level, "crossed": _crossed}
