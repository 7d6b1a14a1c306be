"""The books of a run, batch by batch: what was delivered, what was created, and what is in the network or waits for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.kernels.packet import records
from planner.simulation.drift import Window
from planner.simulation.engine import Run
from planner.simulation.statistics import BATCHES, regrouped

PARTS = 5 * BATCHES
"""Parts of a run whose backlog is noted: a multiple of its batches."""


class Books:
    """The batches of a run from now on."""

    def __init__(self, run: Run):
        self.run, self.start = run, run.now
        self._waiting = run.waiting()
        self._before = self._state(self._waiting)
        self._rows: list[np.ndarray] = []
        self._last = self._waiting

    def advance(self, cycles: int, tick: Callable[[int], None]) -> int:
        """Run some cycles in `PARTS` parts; return the status."""
        run = self.run
        ends = np.unique(run.now + np.arange(1, PARTS + 1) * cycles // PARTS)
        for end in ends[ends > run.now].tolist():
            status = run.until(end, tick)
            self._last = run.waiting()
            self._rows.append(self._state(self._last))
            if status != records.FINE:
                return status
        return records.FINE

    def series(self) -> np.ndarray:
        """Return of each batch its cycles, packets delivered, sum of delays, packets created and growth: int64 (B, 5)."""
        return np.diff(np.array([self._before, *self._rows], np.int64).reshape(-1, 5), axis=0)

    def window(self) -> Window:
        """Return what tells whether the backlog drifts."""
        lengths, _, _, created, growth = (regrouped(column, PARTS) for column in self.series().T)
        backlog = int([self._before, *self._rows][-1][4])
        return Window(self.start, lengths, created, growth, int(self._before[3]), backlog, self._last - self._waiting)

    def _state(self, waiting: np.ndarray) -> np.ndarray:
        """Return the cycle, packets delivered while measuring, their delays, packets created and the backlog."""
        tally = self.run.engine.tally[0]
        created = int(tally.injected) + int(waiting.sum())
        backlog = created - int(tally.delivered) - int(tally.dropped)
        return np.array([self.run.now, tally.packets, tally.delay, created, backlog], np.int64)
