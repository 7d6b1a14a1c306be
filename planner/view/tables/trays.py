"""The tray segments and their fill."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from planner.core.units import amount
from planner.domain.model import MEDIUM_CLASSES, CablePlan, Plan, Room
from planner.domain.quantities import tray_fill
from planner.view.tables.table import EVERYWHERE, FILE_AND_PAGE, REMARK, Column, Table, installed

_CARRIES = np.array(["", *MEDIUM_CLASSES, "both"])


class Segments:
    """The tray segments of a plan with cables."""

    def __init__(self, plan: Plan, room: Room, cables: CablePlan):
        self.plan, self.room, self.cables = plan, room, cables

    @property
    def numbers(self) -> range:
        return range(1, len(self.room.segments) + 1)

    @cached_property
    def corners(self) -> np.ndarray:
        """Both ends of each segment, int (K, 2, 3)."""
        return self.room.node_xyz[self.room.segments]

    def through(self) -> np.ndarray:
        """Return the number of cables in each segment, int64 (K,)."""
        cables = self.cables
        own = np.bincount(cables.route[cables.route >= 0], minlength=len(cables.route_indptr) - 1)
        weights = np.repeat(own, np.diff(cables.route_indptr))
        return np.bincount(cables.route_segments, weights=weights, minlength=len(self.room.segments)).astype(int)

    def limited(self, values: np.ndarray) -> list[float | None]:
        """Return values with None for segments without a limit."""
        return [value if limit else None for value, limit in zip(values.tolist(), self.room.segment_mm2.tolist(), strict=True)]

    @cached_property
    def percent(self) -> np.ndarray:
        return 100 * tray_fill(self.plan)

    def plan_corner(self, end: int) -> list[str]:
        """Return the position of one end on the floor."""
        return [f"{amount(x, 'mm', 2)}, {amount(y, 'mm', 2)}" for x, y in self.corners[:, end, :2].tolist()]


def _data(plan: Plan) -> Segments | None:
    return Segments(plan, plan.room, plan.cables) if plan.cables is not None and plan.room is not None else None


def _position(end: int, axis: int) -> Callable[[Segments], np.ndarray]:
    return lambda segments: segments.corners[:, end, axis]


def _corner(end: int) -> tuple[Column, ...]:
    letter, word = "ab"[end], ("first", "second")[end]
    return tuple(
        Column(f"{letter}_{axis}_mm", f"{word} end: {axis}", "position in the room", _position(end, at), "whole", "mm")
        for at, axis in enumerate("xyz")
    )  # fmt: skip


COLUMNS = (
    Column("segment", "segment", "number of the segment, from 1", lambda t: t.numbers, "whole", shown=FILE_AND_PAGE,
           link="segment"),
    Column("tray", "tray", "name of the tray", lambda t: np.array(t.room.tray_names)[t.room.segment_tray], shown=EVERYWHERE,
           width=18, link="tray", array="segment_tray"),
    Column("kind", "kind", "kind of tray", lambda t: np.array(t.room.tray_kinds)[t.room.segment_tray], shown=FILE_AND_PAGE,
           width=18),
    Column("carries", "carries", "copper, fiber or both", lambda t: _CARRIES[t.room.segment_carries]),
    *_corner(0),
    *_corner(1),
    Column("from", "from", "first end on the floor", lambda t: t.plan_corner(0), unit="mm", shown=("paper",), align="right"),
    Column("to", "to", "second end on the floor", lambda t: t.plan_corner(1), unit="mm", shown=("paper",), align="right"),
    Column("height_mm", "height", "height of the higher end", lambda t: t.corners[:, :, 2].max(axis=1), "whole", "mm",
           shown=("paper",)),
    Column("length_mm", "length", "length of the segment", lambda t: t.room.segment_mm, "whole", "mm", shown=EVERYWHERE),
    Column("cross_section_mm2", "cross section", "usable cross-section; empty without a limit",
           lambda t: t.limited(t.room.segment_mm2), "whole", "mm²", shown=FILE_AND_PAGE),
    Column("cables", "cables", "number of cables in the segment", Segments.through, "whole", shown=("file", "paper")),
    Column("fill_um2", "fill", "cross-section of its cables", lambda t: t.cables.fill_um2, "whole", "µm²",
           shown=("file", "paper"), short="filled"),
    Column("fill_percent", "fill", "share of the cross-section that is filled", lambda t: t.limited(t.percent), "number",
           "% of the cross-section", shown=FILE_AND_PAGE, decimals=2),
    Column("design_percent", "fill", "share of the design fill that is used",
           lambda t: t.limited(t.percent / t.room.design_fill), "number", "% of the design fill", shown=EVERYWHERE,
           decimals=2),
    installed(),
    REMARK,
)  # fmt: skip

TRAYS = Table("trays", "One row per tray segment.", _data, COLUMNS, keys=1)
