"""A difference for print: change order, summary, bill, both floors, changes, work order to tick off, replacement sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.document import Document
from planner.paper.floor import scene_sheet
from planner.paper.revision import change_blocks, sign_off
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import TICK, Column, Table, filled, table
from planner.studies.diff.outputs._facts import (
    ASSUMED,
    TITLE,
    bill_rows,
    by_step,
    counts,
    facts,
    left_rows,
    number_of,
    place_of,
    reuse_rows,
)
from planner.studies.diff.outputs._floors import floors
from planner.studies.diff.outputs.order import order_sheets
from planner.studies.diff.outputs.replacement import replacement_sheets
from planner.studies.diff.result import Action, Comparison
from planner.view.figures import grouped

FILE = "difference.pdf"

_HOW = (
    "Work in the order of the steps, and within a step in the order of the list, from cabinet to cabinet. Read the label before "
    "you pull: it is the one in the list. Whatever leaves a port is unplugged before anything else comes into it. Numbers of "
    "cables are those of the old plan where a cable is unplugged or taken out, else those of the new plan."
)
_SIGN = "The crew signs when all boxes are ticked; the checker when the new plan is the one that is built."


def write(found: Comparison, path: Path) -> None:
    """Write the sheets, with the title block of the new plan."""
    made = [*order_sheets(found), *sheets(TITLE, _summary(found)), *_floors(found), *sheets("Changes", _changes(found))]
    made += [*_work(found), *replacement_sheets(found)]
    Document(made, part="changes", subject=TITLE).save(found.new.titled, path, letter=False)


def _summary(found: Comparison) -> Iterator[Block]:
    yield heading(TITLE, Mark("summary", TITLE))
    yield from table((Column("change", firm=True), Column("")), facts(found), TEXT_WIDTH, 8)
    yield space(10)
    yield from table(
        (Column("", firm=True), Column("devices", "right"), Column("cables", "right")), counts(found), TEXT_WIDTH * 0.45, 8
    )
    yield space(10)
    for note in found.notes:
        yield paragraph(f"Note: {note}.")
    if rows := bill_rows(found):
        yield heading("Bill of the change", Mark("bill", "Bill of the change", 1), 11)
        columns = (
            Column("category"), Column("item"), Column("quantity", "right"), Column("unit price", "right"),
            Column("price", "right"),
        )  # fmt: skip
        made = Table.of(columns, rows, TEXT_WIDTH, 7.5)
        yield from made.blocks(rows)
        yield paragraph(ASSUMED, 7.5)
    if left := left_rows(found):
        yield heading("Left over", Mark("left", "Left over", 1), 11)
        yield from table((Column("what"), Column("part"), Column("quantity", "right")), left, TEXT_WIDTH * 0.7, 7.5)
        yield space(8)


def _floors(found: Comparison) -> list[Sheet]:
    if found.found.is_empty:
        return []
    made = floors(found)
    return [
        scene_sheet(each.scene, f"{each.title}: {_room(each.scene.title)}", f"floor-{each.which}", _note(each.which), "a3")
        for each in made
    ]


def _room(title: str) -> str:
    return title.rpartition(", ")[2]


def _note(which: str) -> str:
    return "− in cabinets: devices that leave their place" if which == "old" else "+ in cabinets: devices that come to a place"


def _changes(found: Comparison) -> Iterator[Block]:
    yield from change_blocks(found.found, "Changed devices and cables")
    yield space(10)
    if used := reuse_rows(found):
        yield heading("Removed cables that serve as added ones", Mark("reuse", "Re-used cables", 1), 11)
        columns = (Column("removed", "right"), Column("cable"), Column("serves as", "right"), Column("between"))
        yield from table(columns, used, TEXT_WIDTH, 6.5)


# -- work order -----------------------------------------------------------------------------------


def _work(found: Comparison) -> list[Sheet]:
    """Return the steps, each with a table for each cabinet, and the boxes to sign."""
    if not found.actions:
        return []
    blocks: list[Block] = [heading("Work order", Mark("work", "Work order")), paragraph(_HOW), space(4)]
    first = 1
    for number, (step, title, own) in enumerate(by_step(found), 1):
        blocks += [heading(f"{number}. {title}", Mark(f"step-{step}", title, 1), 11), *_step(step, own, first), space(10)]
        first += len(own)
    blocks += [heading("Sign-off", size=11), *sign_off(_SIGN, [("crew", ""), ("checked", "")])]
    return sheets("Work order", blocks)


def _step(step: str, actions: Sequence[Action], first: int) -> Iterator[Block]:
    """Yield the tables of one step; columns that are empty in all of it are left out, and widths are the same in all."""
    columns = (
        Column("", "center"), Column("no.", "right"), Column("cabinet", firm=True), Column("unit"), Column("device"),
        Column("port"), Column("what"), Column("label", firm=True), Column("cable", "right"),
    )  # fmt: skip
    rows = [
        (TICK, grouped(number), each.cabinet, place_of(each), each.device, each.port, each.text, each.label, number_of(each.row))
        for number, each in enumerate(actions, first)
    ]
    shown, cells = filled(columns, rows)
    made = Table.of(shown, cells, TEXT_WIDTH, 6.5)
    header = made.header()
    yield header
    for _, group in groupby(zip(actions, cells, strict=True), key=lambda pair: pair[0].cabinet):
        own = list(group)
        for place, (_, row) in enumerate(own):
            yield made.row(row, (header,), keep=place == 0 and len(own) > 1)
        yield space(3)
