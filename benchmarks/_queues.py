"""Parallel queues of known capacity in place of a network, to try how runs are judged."""

from __future__ import annotations

import numba
import numpy as np

from planner.kernels.packet import records
from planner.simulation import drift
from planner.simulation.books import Books
from planner.simulation.drift import Verdict
from planner.simulation.observation import decided

PACKET_CYCLES = 16
"""Mean cycles in which a queue serves a packet."""


class Queues:
    """Queues with Bernoulli arrivals, each with its own server: what `Books` needs of a run.

    Parameters
    ----------
    loads
        Load of each queue as a ratio to its capacity, float64 (H,).
    """

    def __init__(self, loads: np.ndarray, seed: int, *, geometric: bool = False):
        self.now, self.window, self._geometric = 0, 1, geometric
        self.rates = loads / PACKET_CYCLES
        self._state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        self._length, self._created = np.zeros(len(loads), np.int64), 0

    def total(self, counter: str) -> int:
        """Return a counter as that of the packet engine: packets injected; nothing else counts."""
        return self._created - int(self._length.sum()) if counter == "injected" else 0

    def waiting(self) -> np.ndarray:
        """Return the packets in each queue."""
        return self._length.copy()

    def queued(self) -> int:
        """Return the packets that wait elsewhere."""
        return 0

    def until(self, end: int, tick: object = None) -> int:
        """Run to a cycle."""
        self._created += _run(self._length, self._state, self.rates, self._geometric, self.now, end)
        self.now = end
        return records.FINE


@numba.njit
def _run(length, state, rates, geometric, now, end):
    """Run queues from cycle `now` to `end`; return the packets created."""
    created = 0
    for cycle in range(now, end):
        for queue in range(len(length)):
            # In constant time every queue has its own turn.
            served = _chance(state) * PACKET_CYCLES < 1 if geometric else (cycle + queue) % PACKET_CYCLES == 0
            came = _chance(state) < rates[queue]
            created += came
            length[queue] = max(0, length[queue] + came - served)
    return created


@numba.njit
def _chance(state):
    """Return a random number in [0, 1) (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


def judged(queues: Queues, max_cycles: int, filling: int) -> Verdict:
    """Run queues until it is decided whether their backlog drifts, as `planner.simulation.observation.decide` does a load.

    Unlike those of small networks, runs begin with twice the cycles until a network is filled, however few packets these create.

    Parameters
    ----------
    filling
        Largest zero-load delay of a network in their place, cycles.
    """
    queues.until(2 * filling)
    books = Books(queues)  # type: ignore[arg-type]
    books.advance(2 * filling, 100, lambda now: None)

    def judge(books: Books) -> Verdict:
        return drift.verdict(books.window(), queues.rates, known=True, settled=2 * filling)

    return decided(books, judge, judge(books), max_cycles, lambda now: None)
