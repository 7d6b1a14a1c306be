"""The contents page, and the index of cabinets."""

from __future__ import annotations

from collections.abc import Sequence

from planner.report._cabinets import Cabinet
from planner.report._figures import grouped
from planner.report._pdf.blocks import Block, heading, paragraph, sheets
from planner.report._pdf.ink import ACCENT, INK, RULE, Pen
from planner.report._pdf.letters import BOLD, printable, width_of
from planner.report._pdf.sheet import TEXT_WIDTH, Area, Mark, Sheet
from planner.report._pdf.table import Column, Table

_LEADING = 19.0


def contents_sheets(chapters: Sequence[Mark]) -> list[Sheet]:
    """Return the list of chapters with their pages."""

    def draw(pen: Pen, area: Area) -> None:
        pen.mark("contents", area.top + 6)
        pen.text(area.left, area.top - 15, "Contents", 15, font=BOLD, colour=ACCENT)
        y = area.top - 44
        for chapter in chapters:
            page = str(pen.page_of[chapter.key])
            title = printable(chapter.title)
            pen.text(area.left, y, title, 10, width=area.width - 60)
            pen.text(area.right, y, page, 10, align="right")
            start = area.left + min(width_of(title, 10), area.width - 60) + 6
            pen.line([(start, y + 1), (area.right - width_of(page, 10) - 6, y + 1)], RULE, 0.5, (0.8, 2.2))
            pen.link(area.left, y - 4, area.width, _LEADING - 3, chapter.key)
            y -= _LEADING

    return [Sheet("Contents", draw, marks=(Mark("contents", "Contents"),))]


def index_sheets(cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the index of cabinets: what each holds, and the pages of its elevation and its cables."""
    if not cabinets:
        return []
    columns = (
        Column("cabinet"), Column("row"), Column("routers", "right"), Column("endpoints", "right"), Column("units used", "right"),
        Column("power max. (kW)", "right"), Column("floor load (kg)", "right"), Column("cables listed", "right"),
        Column("elevation, page", "right"), Column("cables, page", "right"),
    )  # fmt: skip
    rows = [
        (
            cabinet.name, cabinet.row, grouped(cabinet.count("router")), grouped(cabinet.count("endpoint")),
            f"{cabinet.used_units} of {cabinet.units}", grouped(cabinet.power_max_mw / 1e6, 1), grouped(cabinet.total_g / 1000),
            grouped(cabinet.cables), "", "",
        )
        for cabinet in cabinets
    ]  # fmt: skip
    table = Table.of(columns, rows, TEXT_WIDTH, 7.5)
    header = table.header()
    text = "Cabinets in the order of their slots. A cable is listed once, under the cabinet of its first end."
    blocks = [heading("Cabinets", Mark("cabinets", "Index of cabinets")), paragraph(text, keep=True), header]
    for cabinet, row in zip(cabinets, rows, strict=True):
        blocks.append(_with_pages(table.row(row, (header,)), table, (f"elevation-{cabinet.number}", f"cables-{cabinet.number}")))
    return sheets("Index of cabinets", blocks)


def _with_pages(row: Block, table: Table, keys: tuple[str, str]) -> Block:
    """The row with page numbers in its last two columns; they are known only when everything has been laid out."""

    def draw(pen: Pen, x: float, top: float) -> None:
        row.draw(pen, x, top)
        right = x + table.width
        for key, width in zip(reversed(keys), reversed(table.widths), strict=False):
            if key in pen.page_of:
                pen.text(right - 3, top - table.size - 1, str(pen.page_of[key]), table.size, colour=ACCENT, align="right")
                pen.link(right - width, top - row.height, width, row.height, key)
            else:
                pen.text(right - 3, top - table.size - 1, "–", table.size, colour=INK, align="right")
            right -= width

    return Block(row.height, draw, row.keep, row.above)
