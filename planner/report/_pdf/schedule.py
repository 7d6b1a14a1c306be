"""The cables of a cabinet or of a task, as rows to tick off in pulling order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.model import CablePlan, Plan
from planner.report._figures import grouped, metres, trimmed
from planner.report._pdf.blocks import Block, space
from planner.report._pdf.ink import ACCENT, PAPER, Pen
from planner.report._pdf.letters import BOLD
from planner.report._pdf.sheet import TEXT_WIDTH, Mark
from planner.report._pdf.table import TICK, Column, Table
from planner.report._schedule import tray_names

_SIZE = 6.0
_COLUMNS = (
    Column("cable", "right"), Column("label, first end"), Column("label, second end"), Column("part"),
    Column("stock (m)", "right"), Column("run (m)", "right"), Column("trays on the way"), Column("bundle", "right"),
    Column("stage", "right"), Column("task", "right"), Column("done", "centre"),
)  # fmt: skip


@dataclass(frozen=True)
class Schedule:
    """The rows of chosen cables in a table of common column widths.

    Attributes
    ----------
    row
        The cells of each chosen cable, by its number.
    rank
        Place of every cable in the pulling order, int64 (W,).
    """

    table: Table
    header: Block
    row: dict[int, tuple[str, ...]]
    rank: np.ndarray

    @classmethod
    def of(cls, plan: Plan, chosen: np.ndarray) -> Schedule:
        """Lay out the rows of these cables, int64 (N,)."""
        row = dict(zip(chosen.tolist(), _rows(plan, chosen), strict=True))
        columns = _COLUMNS if plan.work is not None else tuple(c for c in _COLUMNS if c.title != "task")
        table = Table.of(columns, row.values(), TEXT_WIDTH, _SIZE)
        return cls(table, table.header(), row, pulling_rank(plan))

    def blocks(self, title: str, cables: np.ndarray, counts: str, mark: Mark | None = None, link: str = "") -> list[Block]:
        """Return a heading and the rows of cables, in pulling order; the heading leads to the mark `link`."""
        again = self._bar(f"{title}, continued", counts, link)
        ordered = cables[np.argsort(self.rank[cables], kind="stable")].tolist()
        lines = [self.table.row(self.row[number], (again, self.header)) for number in ordered]
        # Neither a heading with a single row stands at the foot of a sheet, nor a single row at the top of the next.
        for near_the_end in {0, len(lines) - 2} - {-1, -2, len(lines) - 1}:
            lines[near_the_end] = replace(lines[near_the_end], keep=True)
        return [space(5), replace(self._bar(title, counts, link), mark=mark), self.header, *lines]

    def _bar(self, title: str, counts: str, link: str) -> Block:
        height, width = 15.0, self.table.width

        def draw(pen: Pen, x: float, top: float) -> None:
            pen.box(x, top - height + 1, width, height - 1, ACCENT)
            pen.text(x + 5, top - 10.5, title, 8, font=BOLD, colour=PAPER, width=width * 0.5)
            page = pen.page_of.get(link)
            place = f"{counts}; page {page}" if page is not None else counts
            pen.text(x + width - 5, top - 10.5, place, 7, colour=PAPER, align="right", width=width * 0.46)
            if page is not None:
                pen.link(x, top - height, width, height, link)

        return Block(height, draw, keep=True)


def pulling_rank(plan: Plan) -> np.ndarray:
    """Return the place of every cable in the pulling order, int64 (W,).

    That of the work order; without one by install stage, the longest ways on trays first. Then from the top of the
    cabinet down, by port.
    """
    cables = plan.cables
    first = (plan.work.task,) if plan.work is not None else (-cables.tray_mm, cables.stage)
    order = np.lexsort((cables.port[:, 0], -cables.unit[:, 0], cables.cabinet[:, 0], *first))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def stage_counts(plan: Plan, cables: np.ndarray) -> str:
    """Return how many of these cables belong to each install stage, in words."""
    stages = np.bincount(plan.cables.stage[cables], minlength=len(plan.cables.stage_names)).tolist()
    return ", ".join(f"{grouped(n)} {name}" for n, name in zip(stages, plan.cables.stage_names, strict=True) if n)


def _rows(plan: Plan, chosen: np.ndarray) -> list[tuple[str, ...]]:
    """The cells of chosen cables."""
    cables = plan.cables
    trays = [" · ".join(names) for names in tray_names(plan)]
    parts = [_part(assembly) for assembly in cables.assemblies]
    columns: list[Sequence[str]] = [
        [grouped(number + 1) for number in chosen.tolist()],
        cables.label_a[chosen].tolist(),
        cables.label_b[chosen].tolist(),
        [parts[number] for number in cables.assembly[chosen].tolist()],
        _lengths(cables, chosen),
        [metres(length) for length in cables.run_mm[chosen].tolist()],
        [trays[route] if route >= 0 else "" for route in cables.route[chosen].tolist()],
        [str(bundle + 1) if bundle >= 0 else "" for bundle in cables.bundle[chosen].tolist()],
        [str(stage + 1) for stage in cables.stage[chosen].tolist()],
    ]
    if plan.work is not None:
        columns.append([str(task + 1) for task in plan.work.task[chosen].tolist()])
    return list(zip(*columns, [TICK] * len(chosen), strict=True))


def _lengths(cables: CablePlan, chosen: np.ndarray) -> list[str]:
    """Length to buy in m; of a cable over panels those of its two jumpers."""
    carried = cables.carried[chosen].tolist()
    legs = cables.leg_stock_mm[chosen].tolist()
    return [
        " | ".join(trimmed(part / 1000) for part in leg) if over else trimmed(length / 1000)
        for length, leg, over in zip(cables.stock_mm[chosen].tolist(), legs, carried, strict=True)
    ]


def _part(assembly) -> str:
    ends = " / ".join(part for part in (assembly.end_part, assembly.end_part_b) if part)
    return f"{assembly.length_part} + {ends}" if ends else assembly.length_part
