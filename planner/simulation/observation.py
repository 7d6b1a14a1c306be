"""Runs of the engine, measured in batches until the requested precision is reached."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from planner.kernels.packet import records
from planner.progress import Progress
from planner.simulation import drift
from planner.simulation.case import Case, creation_rates, longest_delay
from planner.simulation.drift import DEADLOCKED, Verdict, Window
from planner.simulation.engine import Measures, Run
from planner.simulation.statistics import BATCHES, half_width, is_level, ratio_half_width, regrouped, truncation

INTERVALS = 5 * BATCHES
"""Number of intervals at which the waiting packets are counted: a multiple of the batches."""

MAX_CYCLES = 100_000
"""Default limit of warm-up cycles and of measured cycles."""

_WARMUP_BLOCKS = 40
"""Number of blocks of the minimum warm-up whose means decide whether the network has settled."""


class Books:
    """Batch counters of a run from the current cycle on: packets created, delivered, and waiting in queues or at sources."""

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
        """Return cycles, packets delivered, sum of delays, packets created and growth of those waiting: int64 (B, 5)."""
        return np.diff(np.array([self._before, *self._rows], np.int64).reshape(-1, 5), axis=0)

    def window(self) -> Window:
        """Return the counters that decide whether the backlog drifts."""
        lengths, _, _, created, growth = (regrouped(column, INTERVALS) for column in self.series().T)
        waiting = int([self._before, *self._rows][-1][4])
        return Window(self.start, lengths, created, growth, int(self._before[3]), waiting, self._last - self._waiting)

    def _state(self, at_sources: np.ndarray) -> np.ndarray:
        """Return the cycle, packets delivered while measuring, the sum of their delays, packets created and packets waiting."""
        tally, waiting = self.run.engine.tally[0], int(at_sources.sum())
        created = int(tally.injected) + waiting
        return np.array([self.run.now, tally.packets, tally.delay, created, waiting + self.run.queued()], np.int64)


@dataclass(frozen=True)
class Precision:
    """Stopping rule: relative half-width of the 95 % intervals of load and delay, and maximum cycles."""

    relative: float
    max_cycles: int


@dataclass(frozen=True)
class Observation:
    """Measures of one run, its length, and its batches."""

    measures: Measures
    warmup: int
    cycles: int
    lengths: np.ndarray
    """Cycles of each batch."""
    packets: np.ndarray
    """Packets delivered in each batch."""
    delays: np.ndarray
    """Sum of their delays, cycles."""
    verdict: Verdict
    """Whether the backlog drifts, from the run and its continuation."""
    accepted: float
    """Packets delivered per cycle at the end of the continuation."""
    filled: bool
    """Whether warm-up was at least twice the largest zero-load delay."""

    @property
    def saturated(self) -> bool:
        """Whether the backlog drifts, or the network is deadlocked."""
        return self.measures.deadlock >= 0 or self.verdict.drifts

    @property
    def settled(self) -> bool:
        """Whether the network was in steady state while measuring: filled, with a constant accepted load."""
        return self.filled and (self.measures.deadlock >= 0 or is_level(self.packets / self.lengths))

    @property
    def rate_error(self) -> float:
        """Half-width of the 95 % interval of the packets delivered per cycle."""
        return half_width(self.packets / self.lengths)

    @property
    def delay_error(self) -> float:
        """Half-width of the 95 % interval of the mean delay, cycles."""
        return ratio_half_width(self.delays, self.packets)

    def reaches(self, relative: float) -> bool:
        """Return whether the intervals of load and delay are narrow enough, relative to their means."""
        delivered, delay = self.packets.sum(), self.delays.sum()
        if len(self.packets) < 2 or not delivered:
            return False
        return bool(self.rate_error <= relative * delivered / self.cycles and self.delay_error <= relative * delay / delivered)


def observe(
    case: Case,
    load: float,
    seed: np.random.SeedSequence,
    tick: Callable[[int], None],
    precision: Precision | None = None,
    max_cycles: int = MAX_CYCLES,
) -> Observation:
    """Run one load.

    Without `precision` the run warms up for ``case.warmup`` cycles and measures ``case.cycles``. With it, warm-up continues
    until the mean delay has settled by `truncation`, at most ``max_cycles``, and measuring continues in steps of
    ``case.cycles`` while the intervals are too wide, the network is not saturated, and ``max_cycles`` is not exceeded. Then the
    run is continued to decide whether its backlog drifts; this does not change the measures.

    Parameters
    ----------
    tick
        Called with the current cycle from time to time.
    max_cycles
        Half of the cycles up to which a run is continued.
    """
    limit = case.cycles if precision is None else max(case.cycles, precision.max_cycles)
    # The histogram of delays has one bin per cycle of the run.
    run = Run(dataclasses.replace(case, warmup=case.warmup + limit, cycles=limit), load, seed)
    status = _warm_up(run, case.warmup, 0 if precision is None else limit, tick)
    run.clear()
    books, filled = Books(run), run.now >= _filling(case)
    while True:
        if status == records.FINE:
            status = books.advance(case.cycles, tick)
        cycles = max(1, run.now - books.start)
        measures, series = run.measures(status), books.series()
        verdict = _judge(case, load, books)
        lengths, packets, delays = (regrouped(column) for column in series[:, :3].T)
        accepted = measures.delivered / cycles
        seen = Observation(measures, books.start, cycles, lengths, packets, delays, verdict, accepted, filled)
        saturated = seen.saturated and verdict.final
        if precision is None or saturated or cycles + case.cycles > limit or seen.reaches(precision.relative):
            return _continued(seen, run, load, books, status, 2 * max_cycles, tick)


def _continued(
    seen: Observation, run: Run, load: float, books: Books, status: int, max_cycles: int, tick: Callable[[int], None]
) -> Observation:
    """Return the observation with the verdict of the continued run, each time to twice its cycles.

    The limit is `max_cycles` cycles, four times that if the verdict is not yet significant, as in small networks.
    """
    case = run.case
    pending = any(fault.cycle >= run.now for fault in case.faults)
    verdict, accepted = seen.verdict, seen.accepted
    while status == records.FINE and not (verdict.final or pending):
        limit = max_cycles if verdict.sure else 4 * max_cycles
        if 3 * run.now > 2 * limit:
            break
        books = Books(run)
        status = books.advance(min(max(1, run.now), limit - run.now), tick)
        verdict = _judge(case, load, books)
        accepted = books.series()[:, 1].sum() / max(1, run.now - books.start)
    if status != records.FINE:
        verdict = DEADLOCKED
    return dataclasses.replace(seen, verdict=verdict, accepted=float(accepted))


def _judge(case: Case, load: float, books: Books) -> Verdict:
    return drift.verdict(books.window(), creation_rates(case, load), known=not case.faults, settled=_filling(case))


def _filling(case: Case) -> int:
    """Return the cycles until a network is filled: twice the largest zero-load delay."""
    return 2 * longest_delay(case)


def observations(
    case: Case, tasks: list, precision: Precision | None, max_cycles: int, progress: Progress, executor: Any
) -> tuple[Observation, ...]:
    """Return the observations of loads and seeds in order, on the executor if given; after Ctrl-C the finished ones, if any."""
    done: list[Observation] = []
    try:
        for seen in _runs(case, tasks, precision, max_cycles, progress, executor):
            done.append(seen)
    except KeyboardInterrupt:
        if not done:
            raise
    return tuple(done)


def _runs(
    case: Case, tasks: list, precision: Precision | None, max_cycles: int, progress: Progress, executor: Any
) -> Iterator[Observation]:
    each = case.warmup + case.cycles
    total = each * len(tasks)
    if executor is not None:
        for index, seen in enumerate(executor.map(partial(observe_task, case, precision, max_cycles), tasks)):
            progress("simulation", (index + 1) * each, total, load=tasks[index][0])
            yield seen
        return
    for index, (load, seed) in enumerate(tasks):

        def tick(now: int, index: int = index, load: float = load) -> None:
            progress("simulation", index * each + min(now, each), total, load=load)

        yield observe(case, load, seed, tick, precision, max_cycles)


def observe_task(
    case: Case, precision: Precision | None, max_cycles: int, task: tuple[float, np.random.SeedSequence]
) -> Observation:
    """Run one load; a plain function, for use in another process."""
    return observe(case, *task, lambda now: None, precision, max_cycles)


def _warm_up(run: Run, minimum: int, maximum: int, tick: Callable[[int], None]) -> int:
    """Run until the network has settled; return the engine's status."""
    if maximum == 0:
        return run.until(minimum, tick)
    block = max(1, minimum // _WARMUP_BLOCKS)
    delays, before, last = [], (0, 0), 0.0
    while run.now < max(minimum, maximum):
        status = run.until(run.now + block, tick)
        if status != records.FINE:
            return status
        tally = run.engine.tally[0]
        count, delay = int(tally.packets) - before[0], int(tally.delay) - before[1]
        before = int(tally.packets), int(tally.delay)
        last = delay / count if count else last
        delays.append(last)
        if run.now >= minimum and len(delays) % 10 == 0 and truncation(np.array(delays)) < len(delays):
            break
    return records.FINE
