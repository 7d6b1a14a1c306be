"""The first sheet of the workbook: which plan it is, what each sheet holds, its units, and how to fill it in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from planner.core.units import system, unit
from planner.domain.model import Plan
from planner.view.figures import grouped, readable
from planner.view.project import project_of
from planner.view.rows import Sheet
from planner.view.selection import Selection

NAME = "start"

_TICKS = ("pulled", "plugged_a", "plugged_b", "tested")

_PROJECT = ("client", "project", "site", "drawing", "revision", "date", "drawn", "checked", "approved")

_UNITS = (("length", "mm"), ("diameter", "µm"), ("cross-section", "µm²"), ("power", "mW"), ("mass", "g"))
"""Kinds of quantities in the workbook."""

_FILLING = (
    "Yellow columns are for the crew; all other columns are the plan. Leave planned cells as they are.",
    "Sheet work: one row per cable, trunk and jumper in the order of work. Choose yes when it is pulled, when each end is "
    "plugged, and when it is tested; write your initials.",
    "Sheet cables: write the actual length in {length}, who installed the cable and when. Fill the columns 'as built' only where "
    "cabinet, device, port or label differ from the plan.",
    "Sheets of equipment: choose yes under installed; write serial numbers.",
    "Sort, filter and color as you like, and add columns to the right. Keep the hidden first row of each sheet: it names the "
    "columns for programs that read the workbook back.",
    "Some columns are closed at first: the plus above them shows the parts of a length, connectors and other details.",
)

_KEY_FIGURES = (
    ("cabinets", "cabinets"),
    ("cables", "cables"),
    ("stock length", "stock_mm"),
    ("power, typical", "power_typical_mw"),
    ("cost", "cost_cents"),
)


def write_guide(book: Any, plan: Plan, selection: Selection, sheets: Sequence[Sheet]) -> None:
    """Write the sheet; text of the plan stays text, and links lead to the sheets."""
    page = book.add_worksheet(NAME)
    title = book.add_format({"bold": True, "font_size": 16})
    heading = book.add_format({"bold": True, "font_size": 12, "bottom": 1})
    text = book.add_format({"text_wrap": True, "valign": "top"})
    name = book.add_format({"valign": "top", "bold": True})
    link = book.add_format({"valign": "top", "font_color": "#0B5394", "underline": 1})
    number = book.add_format({"valign": "top", "num_format": "#,##0", "align": "left"})
    page.hide_gridlines(2)
    page.set_column(0, 0, 22)
    page.set_column(1, 1, 14)
    page.set_column(2, 2, 92)
    page.set_portrait()
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.write_string(0, 0, plan.title or plan.name or "Plan", title)
    line = 2
    for what, value in _facts(plan, selection):
        page.write_string(line, 0, what, name)
        page.write_string(line, 1, value)
        line += 1
    line = _heading(page, line + 1, "Sheets", "rows", heading, "what a row is")
    for sheet in sheets:
        page.write_url(line, 0, f"internal:'{sheet.table.name}'!A3", link, sheet.table.name)
        page.write_number(line, 1, len(sheet.rows), number)
        page.write_string(line, 2, sheet.table.meaning, text)
        line += 1
    if ticks := list(_progress(sheets)):
        line = _heading(page, line + 1, "Progress", "done", heading)
        for what, formula, of in ticks:
            page.write_string(line, 0, what, name)
            page.write_formula(line, 1, formula, number, 0)
            page.write_string(line, 2, of)
            line += 1
    line = _heading(page, line + 1, "Filling it in", "", heading)
    for count, rule in enumerate((rule.format(length="feet" if system().feet else "meters") for rule in _FILLING), 1):
        page.write_string(line, 0, f"{count}", name)
        page.merge_range(line, 1, line, 2, rule, text)
        page.set_row(line, 15.5 * -(-len(rule) // 104))
        line += 1
    line = _heading(page, line + 1, "Units", "unit", heading)
    currency = [("price", plan.bill.currency)] if plan.bill is not None else []
    for what, name_of in (*((what, unit(kind).name) for what, kind in _UNITS), ("time", "ns for delays"), *currency):
        page.write_string(line, 0, what, name)
        page.write_string(line, 1, name_of)
        line += 1
    page.write_string(line, 0, "other", name)
    page.write_string(line, 1, "stated in the heading of the column, or in a column of its own")


def _heading(page: Any, line: int, first: str, second: str, look: Any, third: str = "") -> int:
    for place, word in enumerate((first, second, third)):
        page.write_string(line, place, word, look)
    return line + 1


def _facts(plan: Plan, selection: Selection) -> Iterator[tuple[str, str]]:
    yield "plan", plan.name
    if (project := project_of(plan)) is not None:
        yield from ((name, text) for name in _PROJECT if (text := project.text(name)))
    if not selection.is_whole:
        yield "part", f"{selection}; the workbook has only this part"
    fingerprint = str(plan.provenance.get("plan", ""))
    yield "fingerprint", fingerprint[:16] or "none"
    yield "made by", f"Planner {plan.provenance.get('planner', '')}".strip()
    for what, quantity in _KEY_FIGURES:
        if figure := readable(quantity, plan):
            yield what, figure
    if plan.work is not None:
        work = plan.work
        crews = f"{work.crews} crew{'s' * (work.crews > 1)} of {work.workers}"
        yield "work order", f"{work.task_count:,} tasks, {crews}, {grouped(work.makespan_s / 3600, 1)} h"


def _progress(sheets: Sequence[Sheet]) -> Iterator[tuple[str, str, str]]:
    """Yield the ticks of the crew: what, a formula that counts them, and the number of cables."""
    for sheet in sheets:
        if sheet.table.name != "work" or not sheet.rows:
            continue
        names = [column.name for column in sheet.table.on("file")]
        for tick in _TICKS:
            column = _letter(names.index(tick))
            heading = sheet.table.on("file")[names.index(tick)].heading
            yield (
                heading,
                f'=COUNTIF(work!${column}$3:${column}${2 + len(sheet.rows)},"yes")',
                f"of {len(sheet.rows):,} rows of the sheet work",
            )


def _letter(place: int) -> str:
    """Return the name of one of the first 702 columns.

    >>> _letter(0), _letter(27)
    ('A', 'AB')
    """
    high, low = divmod(place, 26)
    return (chr(64 + high) if high else "") + chr(65 + low)
