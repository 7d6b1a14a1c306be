"""Parallel queues of known capacity in place of a network, to try how runs are judged."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from planner.kernels.packet import records
from planner.simulation import drift
from planner.simulation.books import Books
from planner.simulation.drift import Verdict
from planner.simulation.observation import decided

PACKET_CYCLES = 16
"""Mean cycles in which a queue serves a packet."""


class Queues:
    """Queues with Bernoulli arrivals, each with its own server: what `Books` needs of a run."""

    def __init__(self, count: int, load: float, seed: int, *, geometric: bool = False):
        self.now, self._load, self._geometric = 0, load, geometric
        self._random = np.random.default_rng(seed)
        self._length, self._created = np.zeros(count, np.int64), 0
        self._phase = np.arange(count) % PACKET_CYCLES

    @property
    def engine(self) -> SimpleNamespace:
        """Counters as those of the packet engine."""
        injected = self._created - int(self._length.sum())
        return SimpleNamespace(tally=[SimpleNamespace(injected=injected, packets=0, delay=0)])

    def waiting(self) -> np.ndarray:
        """Return the packets in each queue."""
        return self._length.copy()

    def queued(self) -> int:
        """Return the packets that wait elsewhere."""
        return 0

    def until(self, end: int, tick: object = None) -> int:
        """Run to a cycle."""
        shape = end - self.now, len(self._length)
        came = self._random.random(shape) < self._load / PACKET_CYCLES
        cycles = np.arange(self.now, end)[:, None]
        served = (
            self._random.random(shape) < 1 / PACKET_CYCLES if self._geometric else (cycles + self._phase) % PACKET_CYCLES == 0
        )
        free = self._length + np.cumsum(came.astype(np.int64) - served, axis=0)
        self._length = free[-1] - np.minimum(free.min(axis=0), 0)
        self._created += int(came.sum())
        self.now = end
        return records.FINE


def judged(queues: Queues, rate: np.ndarray, max_cycles: int, filling: int) -> Verdict:
    """Run queues until it is decided whether their backlog drifts, as `planner.simulation.observation.decide` does a load.

    Parameters
    ----------
    rate
        Packets per cycle of each queue.
    filling
        Largest zero-load delay of a network in their place, cycles.
    """
    queues.until(filling)
    books = Books(queues)  # type: ignore[arg-type]
    books.advance(3 * filling, 100, lambda now: None)

    def judge(books: Books) -> Verdict:
        return drift.verdict(books.window(), rate, known=True, settled=2 * filling)

    return decided(books, judge, judge(books), max_cycles, lambda now: None)
