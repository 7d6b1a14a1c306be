"""Blocks: strips of content, one below the other, that are broken into sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4

from planner.paper.canvas import ACCENT, DARK, Pen
from planner.paper.fonts import BOLD, printable, wrapped
from planner.paper.sheet import TEXT_WIDTH, Area, Mark, Sheet


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


@dataclass(frozen=True)
class Chapter:
    """Blocks below each other under one title in the header, as `sheets` broke them."""

    title: str
    blocks: tuple[Block, ...]


def sheets(title: str, blocks: Iterable[Block], size: tuple[float, float] = A4) -> list[Sheet]:
    """Break blocks into sheets."""
    return _broken([Chapter(title, tuple(blocks))], size)


def flowing(made: Sequence[Sheet]) -> list[Sheet]:
    """Break the sheets of consecutive chapters again, so that each chapter begins on the last sheet of the one before it.

    It begins on a sheet of its own where less than its heading and a bit of what follows fits. Sheets that are not made of
    blocks, such as drawings, stay as they are.
    """
    found: list[Sheet] = []
    for size, group in groupby(made, key=lambda sheet: sheet.size if sheet.content is not None else None):
        run = list(group)
        if size is None:
            found += run
            continue
        kinds = {id(sheet.content): (sheet.content, sheet.kind) for sheet in run}
        broken = _broken([content for content, _ in kinds.values()], size)
        found += [replace(sheet, kind=kinds[id(sheet.content)][1]) for sheet in broken]
    return found


def _broken(chapters: Sequence[Chapter], size: tuple[float, float]) -> list[Sheet]:
    """Return the sheets of chapters, one after the other."""
    height = Area.of(size).height
    filled: list[list[list[Block]]] = []
    within: list[list[Chapter]] = []
    room = 0.0
    for chapter in chapters:
        starts = True
        for group in _groups(chapter.blocks):
            lead = [space(_BETWEEN)] if starts and filled else []
            needed = _height(group) + _height(lead)
            if not filled or max(needed, _MIN_START * starts) > room:
                filled.append([])
                within.append([])
                # A sheet that begins in the middle of a table repeats what belongs above the row.
                room = height - _height(group[0].above)
                lead, needed = [], _height(group)
            if within[-1][-1:] != [chapter]:
                within[-1].append(chapter)
            filled[-1].append([*lead, *group])
            room -= needed
            starts = False
    if len(filled) > 1 and within[-1][0] is within[-2][-1] and len(within[-1]) == 1:
        _even_out(filled[-2], filled[-1])
    return [
        _sheet(own, [*content[0][0].above, *(block for group in content for block in group)], size)
        for own, content in zip(within, filled, strict=True)
    ]


_BETWEEN = 22.0
"""Space between two chapters on one sheet."""

_MIN_START = 150.0
"""Minimum height that is left on a sheet where a chapter begins."""

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


def paragraph(text: str, size: float = 8.5, *, color: Color = DARK, width: float | None = None, keep: bool = False) -> Block:
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


def _sheet(chapters: Sequence[Chapter], blocks: list[Block], size: tuple[float, float]) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        top = area.top
        for block in blocks:
            if block.mark is not None:
                pen.mark(block.mark.key, top + 6)
            block.draw(pen, area.left, top)
            top -= block.height

    marks = tuple(block.mark for block in blocks if block.mark is not None)
    title = " · ".join(dict.fromkeys(chapter.title for chapter in chapters))
    return Sheet(title, draw, size, marks, content=chapters[0])
