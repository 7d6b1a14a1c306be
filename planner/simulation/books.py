"""Counters of a run over time: packets created, delivered, and waiting in queues or at sources."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.kernels.packet import records
from planner.simulation.drift import Window
from planner.simulation.engine import Run

WINDOW = 120
"""Number of batches by which the backlog is judged; those of a part of the run are fewer."""


class Books:
    """Counters of a run from the current cycle on.

    Attributes
    ----------
    run
        The run.
    start
        Cycle from which on the backlog is counted.
    measured
        Cycle from which on the run is measured.
    """

    def __init__(self, run: Run):
        self.run, self.start, self.measured = run, run.now, run.now
        self._waiting = run.waiting()
        self._rows = [self._state(self._waiting)]
        self._last, self._first_measured = self._waiting, 0

    def measure(self) -> None:
        """Reset the measures of the run; the backlog is counted on."""
        self.run.clear()
        self.measured, self._first_measured = self.run.now, len(self._rows) - 1
        self._rows[-1] = self._state(self._last)

    def advance(self, cycles: int, intervals: int, tick: Callable[[int], None]) -> int:
        """Run `cycles` cycles, with counters after each of some equal intervals, of whole windows; return the status."""
        run = self.run
        ends = run.now + np.arange(1, intervals + 1) * cycles // intervals
        ends[:-1] -= ends[:-1] % run.window
        for end in np.unique(ends[ends > run.now]).tolist():
            status = run.until(end, tick)
            self._last = run.waiting()
            self._rows.append(self._state(self._last))
            if status != records.FINE:
                return status
        return records.FINE

    def series(self) -> np.ndarray:
        """Return cycles, packets delivered, sum of delays, packets created and growth of those waiting: int64 (B, 5).

        They begin where the run is measured.
        """
        return np.diff(np.array(self._rows[self._first_measured :]), axis=0)

    def window(self) -> Window:
        """Return the counters that decide whether the backlog drifts, in at most `WINDOW` nearly equal batches."""
        rows = np.array(self._rows)
        ends = np.linspace(self.start, self.run.now, min(WINDOW, len(rows) - 1) + 1)
        rows = rows[np.unique(np.searchsorted(rows[:, 0], np.floor(ends)))]
        lengths, _, _, created, growth = np.diff(rows, axis=0).T
        return Window(self.start, lengths, created, growth, int(rows[0, 3]), int(rows[-1, 4]), self._last - self._waiting)

    def _state(self, at_sources: np.ndarray) -> np.ndarray:
        """Return the cycle, packets delivered while measuring, the sum of their delays, packets created and packets waiting."""
        run, waiting = self.run, int(at_sources.sum())
        created = run.total("injected") + waiting
        return np.array([run.now, run.total("packets"), run.total("delay"), created, waiting + run.queued()], np.int64)
