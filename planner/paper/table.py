"""Tables as blocks: column widths from the content, cells that wrap, headers on every sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from reportlab.lib.colors import Color

from planner.paper.blocks import Block, together
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, RULE, Pen
from planner.paper.fonts import BOLD, REGULAR, printable, width_of, wrapped
from planner.view import tables

_PAD = 3.0
_APART = 8.0
"""Space between a right-aligned column and a left-aligned one after it."""
_MIN_WIDTH = 24.0
_FOR_WORDS = 0.9
"""Share of the width for the longest words where not all fit; the rest goes to columns by the length of their text."""
TICK = "☐"
"""A cell with this text is a box to tick."""


@dataclass(frozen=True)
class Column:
    """A column's title, the alignment of its cells (``left``, ``right`` or ``center``), and whether its words stay whole."""

    title: str
    align: str = "left"
    firm: bool = False


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
        pads = [pad + _PAD for pad in _left_pads(columns)]
        minimum = [
            max(_longest_word(column.title, size, BOLD) + pad, _MIN_WIDTH) for column, pad in zip(columns, pads, strict=True)
        ]
        titles = [_two_lines(column.title, size) + pad for column, pad in zip(columns, pads, strict=True)]
        needed = minimum.copy()
        for font, lines in ((REGULAR, rows), (BOLD, totals)):
            for place, cells in enumerate(zip(*lines, strict=True)):
                for cell in set(cells):
                    natural = width_of(printable(cell), size, font) + pads[place]
                    needed[place] = max(needed[place], natural)
                    if natural > minimum[place]:
                        minimum[place] = max(minimum[place], _longest_word(cell, size, font) + pads[place])
        return cls(tuple(columns), _shared(needed, titles, _capped(minimum, columns, width), width), size)

    @property
    def width(self) -> float:
        return sum(self.widths)

    def header(self) -> Block:
        """Return the column titles, kept with the first row."""
        lines = self._broken([column.title for column in self.columns], BOLD)
        leading = self.size * 1.25
        height = max(map(len, lines)) * leading + 5

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - height, self.width, height, ACCENT_LIGHT)
            pen.line([(x, top - height), (x + self.width, top - height)], ACCENT, 0.7)
            # Titles are aligned at the bottom.
            for column, (left, right), text in zip(self.columns, self._edges(x), lines, strict=True):
                for number, line in enumerate(text):
                    y = top - height + 4 + (len(text) - 1 - number) * leading
                    _write(pen, left, right, y, line, self.size, column.align, BOLD, ACCENT)

        return Block(height, draw, keep=True)

    def row(self, cells: Sequence[str], above: tuple[Block, ...] = (), *, strong: bool = False, keep: bool = False) -> Block:
        """Return one row; `strong` rows carry totals."""
        font = BOLD if strong else REGULAR
        lines = self._broken(cells, font)
        leading = self.size * 1.25
        height = max(map(len, lines)) * leading + 3

        def draw(pen: Pen, x: float, top: float) -> None:
            if strong:
                pen.line([(x, top), (x + self.width, top)], MUTED, 0.6)
            for column, (left, right), text in zip(self.columns, self._edges(x), lines, strict=True):
                for number, line in enumerate(text):
                    _write(pen, left, right, top - self.size - 1 - number * leading, line, self.size, column.align, font, DARK)
            pen.line([(x, top - height), (x + self.width, top - height)], RULE, 0.25)

        return Block(height, draw, keep, above)

    def blocks(self, rows: Iterable[Sequence[str]], title: tuple[Block, ...] = ()) -> list[Block]:
        """Return the header and all rows; `title` is repeated with the header on every sheet."""
        header = self.header()
        return [header, *together([self.row(row, (*title, header)) for row in rows])]

    def _broken(self, cells: Sequence[str], font: str) -> list[tuple[str, ...]]:
        """Return the lines of each cell."""
        return [
            _lines(cell, width - pad - _PAD, self.size, font)
            for cell, width, pad in zip(cells, self.widths, self._pads, strict=True)
        ]

    @cached_property
    def _pads(self) -> list[float]:
        return _left_pads(self.columns)

    @cached_property
    def _edges_at(self) -> dict[float, list[tuple[float, float]]]:
        return {}

    def _edges(self, x: float) -> list[tuple[float, float]]:
        """Return where the text of each column begins and ends, in a table that begins at x."""
        if x not in self._edges_at:
            ends = list(accumulate(self.widths, initial=x))
            self._edges_at[x] = [(start + pad, end - _PAD) for start, end, pad in zip(ends, ends[1:], self._pads, strict=False)]
        return self._edges_at[x]


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: float, size: float = 7) -> list[Block]:
    """Return a whole table as blocks."""
    return Table.of(columns, rows, width, size).blocks(rows)


