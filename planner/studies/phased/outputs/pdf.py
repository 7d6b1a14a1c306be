"""All phases for print: tables, the floor with the phase of each cabinet, and the windows of work of each step to tick off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from planner.core.units import stock_named
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.document import Document
from planner.paper.floor import scene_sheet
from planner.paper.revision import sign_off
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, Table
from planner.studies.phased.outputs._floor import floor
from planner.studies.phased.outputs._tables import TITLE, tables
from planner.studies.phased.outputs._windows import OUT, window_rows
from planner.studies.phased.plans import Phases
from planner.studies.phased.steps import PhaseStep
from planner.view.figures import grouped

FILE = "phases.pdf"

_HOW = (
    "Window 0 takes nothing out: its cables go to ports that are free. In each later window first take out its cables, then put "
    "in those that are listed after them; every installed router reaches every other while they are out. Start a window only "
    "when the one before it is complete and the links are up."
)
_SIGN = "The crew signs each window; the checker when the new plan is the one that is built."


def write(found: Phases, path: Path) -> None:
    """Write the sheets, with the title block of the last plan."""
    made: list[Sheet] = sheets(TITLE, _tables(found))
    made.append(scene_sheet(floor(found), f"{TITLE}: cabinets by phase", "floor", _phases(found), "a3"))
    for step in found.steps[1:]:
        if step.windows is not None:
            made += sheets(f"Windows to {step.name}", _windows(step))
    named = replace(found.plans[-1], name=found.name, title=found.title)
    Document(made, part="phases", subject=TITLE).save(named, path, letter=False)


def _phases(found: Phases) -> str:
    return ", ".join(f"phase {number}: {name}" for number, name in enumerate(found.names, 1))


def _tables(found: Phases) -> Iterator[Block]:
    yield heading(TITLE, Mark("phases", TITLE))
    yield paragraph(
        "All phases are planned at once. The plan of each phase is in the folder of its name, and keeps places, ports and routes "
        "for what comes later; the step to the next phase is in the folder of both names."
    )
    yield space(8)
    for each in tables(found):
        yield heading(each.title, Mark(each.key, each.title, 1), 11)
        columns = tuple(Column(name, "left" if not place else "right", not place) for place, name in enumerate(each.columns))
        yield from Table.of(columns, each.rows, TEXT_WIDTH, 8).blocks(each.rows)
        for note in each.notes:
            yield paragraph(note, 7.5)
        yield space(10)


def _windows(step: PhaseStep) -> Iterator[Block]:
    title = f"Windows of work to {step.name}"
    yield heading(title, Mark(f"windows-{step.name}", title))
    yield paragraph(_HOW)
    yield space(4)
    columns = (
        Column("", "center"), Column("action", firm=True), Column("cable", "right"), Column("from", firm=True), Column("port"),
        Column("to", firm=True), Column("port"), Column("part"), Column("length", "right"), Column("source"),
    )  # fmt: skip
    groups: dict[int, list[tuple[str, ...]]] = {}
    for window, action, cable, *ends, part, stock_mm, source in window_rows(step):
        a, b = (_place(ends[side : side + 4]) for side in (0, 4))
        own = (TICK, str(action), grouped(int(cable)), *a, *b, str(part), stock_named(int(stock_mm)), str(source))
        groups.setdefault(int(window), []).append(own)
    every = [row for rows in groups.values() for row in rows]
    if not every:
        yield paragraph("No link changes.")
        return
    made = Table.of(columns, every, TEXT_WIDTH, 6.5)
    for window, rows in groups.items():
        out = sum(row[1] == OUT for row in rows)
        up = grouped(int(step.windows.up[window])) if step.windows is not None else ""
        words = f"Window {window}: {grouped(out)} out, {grouped(len(rows) - out)} in; {up} links up while they are out"
        yield heading(words, size=10)
        yield from made.blocks(rows)
        yield space(8)
    yield heading("Sign-off", size=11)
    yield from sign_off(_SIGN, [*((f"window {window}", "") for window in list(groups)[:40]), ("checked", "")])


def _place(end: list[str | int]) -> tuple[str, str]:
    device, cabinet, unit, port = end
    return f"{device} {cabinet}{f' U{unit}' if int(unit) > 0 else ''}", str(port)
