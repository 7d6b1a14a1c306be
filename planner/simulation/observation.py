"""Runs of the engine observed batch by batch, as long as the wanted precision needs."""

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
from planner.simulation.books import Books
from planner.simulation.case import Case, creation_rates, longest_delay
from planner.simulation.drift import STUCK, Verdict
from planner.simulation.engine import Measures, Run
from planner.simulation.statistics import half_width, is_level, ratio_half_width, regrouped, truncation

MOST_CYCLES = 100_000
"""Cycles to warm up, and as many to measure, after which a run that has not settled ends."""

_WARMUP_BLOCKS = 40
"""Parts of the least warm-up whose means tell whether the network has settled."""


@dataclass(frozen=True)
class Precision:
    """When a run is long enough: the relative half-width of the 95 % intervals of load and delay, and the most cycles."""

    relative: float
    most_cycles: int


@dataclass(frozen=True)
class Observation:
    """One run: its measures, how long it took, and the batches."""

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
    """Packets delivered in a cycle at the end of the continuation."""
    filled: bool
    """Whether warm-up was at least twice the largest delay without load."""

    @property
    def saturated(self) -> bool:
        """Whether the backlog drifts; also when packets are stuck."""
        return self.measures.deadlock >= 0 or self.verdict.drifts

    @property
    def settled(self) -> bool:
        """Whether the network was in a steady state while measuring: filled, and accepting as much at the end as at the start."""
        return self.filled and (self.measures.deadlock >= 0 or is_level(self.packets / self.lengths))

    @property
    def rate_error(self) -> float:
        """Half-width of the 95 % interval of the packets delivered in a cycle."""
        return half_width(self.packets / self.lengths)

    @property
    def delay_error(self) -> float:
        """Half-width of the 95 % interval of the mean delay, cycles."""
        return ratio_half_width(self.delays, self.packets)

    def reaches(self, relative: float) -> bool:
        """Return whether the intervals are narrow enough; of load and delay, relative to their means."""
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
    most_cycles: int = MOST_CYCLES,
) -> Observation:
    """Run one load.

    Without `precision` it warms up for ``case.warmup`` cycles and measures ``case.cycles``. With it, it goes on to warm
    up until the mean delay has settled by `truncation`, at most for ``most_cycles``, and measures further ``case.cycles``
    as long as the intervals are too wide, the network is not saturated, and ``most_cycles`` leaves room. Then the run is
    continued until it is clear whether its backlog drifts; that changes nothing of what was measured.

    Parameters
    ----------
    tick
        Called with the cycle now and then.
    most_cycles
        Half of the cycles after which a run is not continued.
    """
    most = case.cycles if precision is None else max(case.cycles, precision.most_cycles)
    # The histogram of delays has as many places as the run has cycles.
    run = Run(dataclasses.replace(case, warmup=case.warmup + most, cycles=most), load, seed)
    status = _warm_up(run, case.warmup, 0 if precision is None else most, tick)
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
        if precision is None or saturated or cycles + case.cycles > most or seen.reaches(precision.relative):
            return _continued(seen, run, load, books, status, 2 * most_cycles, tick)


def _continued(
    seen: Observation, run: Run, load: float, books: Books, status: int, most: int, tick: Callable[[int], None]
) -> Observation:
    """Return the observation with the verdict of the run continued, each time to twice its cycles.

    It ends after `most` cycles; where chance still plays a part then, as in small networks, after four times as many.
    """
    case = run.case
    coming = any(fault.cycle >= run.now for fault in case.faults)
    verdict, accepted = seen.verdict, seen.accepted
    while status == records.FINE and not (verdict.final or coming):
        limit = most if verdict.sure else 4 * most
        if 3 * run.now > 2 * limit:
            break
        books = Books(run)
        status = books.advance(min(max(1, run.now), limit - run.now), tick)
        verdict = _judge(case, load, books)
        accepted = books.series()[:, 1].sum() / max(1, run.now - books.start)
    if status != records.FINE:
        verdict = STUCK
    return dataclasses.replace(seen, verdict=verdict, accepted=float(accepted))


def _judge(case: Case, load: float, books: Books) -> Verdict:
    return drift.verdict(books.window(), creation_rates(case, load), known=not case.faults, settled=_filling(case))


def _filling(case: Case) -> int:
    """Return the cycles after which a network has filled: twice the largest delay without load."""
    return 2 * longest_delay(case)


def observations(
    case: Case, tasks: list, precision: Precision | None, most_cycles: int, progress: Progress, executor: Any
) -> tuple[Observation, ...]:
    """Return the observation of each load and seed in order, on the executor or here; after Ctrl-C the finished ones, if any."""
    done: list[Observation] = []
    try:
        for seen in _runs(case, tasks, precision, most_cycles, progress, executor):
            done.append(seen)
    except KeyboardInterrupt:
        if not done:
            raise
    return tuple(done)


def _runs(
    case: Case, tasks: list, precision: Precision | None, most_cycles: int, progress: Progress, executor: Any
) -> Iterator[Observation]:
    each = case.warmup + case.cycles
    total = each * len(tasks)
    if executor is not None:
        for index, seen in enumerate(executor.map(partial(observe_task, case, precision, most_cycles), tasks)):
            progress("simulation", (index + 1) * each, total, load=tasks[index][0])
            yield seen
        return
    for index, (load, seed) in enumerate(tasks):

        def tick(now: int, index: int = index, load: float = load) -> None:
            progress("simulation", index * each + min(now, each), total, load=load)

        yield observe(case, load, seed, tick, precision, most_cycles)


def observe_task(
    case: Case, precision: Precision | None, most_cycles: int, task: tuple[float, np.random.SeedSequence]
) -> Observation:
    """Run one load; a plain function, so that it can run in another process."""
    return observe(case, *task, lambda now: None, precision, most_cycles)


def _warm_up(run: Run, least: int, most: int, tick: Callable[[int], None]) -> int:
    """Run until the network has settled; return the engine's status."""
    if most == 0:
        return run.until(least, tick)
    block = max(1, least // _WARMUP_BLOCKS)
    delays, before, last = [], (0, 0), 0.0
    while run.now < max(least, most):
        status = run.until(run.now + block, tick)
        if status != records.FINE:
            return status
        tally = run.engine.tally[0]
        count, delay = int(tally.packets) - before[0], int(tally.delay) - before[1]
        before = int(tally.packets), int(tally.delay)
        last = delay / count if count else last
        delays.append(last)
        if run.now >= least and len(delays) % 10 == 0 and truncation(np.array(delays)) < len(delays):
            break
    return records.FINE
