"""The table of contents, and the index of cabinets and routers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space, together
from planner.paper.canvas import ACCENT, MUTED, RULE, Pen
from planner.paper.fonts import BOLD, printable, width_of
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, Table, printed
from planner.view.cabinets import Cabinet
from planner.view.names import is_named
from planner.view.tables import tables_of

_LEADINGS = (16.0, 12.6)
_ACROSS = 4
_NAME_SHARE = 0.36


def contents_sheets(before: int, listed: Sequence[Sheet], note: str = "") -> list[Sheet]:
    """Return the list of chapters with their pages, and the index of all sheets with number, title and kind.

    Parameters
    ----------
    before
        Number of sheets before these.
    listed
        All sheets after these.
    """
    title = heading("Contents", Mark("contents", "Contents"))
    notes = [paragraph(note, keep=True)] if note else []
    marks = [mark for sheet in listed for mark in sheet.marks if mark.level == 0]

    def made(leading: float) -> list[Sheet]:
        blocks = [title, *notes, *(_entry(mark, leading) for mark in marks), space(10)]
        found = sheets("Contents", blocks)
        # The list of sheets takes sheets itself, which moves all others.
        while True:
            own = len(found)
            found = sheets("Contents", [*blocks, *_sheet_index(before, own, listed)])
            if len(found) == own:
                return found

    # Closer lines where they save a sheet.
    return [replace(sheet, kind="title") for sheet in min(map(made, _LEADINGS), key=len)]


def _sheet_index(before: int, own: int, listed: Sequence[Sheet]) -> list[Block]:
    """Return all sheets in columns: numbers, title and kind; consecutive sheets of one title share a line."""
    kinds = [*(("Cover", "title") for _ in range(before)), *(("Contents", "title") for _ in range(own))]
    # The drawings of a chapter have titles of their own.
    titles = [sheet.marks[0].title if sheet.kind == "drawing" and sheet.marks else sheet.title for sheet in listed]
    kinds += [(title, sheet.kind) for title, sheet in zip(titles, listed, strict=True)]
    lines: list[tuple[str, str, str]] = []
    first = 1
    for (title, kind), same in groupby(kinds):
        last = first + len(list(same)) - 1
        lines.append((f"{first}" if first == last else f"{first}–{last}", title, kind))
        first = last + 1
    text = "All sheets with their title and kind; read down the columns."
    return [heading("Sheets", size=11), paragraph(text, 7, keep=True), *_in_columns(lines)]


_IN_TWO = 60
"""Number of lines of the sheet index up to which it has two columns; longer ones have three."""


def _in_columns(lines: Sequence[tuple[str, str, str]]) -> list[Block]:
    """Return rows of two or three columns, filled downwards in portions of a sheet or less."""
    across = 2 if len(lines) <= _IN_TWO else 3
    depth = min(-(-len(lines) // across), 60)
    found: list[Block] = []
    for start in range(0, len(lines), across * depth):
        shown = lines[start : start + across * depth]
        own = -(-len(shown) // across)
        found += [_side_by_side(shown[row::own], across) for row in range(own)]
    return found


def _side_by_side(shown: Sequence[tuple[str, str, str]], across: int) -> Block:
    gap = 14.0
    width = (TEXT_WIDTH - (across - 1) * gap) / across

    def draw(pen: Pen, x: float, top: float) -> None:
        for place, (number, title, kind) in enumerate(shown):
            left = x + place * (width + gap)
            pen.text(left + 32, top - 7.5, number, 6.5, font=BOLD, align="right", width=32)
            pen.text(left + 37, top - 7.5, title, 6.5, width=width - 37 - 36)
            pen.text(left + width, top - 7.5, kind, 6, color=MUTED, align="right")
            pen.line([(left, top - 9.7), (left + width, top - 9.7)], RULE, 0.25)

    return Block(10.3, draw)


def _entry(chapter: Mark, leading: float) -> Block:
    title = printable(chapter.title)

    def draw(pen: Pen, x: float, top: float) -> None:
        page, y = pen.page(chapter.key), top - 12
        pen.text(x, y, title, 10, width=TEXT_WIDTH - 60)
        pen.text(x + TEXT_WIDTH, y, page, 10, align="right")
        start = x + min(width_of(title, 10), TEXT_WIDTH - 60) + 6
        pen.line([(start, y + 1), (x + TEXT_WIDTH - width_of(page, 10) - 6, y + 1)], RULE, 0.5, (0.8, 2.2))
        pen.link(x, y - 4, TEXT_WIDTH, leading - 3, chapter.key)

    return Block(leading, draw)


def index_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the index: the page of each cabinet, and of each router by its cabinet; of each device where networks have names."""
    if not cabinets:
        return []
    blocks = [heading("Index", Mark("index", "Index")), heading("Cabinets", size=11)]
    listed = cabinet_table(plan, cabinets, ("power_limit_mw", "floor_limit_g"))
    return sheets("Index", [*blocks, *listed, space(10), *_devices(cabinets, is_named(plan))])


