"""Moves of boxes to other units of their cabinet, and their savings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from planner.design.near_misses._boxes import Boxes
from planner.design.near_misses._cables import Cables


class Move(NamedTuple):
    """The move of a box to another unit, swapped with `partner` (-1: none), and its saving."""

    saving_cents: int
    box: int
    unit: int
    partner: int


class Cabinets:
    """The lots at the boxes of each cabinet, and the moves within it."""

    def __init__(self, boxes: Boxes, cables: Cables):
        self._boxes, self._cables = boxes, cables
        lots = cables.prices.lots
        lot_count = int(lots.of.max(initial=0)) + 1
        at = np.unique((cables.cabinet.ravel() * len(boxes.unit) + cables.box.ravel()) * lot_count + np.repeat(lots.of, 2))
        place, self._lot = np.divmod(at, lot_count)
        cabinet, self._box = np.divmod(place, len(boxes.unit))
        self._ends = np.searchsorted(cabinet, np.arange(boxes.cabinets + 1))

    def _entries(self, cabinet: int) -> slice:
        """Return the span of the pairs of a box of a cabinet and a lot with an end at it."""
        return slice(*self._ends[[cabinet, cabinet + 1]])

    def moves(self, cabinet: int, only: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the saving of every move inside a cabinet, in cents; those of other boxes than `only` are not complete.

        Returns
        -------
        free
            Saving of each box in each unit that is free for it, int64 (b, units + 1), 0 elsewhere.
        exchange
            Saving of the swap of each pair of boxes of one kind, int64 (b, b), 0 for other pairs.
        """
        boxes, here = self._boxes, self._boxes.of(cabinet)
        vacant = boxes.vacant(cabinet)
        price = self._unit_prices(cabinet, vacant.shape[1])
        at = boxes.unit[here]
        now = price[np.arange(len(here)), at]
        free = np.where(vacant, now[:, None] - price, 0)
        gain = now[:, None] - price[:, at]
        exchange = np.where(boxes.like(here[:, None], here), gain + gain.T, 0)
        np.fill_diagonal(exchange, 0)
        for a, b, saving in self._joined(cabinet, gain, only):
            exchange[a, b] = exchange[b, a] = saving
        return free, exchange

    def best(self, cabinet: int) -> Move | None:
        """Return the move inside a cabinet with the largest saving; None where none saves anything."""
        return self._best(cabinet, *self.moves(cabinet))

    def best_of(self, box: int) -> Move | None:
        """Return the move of one box with the largest saving; None where none saves anything."""
        cabinet = int(self._boxes.cabinet[box])
        free, exchange = self.moves(cabinet, box)
        others = self._boxes.of(cabinet) != box
        free[others], exchange[others] = 0, 0
        return self._best(cabinet, free, exchange)

    def _best(self, cabinet: int, free: np.ndarray, exchange: np.ndarray) -> Move | None:
        here = self._boxes.of(cabinet)
        a, unit = np.unravel_index(int(free.argmax()), free.shape)
        b, partner = np.unravel_index(int(exchange.argmax()), exchange.shape)
        if free[a, unit] > exchange[b, partner]:
            return Move(int(free[a, unit]), int(here[a]), int(unit), -1)
        if exchange[b, partner] > 0:
            return Move(int(exchange[b, partner]), int(here[b]), int(self._boxes.unit[here[partner]]), int(here[partner]))
        return None

    def apply(self, move: Move) -> set[int]:
        """Move the boxes, update the run lengths of their rows, and return the cabinets at the ends of these rows."""
        unit = self._boxes.unit
        if move.partner >= 0:
            unit[move.partner] = unit[move.box]
        unit[move.box] = move.unit
        rows = self._cables.rows_at(move.box, *([move.partner] if move.partner >= 0 else []))
        self._cables.refresh(rows)
        lots = np.unique(self._cables.prices.lots.of[rows])
        return set(self._cables.cabinet[self._cables.prices.lots.rows(lots)[0]].ravel().tolist())

    def _unit_prices(self, cabinet: int, units: int) -> np.ndarray:
        """Return the price of the lots of each box with the box in each unit and all others in place, int64 (b, units)."""
        cables, boxes, here = self._cables, self._boxes, self._boxes.of(cabinet)
        entries = self._entries(cabinet)
        price = np.zeros((len(here), units), np.int64)
        box = self._box[entries]
        if not len(box):
            return price
        row, start = cables.prices.lots.rows(self._lot[entries])
        mine = cables.box[row] == np.repeat(box, np.diff(np.append(start, len(row))))[:, None]
        side = mine[:, 1].astype(np.int64)
        pick, unit = np.arange(len(row)), boxes.unit[cables.box[row]]
        moving = np.where(mine.any(axis=1)[:, None], np.arange(units)[None, :], unit[pick, side][:, None])
        run = cables.runs(row, moving, unit[pick, 1 - side][:, None], side)
        np.add.at(price, np.searchsorted(here, box), cables.prices.of(row, start, run))
        return price

    def _joined(self, cabinet: int, gain: np.ndarray, only: int | None) -> Iterator[tuple[int, int, int]]:
        """Yield pairs of boxes of a cabinet that share lots, as positions in it, and the saving of their swap."""
        boxes, here, entries = self._boxes, self._boxes.of(cabinet), self._entries(cabinet)
        order = np.argsort(self._lot[entries], kind="stable")
        lot, box = self._lot[entries][order], self._box[entries][order]
        shared: dict[tuple[int, int], list[int]] = {}
        for number, group in _groups(lot, box):
            for a, b in combinations(group, 2):
                if only in (None, a, b) and boxes.like(a, b):
                    shared.setdefault((a, b), []).append(number)
        if not shared:
            return
        pairs = sorted(shared)
        single = self._cables.prices.lots.single(np.array([shared[pair][0] for pair in pairs]))
        simple = [pair for pair, one in zip(pairs, single.tolist(), strict=True) if one and len(shared[pair]) == 1]
        for (a, b), twice in zip(simple, self._twice([shared[pair][0] for pair in simple]), strict=True):
            i, j = np.searchsorted(here, [a, b]).tolist()
            yield i, j, int(gain[i, j] + gain[j, i] - twice)
        for a, b in sorted(set(pairs) - set(simple)):
            i, j = np.searchsorted(here, [a, b]).tolist()
            yield i, j, self._exchanged(a, b)

    def _twice(self, lots: list[int]) -> list[int]:
        """Return the spurious saving of two boxes on the one row that connects them, whose length a swap does not change.

        Moved alone, each box arrives in the unit of the other, so the row loses its length, and this counts twice.
        """
        if not lots:
            return []
        cables = self._cables
        row, start = cables.prices.lots.rows(np.array(lots))
        unit = self._boxes.unit[cables.box[row]]
        near = cables.runs(row, unit[:, 1:], unit[:, 1:], np.zeros(len(row), np.int64))
        price = cables.prices.of(row, start, np.column_stack([cables.run_mm[row], near[:, 0]]))
        return (2 * (price[:, 0] - price[:, 1])).tolist()

    def _exchanged(self, a: int, b: int) -> int:
        """Return the saving of the swap of two boxes, computed in full; nothing moves."""
        cables, unit = self._cables, self._boxes.unit
        rows = cables.rows_at(a, b)
        before, kept = cables.price(rows), cables.run_mm[rows].copy()
        unit[a], unit[b] = unit[b], unit[a]
        cables.refresh(rows)
        saving = before - cables.price(rows)
        unit[a], unit[b] = unit[b], unit[a]
        cables.run_mm[rows] = kept
        return saving


def _groups(lot: np.ndarray, box: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Yield each lot with its boxes, where there are several; `lot` is ascending."""
    start = np.flatnonzero(np.append(True, lot[1:] != lot[:-1])) if len(lot) else np.zeros(0, np.int64)
    end = np.append(start[1:], len(lot))
    for first, last in zip(start[end - start > 1].tolist(), end[end - start > 1].tolist(), strict=True):
        yield int(lot[first]), box[first:last].tolist()
