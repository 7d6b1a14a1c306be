"""Comparison as PDF: tables by subject, bar charts, Pareto fronts, and floors side by side at one scale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from reportlab.lib.pagesizes import A4, landscape

from planner.domain.model import Plan
from planner.paper.axes import draw_title, title_size
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, DARK, MUTED, Pen
from planner.paper.document import Document
from planner.paper.floor import picture
from planner.paper.fonts import BOLD, printable, width_of
from planner.paper.sheet import Area, Mark
from planner.paper.table import Column, table
from planner.studies.compare.entries import Entry
from planner.studies.compare.measures import Group, best, groups, summary
from planner.studies.compare.outputs._scatter import HEIGHT, draw, scatters
from planner.studies.compare.outputs.json import content
from planner.studies.compare.pareto import objectives
from planner.studies.compare.running import Result
from planner.studies.compare.table import introduction
from planner.view.cabinets import cabinets
from planner.view.figures import grouped

_PAPER = landscape(A4)
_WIDTH = Area.of(_PAPER).width
_GAP = 14.0
_FLOORS, _CHARTS, _BARS = 4, 3, 4
"""Number of charts side by side."""


def write(result: Result, path: Path) -> None:
    """Write the report; equal comparisons give equal bytes."""
    head = result.comparison.head
    text = json.dumps(content(result), sort_keys=True)
    stamp = hashlib.sha256(text.encode()).hexdigest()[:16]
    plan = Plan(head.name, head.title, {}, provenance={"plan": stamp})
    blocks = [
        heading(head.title, Mark("summary", "Summary")),
        paragraph(f"{introduction(result)}.", width=_WIDTH),
        *_summary(result),
    ]
    if result.done:
        blocks += [space(10), *_bars(result)]
        blocks += [space(10), heading("Pareto fronts", Mark("fronts", "Pareto fronts")), *_fronts(result)]
        for group in groups(result):
            blocks += [space(10), heading(group.title, Mark(group.title, group.title), size=11)]
            blocks += _table(result.done, group)
        blocks += [space(10), heading("Floors", Mark("floors", f"Floors: {result.room}")), *_floors(result)]
    pages = sheets("Comparison", [*blocks, *_meanings(result)], _PAPER)
    Document(pages, subject="Comparison of networks").save(plan, path, letter=False)


def _summary(result: Result) -> list[Block]:
    blocks = _table(result.done, summary(result)) if result.done else []
    missing = [[e.label, e.status, e.message.removeprefix(f"{e.label}: ")] for e in result.entries if not e.done]
    missing += [
        [e.label, "not simulated", f"{traffic} traffic, {routing} routing: {why}"]
        for e in result.done
        for (traffic, routing), why in e.left_out.items()
    ]
    missing += [[e.label, "no stages", e.no_growth] for e in result.done if e.no_growth]
    if missing:
        blocks += [space(10), heading("Missing results", size=11)]
        blocks += table([Column("network"), Column("status"), Column("reason")], missing, _WIDTH, 7)
    return blocks


def _table(entries: Sequence[Entry], group: Group) -> list[Block]:
    columns = [Column("network"), *(Column(measure.head, "right") for measure in group.measures)]
    columns += [Column(title) for title, _ in group.words]
    rows = [
        [entry.label, *(measure.text(entry) for measure in group.measures), *(of(entry) for _, of in group.words)]
        for entry in entries
    ]
    return table(columns, rows, _WIDTH, 7)


def _meanings(result: Result) -> Iterator[Block]:
    """Yield the meanings of columns and the objectives of the Pareto front."""
    yield space(10)
    yield heading("What the columns mean", Mark("meanings", "What the columns mean"), size=11)
    rows = [[group.title, measure.head, measure.meaning, measure.name] for group in groups(result) for measure in group.measures]
    yield from table([Column("subject"), Column("column"), Column("meaning"), Column("name in CSV and JSON")], rows, _WIDTH, 7)
    words = "; ".join(each.words for each in objectives(result))
    yield space(6)
    rule = "A network is dominated if another is at least as good in all of these and better in one"
    yield paragraph(f"Pareto front: {words}. {rule}.", width=_WIDTH)


# -- charts -------------------------------------------------------------------------------------


def _side_by_side(count: int, across: int, height: float, draw: Callable[..., None]) -> Iterator[Block]:
    """Yield rows of equal-sized drawings; `draw(pen, number, left, top, width)` draws one."""
    width = (_WIDTH - (across - 1) * _GAP) / across
    for first in range(0, count, across):

        def row(pen: Pen, x: float, top: float, first: int = first) -> None:
            for number in range(first, min(first + across, count)):
                draw(pen, number, x + (number - first) * (width + _GAP), top, width)

        yield Block(height, row)


def _bars(result: Result) -> Iterator[Block]:
    """Yield bar charts of the summary; the best figure is dark."""
    skipped = ("routers", "endpoints", "links")
    measures = [measure for measure in summary(result).measures if measure.name not in skipped]
    entries, line = result.done, 11.0
    label = max(width_of(printable(entry.label), 7) for entry in entries) + 6
    titles = [f"{each.head}{', lower is better' if each.better == 'lower' else ''}" for each in measures]

    def draw(pen: Pen, number: int, left: float, top: float, width: float) -> None:
        measure = measures[number]
        top_value = max((measure.value(entry) or 0 for entry in entries), default=0) or 1
        draw_title(pen, left, top, titles[number], width, title_size(titles, width))
        scale = (width - label - 36) / top_value
        for place, entry in enumerate(entries):
            y = top - 28 - place * line
            value = measure.value(entry)
            pen.text(left, y, entry.label, 7, width=label)
            if value is not None:
                dark = value == best(measure, entries)
                pen.box(left + label, y - 1.5, value * scale, line - 3, ACCENT if dark else ACCENT_LIGHT, DARK, weight=0.3)
            pen.text(left + label + (value or 0) * scale + 3, y, measure.text(entry), 6.5)

    yield from _side_by_side(len(measures), _BARS, 36 + line * len(entries), draw)


def _fronts(result: Result) -> Iterator[Block]:
    charts = scatters(result)
    if not charts:
        yield paragraph("Fewer than two networks can be compared.")
    yield from _side_by_side(
        len(charts), _CHARTS, HEIGHT, lambda pen, n, left, top, width: draw(pen, charts, n, left, top, width)
    )


def _floors(result: Result) -> Iterator[Block]:
    entries = [(entry, cabinets(entry.floor)) for entry in result.done]
    high = 205.0

    def draw(pen: Pen, number: int, left: float, top: float, width: float) -> None:
        entry, standing = entries[number]
        figures = entry.figures
        pen.text(left, top - 9, entry.label, 9, font=BOLD, width=width)
        lengths = f"{figures['stock_mm'] / 1e6:,.1f} km bought, longest {figures['longest_run_mm'] / 1e3:.1f} m"
        caption = f"{grouped(figures['cabinets'])} cabinets, {lengths}"
        pen.text(left, top - 19, caption, 6.5, color=MUTED, width=width)
        picture(pen, entry.floor, standing, left, top - high, width, high - 26)

    yield from _side_by_side(len(entries), _FLOORS, high + 10, draw)
    yield paragraph("All floors at one scale. Darker cabinets are fuller; the line marks the front.", width=_WIDTH)
