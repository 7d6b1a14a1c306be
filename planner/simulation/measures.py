"""From the counts of the runs to a `SimulationResult`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from planner.model import SimulationResult
from planner.simulation.engine import Case, Measures

SATURATED_SHARE = 0.05
"""A load counts as saturated when more than this share of the generated packets was not delivered while measuring."""


def result(case: Case, cycle_ps: int, loads: Sequence[float], runs: Sequence[Measures]) -> SimulationResult:
    """Return the record of the runs, which are those of the first loads."""
    phits = case.packet_phits / (case.cycles * case.network.topology.endpoint_count)
    most_hops = max(int(np.flatnonzero(run.hops).max(initial=0)) for run in runs)
    ports = case.network.link_ports.reshape(-1)
    return SimulationResult(
        routing=case.routing,
        traffic=case.traffic,
        cycle_ps=cycle_ps,
        packet_phits=case.packet_phits,
        cycles=case.cycles,
        warmup=case.warmup,
        virtual_channels=case.channels,
        offered=np.array(loads[: len(runs)], np.float64),
        generated=np.array([run.generated * phits for run in runs]),
        accepted=np.array([run.delivered * phits for run in runs]),
        delay_mean=np.array([_mean(run.delay_sum, run.delivered) for run in runs]),
        delay_p99=np.array([percentile(run.delays, 99) for run in runs], np.float64),
        delay_max=np.array([np.flatnonzero(run.delays).max(initial=0) for run in runs]),
        mean_hops=np.array([_mean(run.hops @ np.arange(len(run.hops)), run.delivered) for run in runs]),
        fairness=np.array([jain(run.by_source) for run in runs]),
        hop_histogram=np.array([run.hops[: most_hops + 1] for run in runs]),
        delivered=np.array([run.delivered for run in runs]),
        saturated=np.array([_saturated(run) for run in runs]),
        deadlock=np.array([run.deadlock for run in runs]),
        link_load=np.array([run.sent[ports] * (case.packet_phits / case.cycles) for run in runs], np.float32),
        complete=len(runs) == len(loads),
    )


def percentile(histogram: np.ndarray, percent: float) -> float:
    """Return the least value that `percent` of the counted values do not exceed; NaN when nothing was counted.

    >>> percentile(np.array([0, 98, 1, 1]), 99)
    2.0
    """
    total = int(histogram.sum())
    if total == 0:
        return math.nan
    return float(np.searchsorted(np.cumsum(histogram), math.ceil(total * percent / 100)))


def jain(counts: np.ndarray) -> float:
    """Return Jain's index: 1 when all counts are equal, 1/n when one has all; NaN when all are 0.

    References
    ----------
    .. [1] R. Jain, D. Chiu, W. Hawe, "A quantitative measure of fairness and discrimination for resource allocation in
       shared computer systems", DEC-TR-301, 1984.

    >>> jain(np.array([3, 3, 0, 0]))
    0.5
    """
    counts = counts.astype(np.float64)
    squares = len(counts) * (counts @ counts)
    return float(counts.sum() ** 2 / squares) if squares else math.nan


def _mean(total: int, count: int) -> float:
    return float(total) / count if count else math.nan


def _saturated(run: Measures) -> bool:
    """Tell lack of throughput from the noise of counting, which is a few square roots."""
    missing = run.generated - run.delivered
    return run.deadlock >= 0 or missing > max(SATURATED_SHARE * run.generated, 4 * math.sqrt(run.generated))
