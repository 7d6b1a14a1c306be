"""What is left on paper: a list for each crew of the work order, in the order of work."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from reportlab.lib.pagesizes import A4, landscape

from planner.core import scratch
from planner.core.units import stock_named, using
from planner.domain.model import Plan
from planner.domain.model.project import units_of
from planner.install.site.board import Board
from planner.install.site.files import day_and_time
from planner.install.site.status import Status
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.document import Document
from planner.paper.sheet import Area, Mark
from planner.paper.table import Column, table

_SIZE = landscape(A4)
_COLUMNS = (
    Column("cable", "right", True), Column("stage"), Column("step"), Column("end A"), Column("label A"), Column("end B"),
    Column("label B"), Column("part"), Column("open"), Column("wrong or blocked"), Column("done"),
)  # fmt: skip


def pdf(board: Board, plan: Plan) -> bytes:
    """Return the list as PDF.

    Parameters
    ----------
    plan
        For the title block; `planner.fabric.baseline.Planned.titled`.
    """
    with using(units_of(plan.study)):
        made = sheets("Remaining cables", list(_blocks(board)), _SIZE)
        with scratch.folder() as folder:
            path = folder / "remaining.pdf"
            Document(made, part="remaining cables", subject="Remaining cables").save(plan, path, letter=False)
            return path.read_bytes()


def _blocks(board: Board) -> Iterator[Block]:
    left = sorted(board.remaining, key=lambda status: (status.crew, status.cable.task, status.cable.number))
    yield heading(f"Remaining cables: {len(left):,} of {len(board.statuses):,}", Mark("remaining", "Remaining cables"))
    yield paragraph(f"State of {day_and_time(board.journal.clock)} UTC. Open: ends whose plugs are not in.")
    width = Area.of(_SIZE).width
    for crew, own in groupby(left, key=lambda status: status.crew):
        for task, cables in groupby(own, key=lambda status: status.cable.task):
            yield space(6)
            words = [f"crew {crew}"] * bool(crew) + [f"task {task}"] * bool(task)
            yield heading(", ".join(words).capitalize() or "All crews", size=10)
            yield from table(_COLUMNS, [_row(status) for status in cables], width, 6.5)


def _row(status: Status) -> tuple[str, ...]:
    cable, row = status.cable, status.cable.rows[0]
    open_ends = " ".join(plug.end for plug, last in zip(cable.plugs, status.ends, strict=True) if last is None)
    faults = "; ".join([*status.wrong, *([f"blocked: {status.blocked}"] if status.blocked else [])])
    part = f"{row.part}, {stock_named(row.stock_mm, ' ')}"
    return (
        str(cable.number), cable.stage, status.step, str(row.a), row.a.label, str(row.b), row.b.label, part, open_ends,
        faults, "",
    )  # fmt: skip
