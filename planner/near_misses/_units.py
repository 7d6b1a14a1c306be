"""Boxes that change units inside their cabinet: what each move saves, and all moves that save, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from planner.near_misses._boxes import Boxes
from planner.near_misses._cables import Cables


class Move(NamedTuple):
    """A box to another unit, in exchange with the box there, if any (-1: none), and what that saves."""

    saving_cents: int
    box: int
    unit: int
    partner: int


class Cabinets:
    """The rows at the boxes of each cabinet, and the moves within it."""

    def __init__(self, boxes: Boxes, cables: Cables):
        self._boxes, self._cables = boxes, cables
        row, side = np.divmod(np.arange(2 * cables.count), 2)
        box = cables.box[row, side]
        # Entries of one box and piece are neighbours: together they have one length.
        order = np.lexsort((cables.piece[row], box, cables.cabinet[row, side]))
        self._row, self._side, self._box = row[order], side[order], box[order]
        self._ends = np.searchsorted(cables.cabinet[row, side][order], np.arange(boxes.cabinets + 1))

    def _entries(self, cabinet: int) -> slice:
        return slice(*self._ends[[cabinet, cabinet + 1]])

    def moves(self, cabinet: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what every move inside a cabinet saves, in cents.

        Returns
        -------
        free
            Saving of each box in each unit that is free for it, int64 (b, units + 1), 0 elsewhere.
        exchange
            Saving of each pair of boxes of one kind that change places, int64 (b, b), 0 for other pairs.
        """
        boxes, here = self._boxes, self._boxes.of(cabinet)
        vacant = boxes.vacant(cabinet)
        worth = self._worth(cabinet, vacant.shape[1])
        at = boxes.unit[here]
        now = worth[np.arange(len(here)), at]
        free = np.where(vacant, now[:, None] - worth, 0)
        gain = now[:, None] - worth[:, at]
        exchange = np.where(boxes.like(here[:, None], here), gain + gain.T, 0)
        np.fill_diagonal(exchange, 0)
        for a, b, saving in self._joined(cabinet):
            exchange[a, b] = exchange[b, a] = saving
        return free, exchange

    def best(self, cabinet: int) -> Move | None:
        """Return the move inside a cabinet that saves most; None where none saves anything."""
        return self._best(cabinet, *self.moves(cabinet))

    def best_of(self, box: int) -> Move | None:
        """Return the move of one box that saves most; None where none saves anything."""
        cabinet = int(self._boxes.cabinet[box])
        free, exchange = self.moves(cabinet)
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
        """Move the boxes, bring the run lengths of their rows up to date, and return the cabinets that these rows join."""
        unit = self._boxes.unit
        if move.partner >= 0:
            unit[move.partner] = unit[move.box]
        unit[move.box] = move.unit
        entries = self._entries(int(self._boxes.cabinet[move.box]))
        moved = np.isin(self._box[entries], [move.box, move.partner])
        rows = np.unique(self._row[entries][moved])
        self._cables.refresh(rows)
        return set(self._cables.cabinet[rows].ravel().tolist())

    def _worth(self, cabinet: int, units: int) -> np.ndarray:
        """What the pieces of each box cost with the box in each unit and all others where they are, int64 (b, units)."""
        cables, boxes, here = self._cables, self._boxes, self._boxes.of(cabinet)
        entries = self._entries(cabinet)
        row, side, box = self._row[entries], self._side[entries], self._box[entries]
        worth = np.zeros((len(here), units), np.int64)
        if not len(row):
            return worth
        other = boxes.unit[cables.box[row, 1 - side]][:, None]
        run = cables.runs(row, np.arange(units)[None, :], other, side)
        piece = cables.piece[row]
        start = np.flatnonzero(np.append(True, (box[1:] != box[:-1]) | (piece[1:] != piece[:-1])))
        run = np.maximum.reduceat(run, start, axis=0)
        members = np.diff(np.append(start, len(row)))
        for group in np.flatnonzero(members < np.array([len(cables.rows_of_piece(q)) for q in piece[start].tolist()])).tolist():
            mine = row[start[group] : start[group] + members[group]]
            rest = np.setdiff1d(cables.rows_of_piece(int(piece[start[group]])), mine)
            run[group] = np.maximum(run[group], cables.run_mm[rest].max())
        price = cables.prices.of(row[start], run)
        np.add.at(worth, np.searchsorted(here, box[start]), price)
        return worth

    def _joined(self, cabinet: int) -> Iterator[tuple[int, int, int]]:
        """Yield pairs of boxes of a cabinet that share a piece, as positions in it, and what exchanging them saves."""
        cables, boxes, here = self._cables, self._boxes, self._boxes.of(cabinet)
        entries = self._entries(cabinet)
        row, box = self._row[entries], self._box[entries]
        piece = cables.piece[row]
        order = np.lexsort((box, piece))
        piece, box = piece[order], box[order]
        start = np.flatnonzero(np.append(True, piece[1:] != piece[:-1])) if len(piece) else []
        pairs = {
            (int(a), int(b))
            for group in np.split(box, start[1:])
            if len(group) > 1
            for a in set(group.tolist())
            for b in set(group.tolist())
            if a < b and boxes.like(a, b)
        }
        for a, b in sorted(pairs):
            yield int(np.searchsorted(here, a)), int(np.searchsorted(here, b)), self._exchanged(a, b, entries)

    def _exchanged(self, a: int, b: int, entries: slice) -> int:
        """What two boxes save by changing places, computed in full; nothing moves."""
        cables, unit = self._cables, self._boxes.unit
        rows = np.unique(self._row[entries][np.isin(self._box[entries], [a, b])])
        before, kept = cables.price(rows), cables.run_mm[rows].copy()
        unit[a], unit[b] = unit[b], unit[a]
        cables.refresh(rows)
        saving = before - cables.price(rows)
        unit[a], unit[b] = unit[b], unit[a]
        cables.run_mm[rows] = kept
        return saving
