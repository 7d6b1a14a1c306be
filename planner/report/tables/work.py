"""The cables in the order of pulling, for the crews to tick off."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.report._names import port_names
from planner.report._pulling import pulling_rank
from planner.report.tables.cables import Cables
from planner.report.tables.table import REMARK, Column, Table


class Pulls(Cables):
    """The cables of a plan, in the order of pulling."""

    @property
    def order(self) -> np.ndarray:
        """The cables in the order of pulling, by number from 0, int64 (W,)."""
        return np.argsort(pulling_rank(self.plan), kind="stable")

    def of(self, values: Any) -> np.ndarray:
        """Return values of all cables in the order of pulling."""
        return np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)[self.order]

    def of_task(self, name: str) -> list[int | None]:
        """Return a figure of the task of each cable; None without a work order."""
        work = self.plan.work
        if work is None:
            return [None] * self.cables.cable_count
        return getattr(work, name)[work.task[self.order]].tolist()

    def crews(self) -> list[int | None]:
        return [None if crew is None else crew + 1 for crew in self.of_task("crew")]

    def days(self) -> list[int | None]:
        """Return the working day on which the task of each cable starts, from 1."""
        starts = self.of_task("start_s")
        return [None if start is None else start // self.plan.work.shift_s + 1 for start in starts]

    def shared(self) -> list[int | None]:
        """Return the number of the first row of the same piece, for pieces of several rows."""
        _, first, piece, rows = np.unique(self.cables.piece, return_index=True, return_inverse=True, return_counts=True)
        numbers = [first + 1 if many > 1 else None for first, many in zip(first.tolist(), rows.tolist(), strict=True)]
        return [numbers[each] for each in piece.ravel()[self.order].tolist()]


def _end(side: int) -> tuple[Column, ...]:
    letter, word = "ab"[side], ("from", "to")[side]
    return (
        Column(f"{letter}_cabinet", f"{word}: cabinet", "name of the cabinet",
               lambda t: t.of(t.cabinet_names[t.cables.cabinet[:, side]])),
        Column(f"{letter}_unit", f"{word}: rack unit", "lowest rack unit of the device",
               lambda t: t.of(t.cables.unit[:, side]), "whole"),
        Column(f"{letter}_device", f"{word}: device", "name of the device",
               lambda t: t.of(t.device_names[t.cables.device[:, side]]), width=18),
        Column(f"{letter}_port_name", f"{word}: port", "port as printed on the device",
               lambda t: t.of(port_names(t.plan, side))),
    )  # fmt: skip


COLUMNS = (
    Column("order", "order", "position in the order of pulling, from 1", lambda t: t.numbers, "whole"),
    Column("task", "task", "number of the task of the work order, from 1", lambda t: t.of(t.tasks()), "whole"),
    Column("stage", "stage", "install stage", lambda t: t.of(np.array(t.cables.stage_names)[t.cables.stage]), width=18),
    Column("crew", "crew", "crew that does the task, from 1", Pulls.crews, "whole"),
    Column("day", "day", "working day on which the task starts, from 1", Pulls.days, "whole"),
    Column("cable", "cable", "number of the cable, as in the sheet cables", lambda t: t.of(np.array(t.numbers)), "whole"),
    Column("piece", "one piece with", "first cable of the same piece, such as a splitter; empty where it is one cable",
           Pulls.shared, "whole"),
    Column("network", "network", "network of the cable", lambda t: t.of(t.networks), named=True),
    *_end(0),
    *_end(1),
    Column("label_a", "label, from", "text of the label", lambda t: t.of(t.cables.label_a), width=22),
    Column("label_b", "label, to", "text of the label", lambda t: t.of(t.cables.label_b), width=22),
    Column("part", "part", "catalog row of the part with the length", lambda t: t.of(t.cables.of_assembly("length_part")),
           width=26),
    Column("stock_mm", "length to buy", "stock length; over panels the jumpers and their bundle",
           lambda t: t.of(t.cables.stock_mm), "whole", "mm"),
    Column("bundle", "bundle", "number of the loom, trunk or fiber, from 1; empty inside a cabinet",
           lambda t: t.of(t.bundles()), "whole"),
    Column("trays", "trays", "trays on the route, from → to", lambda t: t.of(t.trays(" > ".join)), width=34),
    Column("pulled", "pulled", "filled in by the crew: yes, or empty", content="tick"),
    Column("plugged_a", "plugged, from", "filled in by the crew: yes, or empty", content="tick"),
    Column("plugged_b", "plugged, to", "filled in by the crew: yes, or empty", content="tick"),
    Column("tested", "tested", "filled in by the crew: yes, or empty", content="tick"),
    Column("initials", "initials", "filled in by the crew: any text", content="note"),
    REMARK,
)  # fmt: skip

WORK = Table(
    "work", "One row per cable, in the order of pulling: what a crew installs, and ticks off.",
    lambda plan: Pulls(plan, plan.cables) if plan.cables is not None else None, COLUMNS, keys=1,
)  # fmt: skip
