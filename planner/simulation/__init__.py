"""Packet simulation of the network as embedded: every link delays by the length of its planned cable."""

from __future__ import annotations

import dataclasses
import itertools
import warnings
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen

from planner.errors import InputError, PlannerWarning, Problem
from planner.model import SimulationResult, Topology
from planner.progress import Progress, silent
from planner.simulation import embedding, measures
from planner.simulation import saturation as knee
from planner.simulation.case import Case, longest_delay
from planner.simulation.embedding import PRESETS, embed
from planner.simulation.observation import Observation, Precision, observations, observe

__all__ = ["GIVEN", "PRESETS", "embed", "simulate"]

GIVEN = (*embedding.GIVEN, "seed", "progress", "executor")
"""Parameters of `simulate` and `embed` that the flow supplies; the others are the study's ``[simulation]`` section."""

_SEARCH = 2**16
"""The streams of the search are numbered from here on, beyond those of the loads."""


def simulate(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    seed: int,
    progress: Progress = silent,
    executor: Any = None,
    traffic: str = "uniform",
    loads: Annotated[tuple[Annotated[float, Gt(0), Le(1)], ...], MinLen(1), MaxLen(1000)] = (0.1, 0.3, 0.5, 0.7, 0.9),
    process: Literal["bernoulli", "poisson", "burst"] = "bernoulli",
    burst_packets: Annotated[float, Ge(1)] = 8.0,
    burst_load: Annotated[float, Gt(0), Le(1)] = 1.0,
    warmup: Annotated[int, Ge(0), Lt(2**28)] | None = None,
    cycles: Annotated[int, Gt(0), Lt(2**28)] = 5000,
    precision: Annotated[float, Gt(0), Lt(1)] | None = None,
    most_cycles: Annotated[int, Gt(0), Lt(2**28)] = 100_000,
    saturation: bool = False,
    occupation: bool = False,
    traffic_parameters: dict[str, Any] | None = None,
    **routers: Any,
) -> SimulationResult:
    """Simulate packets at several offered loads.

    Parameters
    ----------
    topology
        The network.
    delay_ps
        Delay of each cable, links first, then endpoints: int64 (L+H,).
    seed
        Seed of the study; each load has a stream of its own.
    progress
        Called while the simulation runs.
    executor
        Anything with ``map``, such as a ``ProcessPoolExecutor``: loads run in parallel, with the same result.
    traffic
        Name of the traffic pattern.
    loads
        Offered loads in phits per cycle and endpoint, each above 0 and at most 1; up to 1,000 of them.
    process
        How endpoints create packets: ``"bernoulli"`` in every cycle with the same chance, ``"poisson"`` in continuous
        time, ``"burst"`` in bursts of `burst_packets` packets in the mean, at load `burst_load` while they last.
    burst_packets, burst_load
        Of ``"burst"`` alone.
    warmup, cycles
        Cycles before measuring, and measured. Without `warmup`: 2000 and twice the largest delay without load.
    precision
        A load is measured on until the 95 % intervals of its accepted load and mean delay are no wider to each side than
        this share of them, in steps of `cycles`; and warmed up beyond `warmup` until its delay has settled. Saturated
        loads are measured for `cycles` only.
    most_cycles
        Maximum cycles to warm up, and as many to measure, with `precision`, and where a run is continued to find out whether its
        backlog is bounded.
    saturation
        Search for the highest load with bounded backlog.
    occupation
        Add up the time that packets spend in the queues of each virtual channel; costs some time itself.
    traffic_parameters
        Parameters of the traffic pattern.
    **routers
        All that `embed` takes: delays, rates, routing, queues, faults.

    Returns
    -------
    SimulationResult
        One entry for each load. After Ctrl-C: of the loads that were finished, if any.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, and for a routing under which packets can wait in a circle.
    """
    problems = _problems(loads, cycles, warmup)
    try:
        embedded = embed(topology, delay_ps, **routers)
    except InputError as error:
        raise InputError([*error.problems, *problems]) from None
    if problems:
        raise InputError(problems)
    case = dataclasses.replace(
        embedded.case,
        traffic=traffic,
        table=embedding.element("traffic", traffic, traffic_parameters)(topology, seed),
        warmup=_warmup(embedded.case) if warmup is None else warmup,
        cycles=cycles,
        occupation=occupation,
        process=process,
        burst_packets=burst_packets,
        burst_load=burst_load,
    )
    tasks = [(load, _seed(seed, index)) for index, load in enumerate(loads)]
    goal = None if precision is None else Precision(precision, most_cycles)
    seen = observations(case, tasks, goal, most_cycles, progress, executor)
    interval = None
    if saturation and len(seen) == len(loads):
        interval = _search(case, seed, most_cycles, progress)
    bound = knee.load_bound(case)
    return measures.result(
        case, round(embedded.cycle_ps), loads, seen, checked=embedded.checked, load_bound=bound, saturation=interval
    )


def _problems(loads: Sequence[float], cycles: int, warmup: int | None) -> list[Problem]:
    problems = [Problem("loads", f"a load is above 0 and at most 1, not {load}") for load in loads if not 0 < load <= 1]
    if not len(loads):
        problems.append(Problem("loads", "is empty", "give at least one load"))
    if cycles < 1:
        problems.append(Problem("cycles", f"must be at least 1, not {cycles}"))
    if warmup is not None and warmup < 0:
        problems.append(Problem("warmup", f"must be at least 0, not {warmup}"))
    return problems


def _warmup(case: Case) -> int:
    """Return 2000 cycles and twice the largest delay without load."""
    return 2000 + 2 * longest_delay(case)


def _search(case: Case, seed: int, most_cycles: int, progress: Progress) -> knee.Saturation | None:
    """Return where the network saturates; each run has a stream of its own."""
    steps = itertools.count()

    def run(load: float) -> Observation:
        step = next(steps)
        progress("simulation", step, max(knee.STEPS, step + 1), saturation=f"{load:.3f}")
        return observe(case, load, _seed(seed, _SEARCH + step), lambda now: None, most_cycles=most_cycles)

    found = knee.find(run, case.packet_phits / case.network.topology.endpoint_count)
    if found is None:
        words = f"no saturation is given: the network has not filled after {2 * most_cycles} cycles; use a larger most_cycles"
        warnings.warn(words, PlannerWarning, stacklevel=3)
    return found


def _seed(seed: int, index: int) -> np.random.SeedSequence:
    return np.random.SeedSequence([seed, zlib.crc32(b"simulation")], spawn_key=(index,))
