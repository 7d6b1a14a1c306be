"""Runs of the engine, measured in batches until the requested precision is reached."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np

from planner.core.progress import Progress
from planner.kernels.packet import records
from planner.simulation import drift
from planner.simulation.books import Books
from planner.simulation.case import Case, creation_rates, longest_delay, rates
from planner.simulation.drift import DEADLOCKED, Verdict
from planner.simulation.engine import Measures, Run
from planner.simulation.statistics import BATCHES, half_width, is_level, ratio_half_width, regrouped, truncation

INTERVALS = 5 * BATCHES
"""Number of intervals at which the waiting packets are counted: a multiple of the batches."""

MAX_CYCLES = 100_000
"""Default limit of warm-up cycles and of measured cycles."""

_STEP, _LONG_STEP = 1.25, 2.0
"""Ratio of the lengths of a run at successive decisions: few cycles beyond what a decision needs. More decisions err more often,
so that fewer are made where a small network needs a long run."""

_FITTED, _SURE, UNSURE = 0.75, 2.5, 10
"""Limits of a continued run as ratios to `max_cycles`: with filling fitted, else with a significant decision, and without one, as
in small networks."""

_STEP_INTERVALS = 80
"""Number of intervals of a step at which the waiting packets are counted."""

_SOURCE_PACKETS, _ALL_PACKETS = 64, 40_000
"""Packets at load 1, of a source and of all, that a run of a search begins with: queues fill, and what is accepted beyond
saturation is the first guess of the search. At most a quarter of the longest run."""

_WARMUP_BLOCKS = 40
"""Number of blocks of the minimum warm-up whose means decide whether the network has settled."""


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
        Twice the cycles up to which a run is continued; see `decided`.
    """
    limit = case.cycles if precision is None else max(case.cycles, precision.max_cycles)
    # The histogram of delays has one bin per cycle of the run.
    run = Run(dataclasses.replace(case, warmup=case.warmup + limit, cycles=limit), load, seed)
    status, books = _warm_up(run, case, 0 if precision is None else limit, tick)
    books.measure()
    filled = run.now >= _filling(case)
    while True:
        if status == records.FINE:
            status = books.advance(case.cycles, INTERVALS, tick)
        cycles = max(1, run.now - books.measured)
        measures, series = run.measures(status), books.series()
        verdict = _judge(case, load, books)
        lengths, packets, delays = (regrouped(column) for column in series[:, :3].T)
        seen = Observation(measures, books.measured, cycles, lengths, packets, delays, verdict, filled)
        saturated = seen.saturated and verdict.final
        if precision is None or saturated or cycles + case.cycles > limit or seen.reaches(precision.relative):
            return _continued(seen, run, load, books, status, max_cycles, tick)


def _continued(
    seen: Observation, run: Run, load: float, books: Books, status: int, max_cycles: int, tick: Callable[[int], None]
) -> Observation:
    """Return the observation with the verdict of the continued run."""
    pending = any(fault.cycle >= run.now for fault in run.case.faults)
    if status == records.FINE and not pending:
        verdict = decided(books, partial(_judge, run.case, load), seen.verdict, max_cycles, tick)
    else:
        verdict = seen.verdict if status == records.FINE else DEADLOCKED
    return dataclasses.replace(seen, verdict=verdict)


