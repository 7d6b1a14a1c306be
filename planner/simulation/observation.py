"""Runs of the engine observed batch by batch, as long as the wanted precision needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from planner.kernels import packet_records as records
from planner.progress import Progress
from planner.simulation.case import Case
from planner.simulation.engine import Measures, Run
from planner.simulation.statistics import BATCHES, half_width, ratio_half_width, regrouped, truncation

SATURATED_SHARE = 0.05
"""A load counts as saturated when more than this share of the generated packets was not delivered while measuring."""

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

    @property
    def saturated(self) -> bool:
        """Whether clearly less was delivered than generated; also when packets are stuck."""
        run = self.measures
        return run.deadlock >= 0 or is_saturated(run.generated, run.delivered, run.dropped)

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


def is_saturated(generated: int, delivered: int, dropped: int = 0) -> bool:
    """Return whether clearly less was delivered than generated: 5 %, and more than chance explains."""
    missing = generated - delivered - dropped
    return missing > SATURATED_SHARE * generated and missing > 4 * generated**0.5


def observe(
    case: Case, load: float, seed: np.random.SeedSequence, tick: Callable[[int], None], precision: Precision | None = None
) -> Observation:
    """Run one load.

    Without `precision` it warms up for ``case.warmup`` cycles and measures ``case.cycles``. With it, it goes on to warm
    up until the mean delay has settled by `truncation`, at most for ``most_cycles``, and measures further ``case.cycles``
    as long as the intervals are too wide, the network is not saturated, and ``most_cycles`` leaves room.

    Parameters
    ----------
    tick
        Called with the cycle now and then.
    """
    most = case.cycles if precision is None else max(case.cycles, precision.most_cycles)
    # The histogram of delays has as many places as the run has cycles.
    run = Run(dataclasses.replace(case, warmup=case.warmup + most, cycles=most), load, seed)
    status = _warm_up(run, case.warmup, 0 if precision is None else most, tick)
    run.clear()
    began = run.now
    series = np.zeros((0, 3), np.int64)
    while True:
        if status == records.FINE:
            status, rows = _batches(run, case.cycles, tick)
            series = np.concatenate([series, rows])
        cycles = max(1, run.now - began)
        seen = Observation(run.measures(status), began, cycles, *(regrouped(column) for column in series.T))
        if precision is None or seen.saturated or cycles + case.cycles > most or seen.reaches(precision.relative):
            return seen


def observations(
    case: Case, tasks: list, precision: Precision | None, progress: Progress, executor: Any
) -> tuple[Observation, ...]:
    """Return the observation of each load and seed in order, on the executor or here; after Ctrl-C the finished ones, if any."""
    done: list[Observation] = []
    try:
        for seen in _runs(case, tasks, precision, progress, executor):
            done.append(seen)
    except KeyboardInterrupt:
        if not done:
            raise
    return tuple(done)


def _runs(case: Case, tasks: list, precision: Precision | None, progress: Progress, executor: Any) -> Iterator[Observation]:
    each = case.warmup + case.cycles
    total = each * len(tasks)
    if executor is not None:
        for index, seen in enumerate(executor.map(partial(observe_task, case, precision), tasks)):
            progress("simulation", (index + 1) * each, total, load=tasks[index][0])
            yield seen
        return
    for index, (load, seed) in enumerate(tasks):

        def tick(now: int, index: int = index, load: float = load) -> None:
            progress("simulation", index * each + min(now, each), total, load=load)

        yield observe(case, load, seed, tick, precision)


def observe_task(case: Case, precision: Precision | None, task: tuple[float, np.random.SeedSequence]) -> Observation:
    """Run one load; a plain function, so that it can run in another process."""
    return observe(case, *task, lambda now: None, precision)


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


def _batches(run: Run, cycles: int, tick: Callable[[int], None]) -> tuple[int, np.ndarray]:
    """Run some cycles; return the status and of each batch its cycles, packets and sum of delays, int64 (B, 3)."""
    rows = []
    ends = np.unique(run.now + np.arange(1, BATCHES + 1) * cycles // BATCHES)
    for end in ends[ends > run.now].tolist():
        tally = run.engine.tally[0]
        before = run.now, int(tally.packets), int(tally.delay)
        status = run.until(end, tick)
        tally = run.engine.tally[0]
        rows.append([run.now - before[0], int(tally.packets) - before[1], int(tally.delay) - before[2]])
        if status != records.FINE:
            return status, np.array(rows[:0], np.int64).reshape(0, 3)
    return records.FINE, np.array(rows, np.int64)
