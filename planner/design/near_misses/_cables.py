"""Run lengths and prices of cables whose ends move."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from planner.design.near_misses._boxes import Boxes
from planner.design.near_misses._prices import Prices
from planner.domain.model import CablePlan, Placement
from planner.hall.floor import Lengths


class Cables:
    """The rows of a cable plan, with their prices when their ends move.

    Attributes
    ----------
    box, slot, cabinet
        Box, slot and cabinet at both ends of each row, int64 (W, 2).
    run_mm
        Current run length of each row with the minimum slack, int64 (W,).
    tray_mm, medium_class, set_by_hand
        Length along trays and medium class of each row, int64 (W,), and whether its length is set by hand, bool (W,).
    """

    def __init__(self, cables: CablePlan, placement: Placement, lengths: Lengths, boxes: Boxes, prices: Prices):
        self._cables, self._lengths, self._boxes, self.prices = cables, lengths, boxes, prices
        self.box = boxes.of_device[cables.device]
        self.cabinet = cables.cabinet.astype(np.int64)
        self.slot = placement.slot_of[cables.cabinet].astype(np.int64)
        self.run_mm = cables.minimum_run_mm
        self.tray_mm = cables.tray_mm.astype(np.int64)
        self.set_by_hand = cables.override_mm != 0
        self.medium_class = cables.medium_class
        end = np.argsort(self.box.ravel(), kind="stable")
        self._end_row, self._end_box = end // 2, self.box.ravel()[end]

    @cached_property
    def _by_cabinet(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows that leave each cabinet, ascending, and the start of each cabinet's, int64."""
        between = np.flatnonzero(self.cabinet[:, 0] != self.cabinet[:, 1])
        cabinet = self.cabinet[between].ravel()
        order = np.argsort(cabinet, kind="stable")
        return between[order // 2], np.searchsorted(cabinet[order], np.arange(self._boxes.cabinets + 1))

    @property
    def count(self) -> int:
        return len(self.run_mm)

    def rows_at(self, *boxes: int) -> np.ndarray:
        """Return the rows that end at some boxes, ascending, int64."""
        spans = (slice(*np.searchsorted(self._end_box, [box, box + 1])) for box in boxes)
        return np.unique(np.concatenate([self._end_row[span] for span in spans]))

    def runs(self, rows: np.ndarray, unit: np.ndarray, other: np.ndarray, side: np.ndarray) -> np.ndarray:
        """Return run lengths with one end of each row in other units, int64 (n, P); overridden run lengths stay.

        Parameters
        ----------
        unit, other
            Units of the end `side` of each row, and of its other end, int64 broadcast to (n, P).
        """
        units, rear = self._boxes.units[self.box[rows]], self._boxes.rear[self.box[rows]]
        pick = np.arange(len(rows))
        mine, theirs = units[pick, side][:, None], units[pick, 1 - side][:, None]
        slot = self.slot[rows]
        here, there = slot[pick, side][:, None], slot[pick, 1 - side][:, None]
        between, medium_class = slot[:, 0] != slot[:, 1], self.medium_class[rows]
        unit, other = np.broadcast_arrays(unit, other)
        run = np.zeros(unit.shape, np.int64)
        for number, rules in enumerate(self._lengths.by_medium_class):
            for far in (False, True):
                some = (medium_class == number) & (between == far)
                if not some.any():
                    continue
                if far:
                    drop = rules.drop_mm[self.slot[rows[some]], rear[some]].sum(axis=1, keepdims=True)
                    length = drop + self.tray_mm[rows[some], None]
                    length = length + rules.rise_mm(here[some], unit[some], mine[some])
                    length = length + rules.rise_mm(there[some], other[some], theirs[some])
                else:
                    across = (rear[some, 0] != rear[some, 1])[:, None]
                    length = rules.inside_mm(unit[some], mine[some], other[some], theirs[some], across)
                run[some] = length + rules.slack_mm(length, far)
        return np.where(self.set_by_hand[rows, None], self.run_mm[rows, None], run)

    def refresh(self, rows: np.ndarray) -> None:
        """Recompute the run lengths of some rows from the current units of their boxes."""
        self.run_mm[rows] = self.computed_mm(rows)

    def computed_mm(self, rows: np.ndarray) -> np.ndarray:
        """Return the run lengths of some rows from the current units of their boxes, int64 (n,)."""
        unit = self._boxes.unit[self.box[rows]]
        return self.runs(rows, unit[:, :1], unit[:, 1:], np.zeros(len(rows), np.int64))[:, 0]

    def saving_of_slot(self, cabinet: int, slot: int) -> int:
        """Return the saving of a cabinet's move to a free slot, in cents, over the shortest tray routes."""
        order, start = self._by_cabinet
        rows = order[start[cabinet] : start[cabinet + 1]]
        kept = self.slot[rows].copy(), self.tray_mm[rows].copy(), self.run_mm[rows].copy()
        before = self.price(rows)
        self.slot[rows] = np.where(self.cabinet[rows] == cabinet, slot, kept[0])
        for number, rules in enumerate(self._lengths.by_medium_class):
            mine = rows[self.medium_class[rows] == number]
            self.tray_mm[mine] = rules.distances.between_mm(self.slot[mine, 0], self.slot[mine, 1])
        self.refresh(rows)
        saving = before - self.price(rows)
        self.slot[rows], self.tray_mm[rows], self.run_mm[rows] = kept
        return saving

    def price(self, rows: np.ndarray) -> int:
        """Return the price of the lots of some rows, in cents."""
        rows, start = self.prices.lots.rows(np.unique(self.prices.lots.of[rows]))
        return int(self.prices.of(rows, start, self.run_mm[rows, None]).sum()) if len(rows) else 0