def printed(
    declared: tables.Table, data: Any, chosen: Sequence[int] | None = None, without: Sequence[str] = ()
) -> tuple[list[Column], list[tuple[str, ...]]]:
    """Return a table of the plan on paper: its columns, without those of some names, and the chosen rows, or all."""
    shown = [column for column in declared.on("paper") if column.name not in without]
    planned = [column for column in shown if not column.crew]
    cells = {
        column.name: list(map(column.printed, values if chosen is None else (values[row] for row in chosen)))
        for column, values in zip(planned, declared.cells(data, planned), strict=True)
    }
    count = len(next(iter(cells.values())))
    columns = [Column(column.title, column.align or ("right" if column.is_number else "left"), column.firm) for column in shown]
    return columns, list(zip(*(cells.get(column.name, [TICK] * count) for column in shown), strict=True))


def filled(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> tuple[list[Column], list[list[str]]]:
    """Return the columns and rows without columns that are empty in every row."""
    kept = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _shared(needed: list[float], titles: list[float], floor: list[float], width: float) -> tuple[float, ...]:
    """Return widths that fill `width`: each fits its longest word if possible, the rest is shared by length of text.

    Where all text has room in one line, titles get what two lines of them need, as far as that goes.
    """
    spare = width - sum(needed)
    if spare >= 0:
        wished = [max(title - need, 0) for title, need in zip(titles, needed, strict=True)]
        given = min(spare / max(sum(wished), 1e-9), 1)
        rest = max(spare - sum(wished), 0) / len(needed)
        return tuple(need + given * wish + rest for need, wish in zip(needed, wished, strict=True))
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


def _capped(minimum: list[float], columns: Sequence[Column], width: float) -> list[float]:
    """Return the widths of the longest words; where they take too much, the longest are broken, at one common width.

    Words of firm columns stay whole up to half of the width in all.
    """
    room, cap = width, width / 3
    firm = sum(low for low, column in zip(minimum, columns, strict=True) if column.firm)
    kept = [column.firm and firm <= width / 2 for column in columns]
    if sum(min(low, cap) for low in minimum) > width:
        room *= _FOR_WORDS
    room -= firm if any(kept) else 0
    others = sorted(low for low, whole in zip(minimum, kept, strict=True) if not whole)
    for place, low in enumerate(others):
        share = room / (len(others) - place)
        if low > share:
            cap = min(cap, share)
            break
        room -= low
    return [low if whole else min(low, cap) for low, whole in zip(minimum, kept, strict=True)]


def _left_pads(columns: Sequence[Column]) -> list[float]:
    return [
        _APART if column.align == "left" and before is not None and before.align == "right" else _PAD
        for before, column in zip((None, *columns), columns, strict=False)
    ]


def _two_lines(title: str, size: float) -> float:
    """Return the minimum width at which a title takes two lines."""
    words = printable(title).split(" ")
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))] or [(title, "")]
    return min(max(width_of(line, size, BOLD) for line in lines) for lines in breaks)


def _longest_word(text: str, size: float, font: str) -> float:
    return max(width_of(word, size, font) for word in printable(text).split(" "))


def _lines(text: str, width: float, size: float, font: str) -> tuple[str, ...]:
    return wrapped(printable(text), width, size, font) if text != TICK else (TICK,)


def _write(pen: Pen, left: float, right: float, y: float, text: str, size: float, align: str, font: str, color: Color) -> None:
    if text == TICK:
        pen.box((left + right) / 2 - size * 0.4, y - size * 0.08, size * 0.8, size * 0.8, stroke=DARK, weight=0.5)
    elif text:
        x = left if align == "left" else right if align == "right" else (left + right) / 2
        pen.text(x, y, text, size, font=font, color=color, align=align)
