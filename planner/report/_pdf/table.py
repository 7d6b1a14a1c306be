"""Tables as blocks: column widths from the content, cells that wrap, headers on every sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.report._pdf.blocks import Block
from planner.report._pdf.ink import ACCENT, ACCENT_LIGHT, INK, MUTED, RULE, Pen
from planner.report._pdf.letters import BOLD, REGULAR, printable, width_of, wrapped

_PAD = 3.0
_LEAST_WIDTH = 24.0
TICK = "☐"
"""A cell with this text is a box to tick."""


@dataclass(frozen=True)
class Column:
    """A column's title and how its cells stand: ``left``, ``right`` or ``centre``."""

    title: str
    align: str = "left"


@dataclass(frozen=True)
class Table:
    """A table of fixed column widths at one type size."""

    columns: tuple[Column, ...]
    widths: tuple[float, ...]
    size: float

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        rows: Iterable[Sequence[str]],
        width: float,
        size: float = 7,
        totals: Iterable[Sequence[str]] = (),
    ) -> Table:
        """Choose widths for these rows and totals: what they need, or less for the columns with the longest text."""
        least = [max(_longest_word(column.title, size, BOLD) + 2 * _PAD, _LEAST_WIDTH) for column in columns]
        needed = least.copy()
        for font, lines in ((REGULAR, rows), (BOLD, totals)):
            for line in lines:
                for place, cell in enumerate(line):
                    natural = width_of(printable(cell), size, font) + 2 * _PAD
                    needed[place] = max(needed[place], natural)
                    if natural > least[place]:
                        least[place] = max(least[place], _longest_word(cell, size, font) + 2 * _PAD)
        return cls(tuple(columns), _shared(needed, least, width), size)

    @property
    def width(self) -> float:
        return sum(self.widths)

    def header(self) -> Block:
        """Return the column titles, kept with the first row."""
        lines = [_lines(column.title, width, self.size, BOLD) for column, width in zip(self.columns, self.widths, strict=True)]
        leading = self.size * 1.25
        height = max(map(len, lines)) * leading + 5

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - height, self.width, height, ACCENT_LIGHT)
            pen.line([(x, top - height), (x + self.width, top - height)], ACCENT, 0.7)
            # Titles stand on the bottom line, whatever their number of lines.
            for column, left, width, text in zip(self.columns, self._lefts(x), self.widths, lines, strict=True):
                for number, line in enumerate(text):
                    y = top - height + 4 + (len(text) - 1 - number) * leading
                    _write(pen, left, y, width, line, self.size, column.align, BOLD, ACCENT)

        return Block(height, draw, keep=True)

    def row(self, cells: Sequence[str], above: tuple[Block, ...] = (), *, strong: bool = False, keep: bool = False) -> Block:
        """Return one row; `strong` rows carry totals."""
        font = BOLD if strong else REGULAR
        lines = [_lines(cell, width, self.size, font) for cell, width in zip(cells, self.widths, strict=True)]
        leading = self.size * 1.25
        height = max(map(len, lines)) * leading + 3

        def draw(pen: Pen, x: float, top: float) -> None:
            if strong:
                pen.line([(x, top), (x + self.width, top)], MUTED, 0.6)
            for column, left, width, text in zip(self.columns, self._lefts(x), self.widths, lines, strict=True):
                for number, line in enumerate(text):
                    _write(pen, left, top - self.size - 1 - number * leading, width, line, self.size, column.align, font, INK)
            pen.line([(x, top - height), (x + self.width, top - height)], RULE, 0.25)

        return Block(height, draw, keep, above)

    def blocks(self, rows: Iterable[Sequence[str]], title: tuple[Block, ...] = ()) -> list[Block]:
        """Return the header and all rows; `title` is repeated with the header on every sheet."""
        header = self.header()
        return [header, *(self.row(row, (*title, header)) for row in rows)]

    def _lefts(self, x: float) -> list[float]:
        lefts = [x]
        for width in self.widths[:-1]:
            lefts.append(lefts[-1] + width)
        return lefts


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: float, size: float = 7) -> list[Block]:
    """Return a whole table as blocks."""
    return Table.of(columns, rows, width, size).blocks(rows)


def _shared(needed: list[float], least: list[float], width: float) -> tuple[float, ...]:
    """Widths that fill `width`: nothing below its longest word while that goes, the rest by the length of the text."""
    spare = (width - sum(needed)) / len(needed)
    if spare >= 0:
        return tuple(need + spare for need in needed)
    # A single word that takes a third of the table may be broken.
    floor = [min(low, width / 3) for low in least]
    fixed: dict[int, float] = {}
    while True:
        long = [place for place in range(len(needed)) if place not in fixed]
        scale = max(width - sum(fixed.values()), 0) / max(sum(needed[place] for place in long), 1e-9)
        short = [place for place in long if needed[place] * scale < floor[place]]
        if not short:
            break
        fixed.update((place, floor[place]) for place in short)
    shared = [fixed.get(place, needed[place] * scale) for place in range(len(needed))]
    return tuple(part * width / sum(shared) for part in shared)


def _longest_word(text: str, size: float, font: str) -> float:
    return max(width_of(word, size, font) for word in printable(text).split(" "))


def _lines(text: str, width: float, size: float, font: str) -> list[str]:
    return wrapped(printable(text), width - 2 * _PAD, size, font) if text != TICK else [TICK]


def _write(pen: Pen, left: float, y: float, width: float, text: str, size: float, align: str, font: str, colour) -> None:
    if text == TICK:
        pen.box(left + width / 2 - size * 0.4, y - size * 0.08, size * 0.8, size * 0.8, stroke=INK, weight=0.5)
    elif text:
        x = {"left": left + _PAD, "right": left + width - _PAD, "centre": left + width / 2}[align]
        pen.text(x, y, text, size, font=font, colour=colour, align=align)
