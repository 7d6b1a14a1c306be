"""Blocks: strips of content, one below the other, that are broken into sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from reportlab.lib.pagesizes import A4

from planner.report._pdf.canvas import ACCENT, DARK, Pen
from planner.report._pdf.fonts import BOLD, printable, wrapped
from planner.report._pdf.sheet import TEXT_WIDTH, Area, Mark, Sheet


@dataclass(frozen=True)
class Block:
    """A strip of a sheet, as wide as the area.

    Attributes
    ----------
    height
        In points.
    draw
        Called with the pen, the left end and the top of the strip.
    keep
        Whether the next block must be on the same sheet.
    above
        Blocks to print first when this one comes first on a sheet: a table's header.
    mark
        Entry of the outline.
    """

    height: float
    draw: Callable[[Pen, float, float], None]
    keep: bool = False
    above: tuple[Block, ...] = field(default=(), repr=False)
    mark: Mark | None = None


def sheets(title: str, blocks: Iterable[Block], size: tuple[float, float] = A4) -> list[Sheet]:
    """Break blocks into sheets."""
    height = Area.of(size).height
    filled: list[list[list[Block]]] = []
    room = 0.0
    for group in _groups(blocks):
        needed = _height(group)
        if not filled or needed > room:
            filled.append([])
            # A sheet that begins in the middle of a table repeats what belongs above the row.
            room = height - _height(group[0].above)
        filled[-1].append(group)
        room -= needed
    if len(filled) > 1:
        _even_out(filled[-2], filled[-1])
    return [_sheet(title, [*content[0][0].above, *(block for group in content for block in group)], size) for content in filled]


_MIN_HEIGHT, _MAX_MOVED = 90.0, 150.0
"""A last sheet with less than this takes blocks from the sheet before it, up to this height."""


def _even_out(before: list[list[Block]], last: list[list[Block]]) -> None:
    while sum(map(_height, last)) < _MIN_HEIGHT and len(before) > 1 and _height(before[-1]) <= _MAX_MOVED:
        last.insert(0, before.pop())


def _height(blocks: Iterable[Block]) -> float:
    return sum(block.height for block in blocks)


def space(height: float) -> Block:
    """Return an empty strip."""
    return Block(height, lambda pen, x, top: None)


def heading(text: str, mark: Mark | None = None, size: float = 15) -> Block:
    """Return a heading that stays with what follows."""

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.text(x, top - size, text, size, font=BOLD, color=ACCENT, width=TEXT_WIDTH)

    return Block(size * 1.75, draw, keep=True, mark=mark)


def paragraph(text: str, size: float = 8.5, *, color=DARK, width: float | None = None, keep: bool = False) -> Block:
    """Return a text broken into lines."""
    lines = wrapped(printable(text), width or TEXT_WIDTH, size)
    leading = size * 1.45

    def draw(pen: Pen, x: float, top: float) -> None:
        for number, line in enumerate(lines):
            pen.text(x, top - size - number * leading, line, size, color=color)

    return Block(len(lines) * leading + size * 0.6, draw, keep)


_WHOLE = 6
"""Tables with up to this number of rows are not split."""


def together(rows: Sequence[Block]) -> list[Block]:
    """Return the rows of a table so that no single row is left at the end or the start of a sheet."""
    last = len(rows) - 1
    kept = set(range(last)) if last < _WHOLE else {0, last - 1}
    return [replace(row, keep=True) if place in kept else row for place, row in enumerate(rows)]


def _groups(blocks: Iterable[Block]) -> Iterable[list[Block]]:
    """Return blocks that must not be split."""
    group: list[Block] = []
    for block in blocks:
        group.append(block)
        if not block.keep:
            yield group
            group = []
    if group:
        yield group


def _sheet(title: str, blocks: list[Block], size: tuple[float, float]) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        top = area.top
        for block in blocks:
            if block.mark is not None:
                pen.mark(block.mark.key, top + 6)
            block.draw(pen, area.left, top)
            top -= block.height

    return Sheet(title, draw, size, tuple(block.mark for block in blocks if block.mark is not None))
