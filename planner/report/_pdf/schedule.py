"""Cable schedule of a cabinet or a task: rows to tick off, in pulling order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.model import CablePlan, Plan
from planner.report._figures import SPACE, grouped, meters, trimmed
from planner.report._pdf.blocks import Block, space, together
from planner.report._pdf.canvas import ACCENT, PAPER, Pen
from planner.report._pdf.fonts import BOLD
from planner.report._pdf.sheet import TEXT_WIDTH
from planner.report._pdf.table import TICK, Column, Table
from planner.report._schedule import tray_names

_SIZE = 6.0
_COLUMNS = (
    Column("cable", "right"), Column("label, first end"), Column("label, second end"), Column("part"),
    Column("stock (m)", "right"), Column("run (m)", "right"), Column("trays on the route"), Column("bundle", "right"),
    Column("stage", "right"), Column("task", "right"), Column("done", "center"),
)  # fmt: skip


@dataclass(frozen=True)
class Schedule:
    """Rows of the chosen cables, with common column widths.

    Attributes
    ----------
    row
        The cells of each chosen cable, by its number.
    rank
        Rank of every cable in the pulling order, int64 (W,).
    """

    table: Table
    header: Block
    row: dict[int, tuple[str, ...]]
    rank: np.ndarray

    @classmethod
    def of(cls, plan: Plan, chosen: np.ndarray, without: Sequence[str] = ()) -> Schedule:
        """Lay out the rows of these cables, int64 (N,), without the columns of these titles."""
        rows = _rows(plan, chosen)
        kept = [place for place, column in enumerate(_COLUMNS) if column.title not in without]
        row = {number: tuple(cells[place] for place in kept) for number, cells in zip(chosen.tolist(), rows, strict=True)}
        table = Table.of([_COLUMNS[place] for place in kept], row.values(), TEXT_WIDTH, _SIZE)
        return cls(table, table.header(), row, pulling_rank(plan))

    def blocks(self, title: str, cables: np.ndarray, counts: str) -> list[Block]:
        """Return a heading, the header and the rows of cables, in pulling order."""
        above = (self._bar(f"{title}, continued", counts), self.header)
        return [space(5), self._bar(title, counts), self.header, *self._lines(cables, above)]

    def part(self, title: str, cables: np.ndarray, counts: str) -> list[Block]:
        """Return a heading and the rows of cables, in pulling order, below an existing header."""
        above = (self.header, self._bar(f"{title}, continued", counts))
        return [self._bar(title, counts, (self.header,)), *self._lines(cables, above)]

    def _lines(self, cables: np.ndarray, above: tuple[Block, ...]) -> list[Block]:
        ordered = cables[np.argsort(self.rank[cables], kind="stable")].tolist()
        return together([self.table.row(self.row[number], above) for number in ordered])

    def _bar(self, title: str, counts: str, above: tuple[Block, ...] = ()) -> Block:
        height, width = 15.0, self.table.width

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - height + 1, width, height - 1, ACCENT)
            pen.text(x + 5, top - 10.5, title, 8, font=BOLD, color=PAPER, width=width * 0.5)
            pen.text(x + width - 5, top - 10.5, counts, 7, color=PAPER, align="right", width=width * 0.46)

        return Block(height, draw, True, above)


def pulling_rank(plan: Plan) -> np.ndarray:
    """Return the rank of every cable in the pulling order, int64 (W,).

    This is the order of the work order; without one by install stage, longest tray routes first. Then from the top of the
    cabinet down, by port.
    """
    cables = plan.cables
    first = (plan.work.task,) if plan.work is not None else (-cables.tray_mm, cables.stage)
    order = np.lexsort((cables.port[:, 0], -cables.unit[:, 0], cables.cabinet[:, 0], *first))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def stage_counts(plan: Plan, cables: np.ndarray, *, numbered: bool = False) -> str:
    """Return the number of these cables in each install stage as text; `numbered` adds the stage numbers."""
    stages = np.bincount(plan.cables.stage[cables], minlength=len(plan.cables.stage_names)).tolist()
    named = enumerate(zip(stages, plan.cables.stage_names, strict=True), 1)
    return ", ".join(f"{grouped(n)} {name}{f' ({stage})' if numbered else ''}" for stage, (n, name) in named if n)


def _rows(plan: Plan, chosen: np.ndarray) -> list[tuple[str, ...]]:
    """Return the cells of the chosen cables."""
    cables = plan.cables
    trays = [route_text(names) for names in tray_names(plan)]
    parts = [_part(assembly) for assembly in cables.assemblies]
    columns: list[Sequence[str]] = [
        [grouped(number + 1) for number in chosen.tolist()],
        cables.label_a[chosen].tolist(),
        cables.label_b[chosen].tolist(),
        [parts[number] for number in cables.assembly[chosen].tolist()],
        _lengths(cables, chosen),
        [meters(length) for length in cables.run_mm[chosen].tolist()],
        [trays[route] if route >= 0 else "" for route in cables.route[chosen].tolist()],
        [str(bundle + 1) if bundle >= 0 else "" for bundle in cables.bundle[chosen].tolist()],
        [str(stage + 1) for stage in cables.stage[chosen].tolist()],
    ]
    columns.append([str(task + 1) for task in plan.work.task[chosen].tolist()] if plan.work is not None else [""] * len(chosen))
    return list(zip(*columns, [TICK] * len(chosen), strict=True))


def route_text(trays: Sequence[str]) -> str:
    """Return the trays of a route as text; lines break between trays where names are short."""
    return f"{SPACE}· ".join(name.replace(" ", SPACE) if len(name) < 20 else name for name in trays)


def _lengths(cables: CablePlan, chosen: np.ndarray) -> list[str]:
    """Return the stock lengths in m; for a cable over panels those of its two jumpers."""
    carried = cables.carried[chosen].tolist()
    legs = cables.leg_stock_mm[chosen].tolist()
    return [
        " | ".join(trimmed(part / 1000) for part in leg) if over else trimmed(length / 1000)
        for length, leg, over in zip(cables.stock_mm[chosen].tolist(), legs, carried, strict=True)
    ]


def _part(assembly) -> str:
    ends = " / ".join(part for part in (assembly.end_part, assembly.end_part_b) if part)
    return f"{assembly.length_part} + {ends}" if ends else assembly.length_part
