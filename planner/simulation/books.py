"""Batch counters of a run: packets created, delivered, and in the backlog (in the network or waiting at sources)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.kernels.packet import records
from planner.simulation.drift import Window
from planner.simulation.engine import Run
from planner.simulation.statistics import BATCHES, regrouped

INTERVALS = 5 * BATCHES
"""Number of intervals at which the backlog is recorded: a multiple of the batches."""


class Books:
    """Batch counters of a run from the current cycle on."""

    def __init__(self, run: Run):
        self.run, self.start = run, run.now
        self._waiting = run.waiting()
        self._before = self._state(self._waiting)
        self._rows: list[np.ndarray] = []
        self._last = self._waiting

    def advance(self, cycles: int, tick: Callable[[int], None]) -> int:
        """Run `cycles` cycles in `INTERVALS` intervals; return the status."""
        run = self.run
        ends = np.unique(run.now + np.arange(1, INTERVALS + 1) * cycles // INTERVALS)
        for end in ends[ends > run.now].tolist():
            status = run.until(end, tick)
            self._last = run.waiting()
            self._rows.append(self._state(self._last))
            if status != records.FINE:
                return status
        return records.FINE

    def series(self) -> np.ndarray:
        """Return cycles, delivered packets, sum of delays, created packets and backlog growth per interval: int64 (B, 5)."""
        return np.diff(np.array([self._before, *self._rows], np.int64).reshape(-1, 5), axis=0)

    def window(self) -> Window:
        """Return the counters that decide whether the backlog drifts."""
        lengths, _, _, created, growth = (regrouped(column, INTERVALS) for column in self.series().T)
        backlog = int([self._before, *self._rows][-1][4])
        return Window(self.start, lengths, created, growth, int(self._before[3]), backlog, self._last - self._waiting)

    def _state(self, waiting: np.ndarray) -> np.ndarray:
        """Return the cycle, the packets delivered while measuring, the sum of their delays, packets created and the backlog."""
        tally = self.run.engine.tally[0]
        created = int(tally.injected) + int(waiting.sum())
        backlog = created - int(tally.delivered) - int(tally.dropped)
        return np.array([self.run.now, tally.packets, tally.delay, created, backlog], np.int64)
