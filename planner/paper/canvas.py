"""The pen that draws every sheet, and its colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFZCompress
from reportlab.pdfgen.canvas import Canvas

from planner.hall.scene.palette import named
from planner.paper.fonts import BOLD as BOLD
from planner.paper.fonts import REGULAR, fitted, is_common, printable, runs, width_of


@lru_cache(maxsize=1024)
def color_of(color: str) -> Color | None:
    """Return a color of the palette for the PDF library; None for none."""
    return HexColor(named(color)) if color else None


DARK, MUTED, RULE, FAINT, PAPER, ACCENT, ACCENT_LIGHT, ALARM = map(
    color_of, ("text", "muted", "rule", "faint", "paper", "accent", "accent-light", "alarm")
)

_ASCII = "".join(map(chr, range(0x20, 0x7F)))

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


@dataclass(frozen=True)
class Drawing:
    """What a page consists of, and what it adds to its document.

    Attributes
    ----------
    size
        Size of its paper, in points.
    code
        Code of the page as the file has it, see `Pen.end`.
    stamps
        Names of the repeated drawings that it shows.
    added
        Links, marks and repeated drawings in the order in which the page added them: method of `Pen`, and arguments.
    """

    size: tuple[float, float]
    code: bytes
    stamps: list[str]
    added: list[tuple[str, tuple]]


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
        self.page_of = page_of
        self._volume_of = volume_of or {}
        self._starts: dict[tuple[str, float], str] = {}
        self._lines: dict[tuple[str, str, float], tuple[str, str | None, float]] = {}
        self._added: list[tuple[str, tuple]] = []

    def end(self, content: bytes | None = None) -> bytes:
        """End the page and begin the next one; return the code of the page as the file has it, compressed.

        Parameters
        ----------
        content
            That code, of a page that was drawn elsewhere.
        """
        self._canvas.showPage()
        page = self._canvas._doc.Pages.pages[-1]
        content = PDFZCompress.encode(page.stream) if content is None else content
        compressed = PDFDictionary({"Filter": PDFArray([PDFName(PDFZCompress.pdfname)])})
        page.stream, page.Contents = None, PDFStream(compressed, content)
        return content

    def recorded(self, draw: Callable[[], None]) -> Drawing:
        """Draw a page, end it, and return the drawing."""
        canvas = self._canvas
        self._added.clear()
        draw()
        size, stamps, added = canvas._pagesize, list(canvas._formsinuse), list(self._added)
        return Drawing(size, self.end(), stamps, added)

    def replay(self, drawing: Drawing) -> None:
        """Put a drawing on the current page, which is empty, and end it."""
        self._canvas.setPageSize(drawing.size)
        for method, arguments in drawing.added:
            getattr(self, method)(*arguments)
        self._canvas._formsinuse += drawing.stamps
        self.end(drawing.code)

    @property
    def numbered(self) -> tuple[list[int], int]:
        """How many characters each font has numbered so far, and the number of fonts."""
        document = self._canvas._doc
        states = [pdfmetrics.getFont(font).state.get(document) for font in (REGULAR, BOLD)]
        return [len(state.assignments) if state else 0 for state in states], len(document.fontMapping)

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
        shown, code, natural = self._lines.get((text, font, size)) or self._line(text, font, size)
        if width is not None and natural > width:
            text, size = fitted(shown, width, size, font)
            shown, code, natural = self._lines.get((text, font, size)) or self._line(text, font, size)
        self._fill(color)
        if align != "left":
            x -= natural * (1 if align == "right" else 0.5)
        if code is not None:
            self._canvas._code.append(f"BT 1 0 0 1 {_number(x)} {_number(y)} Tm {code} Tj T* ET")
            return
        pieces = runs(shown, font)
        for name, piece in pieces:
            self._canvas.setFont(name, size)
            self._canvas.drawString(x, y, piece)
            if len(pieces) > 1:
                x += pdfmetrics.stringWidth(piece, name, size)

    def _line(self, text: str, font: str, size: float) -> tuple[str, str | None, float]:
        """Return a text as it is printed, its code if it has a short one, and its width; they are remembered."""
        shown = printable(text)
        found = shown, self.code_of(shown, font, size), width_of(shown, size, font)
        self._lines[text, font, size] = found
        return found

    def code_of(self, text: str, font: str, size: float) -> str | None:
        """Return font, size and text as `drawString` writes them, which takes five times as long.

        None for text in several fonts, and where the PDF library numbers ASCII characters otherwise.
        """
        own, document = pdfmetrics.getFont(font), self._canvas._doc
        if (start := self._starts.get((font, size))) is None:
            direct = self._canvas.bottomup and own.splitString(_ASCII, document) == [(0, _ASCII.encode())]
            chosen = f"{own.getSubsetInternalName(0, document)} {fp_str(size)} Tf {fp_str(size * 1.2)} TL"
            start = self._starts[font, size] = chosen if direct else ""
        if not start:
            return None
        if text.isascii():
            return start + " (" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"
        if not is_common(text) or len(pieces := own.splitString(text, document)) != 1 or pieces[0][0]:
            return None
        return f"{start} ({self._canvas._escape(pieces[0][1])})"

    def upright(self, x: float, y: float, text: str, size: float, **options) -> None:
        """Write one line from the bottom to the top, centered on (x, y)."""
        with self.kept():
            self._canvas.translate(x, y)
            self._canvas.rotate(90)
            self.text(0, -size * 0.36, text, size, align="center", **options)

    def line(self, points: Sequence[tuple[float, float]], color: Color = RULE, weight: float = 0.4, dash: tuple = ()) -> None:
        """Draw a line through all points."""
        self._stroke(color, weight, dash)
        self._canvas._code.append(f"{_path(points)} S")

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
        path, code = f"{_path(points)} h", self._canvas._code
        if fill is not None:
            self._fill(fill)
        if stroke is not None:
            self._stroke(stroke, weight, dash)
        if hatch:
            if fill is not None:
                code.append(f"{path} f*")
            self._hatch(points, hatch, stroke or MUTED)
            if stroke is not None:
                self._stroke(stroke, weight, dash)
                code.append(f"{path} S")
        else:
            code.append(f"{path} {_PAINT[fill is not None, stroke is not None]}")

    def box(
        self, x: float, y: float, width: float, height: float, fill: Color | None = None, stroke: Color | None = None, **options
    ):
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
            self._canvas._code.append(f"n {paths} f*")

    def stamp(self, name: str, draw: Callable[[], None], x: float, y: float, scale: float = 1.0) -> None:
        """Repeat a drawing with its origin at (x, y); equal names are one drawing, which the file has once."""
        canvas = self._canvas
        with self.kept():
            if not canvas.hasForm(name):
                canvas.beginForm(name, *_BOX)
                draw()
                self._added.append(("_set_stamp", (name, "\n".join(canvas._code), list(canvas._formsinuse))))
                canvas.endForm()
        with self.kept():
            canvas.translate(x, y)
            if scale != 1:
                canvas.scale(scale, scale)
            canvas.doForm(name)

    def _set_stamp(self, name: str, code: str, stamps: Sequence[str]) -> None:
        """Add a repeated drawing to the document unless it has one of this name."""
        if not self._canvas.hasForm(name):
            self._canvas.beginForm(name, *_BOX)
            self._canvas._code.append(code)
            self._canvas._formsinuse += stamps
            self._canvas.endForm()

    @contextmanager
    def clipped(self, points: Sequence[tuple[float, float]]) -> Iterator[None]:
        """Clip drawing to a polygon."""
        with self.kept():
            self._canvas._code.append(f"{_path(points)} h W* n")
            yield

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Restore the state of the canvas afterwards."""
        self._canvas.saveState()
        try:
            yield
        finally:
            self._canvas.restoreState()

    def link(self, x: float, y: float, width: float, height: float, key: str) -> None:
        """Link a rectangle to the mark `key`, if this document has it."""
        if key in self.page_of:
            self._set_link(key, (x, y, x + width, y + height))

    def _set_link(self, key: str, corners: tuple[float, float, float, float]) -> None:
        self._canvas.linkRect("", key, corners, relative=0, thickness=0)
        self._added.append(("_set_link", (key, corners)))

    def mark(self, key: str, top: float) -> None:
        """Set a target of `link`."""
        self._set_mark(key, *self._canvas.absolutePosition(0, top))

    def _set_mark(self, key: str, left: float, top: float) -> None:
        self._canvas.bookmarkHorizontalAbsolute(key, top, left=left)
        self._added.append(("_set_mark", (key, left, top)))

    def _fill(self, color: Color) -> None:
        # Setting the same color again would take as long as writing a word.
        if self._canvas._fillColorObj is not color:
            self._canvas.setFillColor(color)

    def _stroke(self, color: Color, weight: float, dash: tuple = ()) -> None:
        # The library keeps the dash with the state, but does not set it itself.
        canvas = self._canvas
        if canvas._strokeColorObj is not color:
            canvas.setStrokeColor(color)
        if canvas._lineWidth != weight:
            canvas.setLineWidth(weight)
        if (canvas._lineDash or ()) != dash:
            canvas.setDash(*dash)
            canvas._lineDash = dash

    def _hatch(self, points: Sequence[tuple[float, float]], kind: str, color: Color, gap: float = 3.2) -> None:
        (left, bottom), (right, top) = (tuple(pick(axis) for axis in zip(*points, strict=True)) for pick in (min, max))
        with self.clipped(points):
            for line in _HATCHES[kind](left, bottom, right, top, gap):
                self.line(line, color, 0.45)


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
