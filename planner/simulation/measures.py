"""Convert the counts of runs to a `SimulationResult`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.domain.model import SimulationResult
from planner.simulation.case import Case, packet_cycles, rates
from planner.simulation.dependencies import Dependencies, router_pairs
from planner.simulation.engine import Measures
from planner.simulation.observation import Observation
from planner.simulation.saturation import Saturation


def result(
    case: Case,
    cycle_ps: int,
    loads: Sequence[float],
    seen: Sequence[Observation],
    *,
    checked: Sequence[Dependencies] = (),
    load_bound: float | None = None,
    saturation: Saturation | None = None,
) -> SimulationResult:
    """Return the result record of the observations of the first loads.

    Parameters
    ----------
    checked
        Results of the deadlock check for the routings in use.
    load_bound, saturation
        See `planner.simulation.saturation`.
    """
    runs = [one.measures for one in seen]
    cycles = np.array([one.cycles for one in seen])
    # Converts packets per run to phits per cycle and endpoint.
    rate = rates(case)
    phits = case.packet_phits / (cycles * rate.sum())
    max_hops = max(int(np.flatnonzero(run.hops).max(initial=0)) for run in runs)
    ports = case.network.link_ports.reshape(-1)
    delay_mean = np.array([_mean(run.delay_sum, run.delivered) for run in runs])
    delay_network = np.array([network_delay(case, run) for run in runs])
    used = np.flatnonzero(case.network.topology.endpoints_of)
    pairs = sum(found.all_pairs for found in checked) if checked else router_pairs(case.network, used)
    return SimulationResult(
        routing=case.routing,
        traffic=case.traffic,
        cycle_ps=cycle_ps,
        packet_phits=case.packet_phits,
        virtual_channels=case.channels,
        warmup=np.array([one.warmup for one in seen]),
        cycles=cycles,
        offered=np.array(loads[: len(runs)], np.float64),
        generated=np.array([run.generated for run in runs]) * phits,
        accepted=np.array([run.delivered for run in runs]) * phits,
        accepted_error=np.array([one.rate_error for one in seen]) * phits * cycles,
        delay_mean=delay_mean,
        delay_error=np.array([one.delay_error for one in seen]),
        delay_network=delay_network,
        # The mean over links is of sent, not delivered packets: the difference may be slightly negative.
        delay_queue=np.maximum(delay_mean - delay_network, 0),
        delay_p50=np.array([percentile(run.delays, 50) for run in runs], np.float64),
        delay_p99=np.array([percentile(run.delays, 99) for run in runs], np.float64),
        delay_max=np.array([np.flatnonzero(run.delays).max(initial=0) for run in runs]),
        mean_hops=np.array([_mean(run.hops @ np.arange(len(run.hops)), run.delivered) for run in runs]),
        fairness=np.array([jain(run.by_source[rate > 0] / rate[rate > 0]) for run in runs]),
        hop_histogram=np.array([run.hops[: max_hops + 1] for run in runs]),
        delivered=np.array([run.delivered for run in runs]),
        dropped=np.array([run.dropped for run in runs]),
        saturated=np.array([one.saturated for one in seen]),
        settled=np.array([one.settled for one in seen]),
        deadlock=np.array([run.deadlock for run in runs]),
        link_load=np.array([one.measures.sent[ports] / one.cycles for one in seen], np.float32),
        channel_occupancy=np.array([_channel_occupancy(case, run) for run in runs], np.float32).reshape(len(runs), -1),
        checked_pairs=sum(found.pairs for found in checked),
        router_pairs=pairs,
        load_bound=load_bound,
        saturation_low=None if saturation is None else saturation.low,
        saturation_high=None if saturation is None else saturation.high,
        saturation_throughput=None if saturation is None else saturation.throughput,
        complete=len(runs) == len(loads),
    )


def network_delay(case: Case, run: Measures) -> float:
    """Return the mean delay of delivered packets without time in queues, in cycles.

    Cable delays are weighted by the packets sent while measuring: over all links for each hop, over endpoint
    cables for the first and the last. At zero load it equals the delay. NaN without packets, and for mixed cable
    rates: the slowest cable of a packet's path is not recorded.
    """
    network, times = case.network, packet_cycles(case)
    if not run.delivered or not run.by_source.any() or times.min() < times.max():
        return math.nan
    links = network.topology.link_count
    between = run.sent[network.link_ports].sum(axis=1)
    hops = float(run.hops @ np.arange(len(run.hops))) / run.delivered
    terms = (
        hops * _weighted(network.link_cycles[:links], between),
        _weighted(network.link_cycles[links:], run.by_source),
        _weighted(network.link_cycles[links:], run.sent[network.endpoint_port]),
        (hops + 1) * case.router_cycles,
        int(times.min()) - 1,
    )
    return float(sum(terms))


def _weighted(values: np.ndarray, weights: np.ndarray) -> float:
    return float(values @ weights / weights.sum()) if weights.sum() else 0.0


def _channel_occupancy(case: Case, run: Measures) -> np.ndarray:
    """Return the mean occupancy of a network port by virtual channel, in packets; empty if not measured."""
    if not run.input_occupancy.size or not len(case.network.network_port):
        return np.zeros(0)
    ports = case.network.network_port
    return (run.input_occupancy[ports] + run.output_occupancy[ports]).mean(axis=0, dtype=np.float64)


def percentile(histogram: np.ndarray, percent: float) -> float:
    """Return the percentile of a histogram (smallest value not exceeded by `percent` of the counts); NaN if it is empty.

    >>> percentile(np.array([0, 98, 1, 1]), 99)
    2.0
    """
    total = int(histogram.sum())
    if total == 0:
        return math.nan
    return float(np.searchsorted(np.cumsum(histogram), math.ceil(total * percent / 100)))


def jain(counts: np.ndarray) -> float:
    """Return Jain's fairness index: 1 if all counts are equal, 1/n if only one is nonzero; NaN if all are 0.

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


def _mean(total: Any, count: int) -> float:
    return float(total) / count if count else math.nan