def cabinet_table(plan: Plan, cabinets: Sequence[Cabinet], without: Sequence[str]) -> list[Block]:
    """Return the table of cabinets, without some columns, with the page of each."""
    columns, cells = printed(tables_of(plan)["cabinets"], cabinets, without=without)
    columns, rows = [*columns, Column("page", "right")], [(*row, "") for row in cells]
    table = Table.of(columns, rows, TEXT_WIDTH, 7)
    header = table.header()
    lines = [
        with_pages(table.row(row, (header,)), table, (f"cabinet-{cabinet.number}",))
        for cabinet, row in zip(cabinets, rows, strict=True)
    ]
    return [header, *together(lines)]


def with_pages(row: Block, table: Table, keys: Sequence[str]) -> Block:
    """Return the row with page numbers in its last columns; they are known only after layout."""

    def draw(pen: Pen, x: float, top: float) -> None:
        row.draw(pen, x, top)
        right = x + table.width
        for key, width in zip(reversed(keys), reversed(table.widths), strict=False):
            pen.text(right - 3, top - table.size - 1, pen.page(key), table.size, color=ACCENT, align="right")
            pen.link(right - width, top - row.height, width, row.height, key)
            right -= width

    return Block(row.height, draw, row.keep, row.above)


def _devices(cabinets: Sequence[Cabinet], named: bool) -> list[Block]:
    """Return the routers by number, several per line: name, cabinet and unit, page; all devices where they are `named`."""
    found = sorted(
        (box.device, box.name, cabinet, box.unit)
        for cabinet in cabinets
        for box in cabinet.boxes
        if named or box.kind == "router"
    )
    if not found:
        return []
    across = _ACROSS
    if named:
        longest = max(width_of(name, 6.5, BOLD) for _, name, *_ in found)
        across = max(1, min(_ACROSS, int(_NAME_SHARE * TEXT_WIDTH / (longest + 6))))
    depth = -(-len(found) // across) if len(found) < 240 else 60
    per_block = depth * across
    lines: list[Block] = []
    for start in range(0, len(found), per_block):
        shown = found[start : start + per_block]
        own = -(-len(shown) // across)
        lines += [_line(shown[row::own], across) for row in range(own)]
    what = "device" if named else "router"
    text = f"Each {what} with its cabinet, unit and page; read down the columns."
    return [heading(f"{what.capitalize()}s", size=11), paragraph(text, 7, keep=True), *lines]


def _line(shown: Sequence[tuple[int, str, Cabinet, int]], across: int) -> Block:
    gap = 12.0
    width = (TEXT_WIDTH - (across - 1) * gap) / across

    def draw(pen: Pen, x: float, top: float) -> None:
        for place, (_, name, cabinet, unit) in enumerate(shown):
            left = x + place * (width + gap)
            key = f"cabinet-{cabinet.number}"
            pen.text(left, top - 7.5, name, 6.5, font=BOLD, width=width * _NAME_SHARE)
            pen.text(left + width * 0.38, top - 7.5, f"{cabinet.name}, {unit}", 6.5, color=MUTED, width=width * 0.42)
            pen.text(left + width, top - 7.5, pen.page(key), 6.5, color=ACCENT, align="right")
            pen.line([(left, top - 9.7), (left + width, top - 9.7)], RULE, 0.25)
            pen.link(left, top - 10, width, 10, key)

    return Block(10.3, draw)