def decide(case: Case, load: float, seed: np.random.SeedSequence, max_cycles: int) -> Verdict:
    """Run a load only until it is decided whether its backlog drifts; see `decided`."""
    run, limit = Run(dataclasses.replace(case, warmup=0, cycles=1), load, seed), UNSURE * max_cycles
    packets = max(_SOURCE_PACKETS, _ALL_PACKETS // max(1, int(np.count_nonzero(rates(case)))))
    settled = min(max(_filling(case), min(packets * case.packet_phits, limit // 4)), limit)
    if run.until(settled, _ignored) != records.FINE:
        return DEADLOCKED
    books = Books(run)
    if books.advance(max(1, min(2 * settled, limit) - settled), INTERVALS, _ignored) != records.FINE:
        return DEADLOCKED
    return decided(books, partial(_judge, case, load), _judge(case, load, books), max_cycles, _ignored)


def decided(
    books: Books, judge: Callable[[Books], Verdict], first: Verdict, max_cycles: int, tick: Callable[[int], None]
) -> Verdict:
    """Return the verdict of a run that is continued in steps until the drift of its backlog is decided.

    The limit is `_FITTED`, `_SURE` or `UNSURE` times `max_cycles`.
    """
    run, found = books.run, first
    while not (found.final or found.clear):
        limit = _FITTED if found.fitted else _SURE if found.sure else UNSURE
        step = _STEP if run.now < _FITTED * max_cycles else _LONG_STEP
        end = min(int(step * run.now) + 1, int(limit * max_cycles))
        if end <= run.now:
            break
        if books.advance(end - run.now, _STEP_INTERVALS, tick) != records.FINE:
            return DEADLOCKED
        found = judge(books)
    return found


def _judge(case: Case, load: float, books: Books) -> Verdict:
    return drift.verdict(books.window(), creation_rates(case, load), known=not case.faults, settled=_filling(case))


def _filling(case: Case) -> int:
    """Return the cycles until a network is filled: twice the largest zero-load delay."""
    return 2 * longest_delay(case)


def observations(
    case: Case, tasks: list, precision: Precision | None, max_cycles: int, progress: Progress, executor: Any
) -> tuple[Observation, ...]:
    """Return the observations of loads and seeds in order, on the executor if given; after Ctrl-C the first finished ones."""
    done: dict[int, Observation] = {}
    try:
        for index, seen in _runs(case, tasks, precision, max_cycles, progress, executor):
            done[index] = seen
    except KeyboardInterrupt:
        if 0 not in done:
            raise
    return tuple(done[index] for index in takewhile(done.__contains__, range(len(tasks))))


def _runs(
    case: Case, tasks: list, precision: Precision | None, max_cycles: int, progress: Progress, executor: Any
) -> Iterator[tuple[int, Observation]]:
    """Yield the number and the observation of each run as it ends."""
    each = case.warmup + case.cycles
    total = each * len(tasks)
    if executor is not None:
        run = partial(observe_task, case, precision, max_cycles)
        for count, (index, seen) in enumerate(_arriving(run, tasks, executor), 1):
            progress("simulation", count * each, total, load=tasks[index][0])
            yield index, seen
        return
    for index, (load, seed) in enumerate(tasks):

        def tick(now: int, index: int = index, load: float = load) -> None:
            progress("simulation", index * each + min(now, each), total, load=load)

        yield index, observe(case, load, seed, tick, precision, max_cycles)


def _arriving(run: Callable[[Any], Observation], tasks: list, executor: Any) -> Iterator[tuple[int, Observation]]:
    """Yield the number and the observation of each run as it ends; in order on an executor that has only `map`."""
    if not hasattr(executor, "each"):
        yield from enumerate(executor.map(run, tasks))
        return
    # The largest load takes longest as a rule, and so starts first; the others in their order, for Ctrl-C keeps the first ones.
    largest = max(range(len(tasks)), key=lambda index: tasks[index][0])
    order = sorted(range(len(tasks)), key=lambda index: index != largest)
    with closing(executor.each(run, [tasks[index] for index in order])) as outcomes:
        for place, outcome in outcomes:
            yield order[place], outcome.result()


def observe_task(
    case: Case, precision: Precision | None, max_cycles: int, task: tuple[float, np.random.SeedSequence]
) -> Observation:
    """Run one load; a plain function, for use in another process."""
    return observe(case, *task, _ignored, precision, max_cycles)


def _ignored(now: int) -> None:
    """Report no progress."""


def _warm_up(run: Run, case: Case, maximum: int, tick: Callable[[int], None]) -> tuple[int, Books]:
    """Run until the network has settled; return the engine's status and the counters since the network was filled."""
    minimum = case.warmup
    if maximum == 0:
        status = run.until(min(minimum, _filling(case)), tick)
        books = Books(run)
        return books.advance(minimum - run.now, INTERVALS, tick) if status == records.FINE else status, books
    block, filled = max(1, minimum // _WARMUP_BLOCKS), None
    delays, before, last = [], (0, 0), 0.0
    while run.now < max(minimum, maximum):
        if filled is None and run.now >= _filling(case):
            filled = Books(run)
        status = filled.advance(block, 1, tick) if filled else run.until(run.now + block, tick)
        if status != records.FINE:
            return status, filled or Books(run)
        now = run.total("packets"), run.total("delay")
        (count, delay), before = (now[0] - before[0], now[1] - before[1]), now
        last = delay / count if count else last
        delays.append(last)
        if run.now >= minimum and len(delays) % 10 == 0 and truncation(np.array(delays)) < len(delays):
            break
    return records.FINE, filled or Books(run)
