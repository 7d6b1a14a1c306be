"""Cable schedule of a cabinet or a task: rows to tick off, in pulling order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.domain.model import Plan
from planner.paper.blocks import Block, space, together
from planner.paper.canvas import ACCENT, PAPER, Pen
from planner.paper.fonts import BOLD
from planner.paper.sheet import TEXT_WIDTH
from planner.paper.table import Table, printed
from planner.view.figures import grouped
from planner.view.pulling import pulling_rank
from planner.view.stages import stages_in_order
from planner.view.tables import tables_of

_SIZE = 6.0


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
        """Lay out the rows of these cables, int64 (N,), without the columns of these names."""
        columns, rows = printed(tables_of(plan)["cables"], tables_of(plan)["cables"].data(plan), chosen.tolist(), without)
        table = Table.of(columns, rows, TEXT_WIDTH, _SIZE)
        return cls(table, table.header(), dict(zip(chosen.tolist(), rows, strict=True)), pulling_rank(plan))

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


def stage_counts(plan: Plan, cables: np.ndarray, *, numbered: bool = False) -> str:
    """Return the number of these cables in each install stage, in the order of work; `numbered` adds the stage numbers."""
    counts = np.bincount(plan.cables.stage[cables], minlength=len(plan.cables.stage_names)).tolist()
    ordered = enumerate(stages_in_order(plan), 1)
    names = plan.cables.stage_names
    return ", ".join(
        f"{grouped(counts[stage])} {names[stage]}{f' ({place})' if numbered else ''}"
        for place, stage in ordered
        if stage < len(names) and counts[stage]
    )
