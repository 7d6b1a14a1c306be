"""Packet simulation of the embedded network: the delay of each link follows from the length of its planned cable."""

from __future__ import annotations

import dataclasses
import itertools
import warnings
import zlib
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen

from planner.core.checking import checked
from planner.core.errors import InputError, PlannerWarning
from planner.core.progress import Progress, silent
from planner.domain.model import SimulationResult, Topology
from planner.simulation import effort, measures
from planner.simulation import saturation as saturation_search
from planner.simulation.case import Case, default_cycles, longest_delay
from planner.simulation.drift import Verdict
from planner.simulation.embedding import embed, embed_given
from planner.simulation.observation import UNSURE, Precision, decide, observations
from planner.simulation.patterns import pattern
from planner.simulation.routers import PRESETS, RouterSettings
from planner.simulation.spread import PlaneRule

__all__ = ["GIVEN", "PRESETS", "RouterSettings", "embed", "simulate"]

GIVEN = ("topology", "delay_ps", "owner", "seed", "progress", "executor")
"""Parameters of `simulate`, and of `workload.workload`, that the flow supplies; the others are keys of the study."""

_SEARCH = 2**16
"""Index of the first random stream of the saturation search, beyond those of the loads."""


@checked(RouterSettings)
def simulate(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    owner: np.ndarray | None = None,
    seed: int,
    progress: Progress = silent,
    executor: Any = None,
    traffic: str = "uniform",
    planes: PlaneRule = "endpoint",
    loads: Annotated[tuple[Annotated[float, Gt(0), Le(1)], ...], MinLen(1), MaxLen(1000)] = (0.1, 0.3, 0.5, 0.7, 0.9),
    process: Literal["bernoulli", "poisson", "burst"] = "bernoulli",
    burst_packets: Annotated[float, Ge(1)] = 8.0,
    burst_load: Annotated[float, Gt(0), Le(1)] = 1.0,
    warmup: Annotated[int, Ge(0), Lt(2**28)] | None = None,
    cycles: Annotated[int, Gt(0), Lt(2**28)] | None = None,
    precision: Annotated[float, Gt(0), Lt(1)] | None = None,
    max_cycles: Annotated[int, Gt(0), Lt(2**28)] = 100_000,
    max_hours: Annotated[float, Gt(0)] = effort.MAX_HOURS,
    saturation: bool = False,
    occupancy: bool = False,
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
    owner
        Device of each endpoint and its port there, int64 (H, 2); by default as the family of the network declares.
    seed
        Seed of the study; each load has its own random stream.
    progress
        Called while the simulation runs.
    executor
        Anything with ``map``, such as a ``ProcessPoolExecutor``: loads run in parallel, with the same result. Within the
        context of `planner.core.executors.forked`, blocks of a large network run on the cores that are free, also with the same
        result.
    traffic
        Name of the traffic pattern.
    planes
        How a network interface distributes its packets over planes that are not joined. ``"spray"``: over its ports in turn, one
        in each plane; ``"hash"``: all packets from one interface to another take one plane, drawn by a hash; ``"endpoint"``: not
        at all, every endpoint is an interface of its own.
    loads
        Offered loads in phits per cycle and endpoint, each above 0 and at most 1; up to 1,000 of them.
    process
        Injection process: ``"bernoulli"``, ``"poisson"``, or ``"burst"``, an on/off process.
    burst_packets
        Mean packets of a burst; for ``process = "burst"`` only.
    burst_load
        Offered load of an endpoint during a burst; for ``process = "burst"`` only.
    warmup
        Warm-up cycles; if not given, 2,000 plus twice the largest zero-load delay.
    cycles
        Measured cycles; if not given, 5,000, or fewer in a large network: those in which its endpoints send 400,000 packets at
        full load, at least the largest zero-load delay.
    precision
        Maximum relative half-width of the 95 % confidence intervals of accepted load and mean delay. If given, warm-up
        continues until the delay has settled, and measuring continues in steps of `cycles` until the intervals are narrow
        enough; saturated loads are measured for `cycles` only.
    max_cycles
        Maximum cycles of warm-up and of measuring with `precision`; also limits how long a run is continued to decide whether its
        backlog is bounded.
    max_hours
        Maximum computing time of all loads on one core, in hours, as estimated from endpoints, loads and cycles; a longer
        simulation is refused before it starts, with the estimate.
    saturation
        Whether to search for the saturation throughput: the highest load with a bounded backlog.
    occupancy
        Whether to measure the queue occupancy of each virtual channel; slows the simulation slightly.
    traffic_parameters
        Parameters of the traffic pattern.
    **routers
        Parameters of `embed` and fields of `RouterSettings`: delays, rates, routing, queues, faults.

    Returns
    -------
    SimulationResult
        One entry per load; after Ctrl-C, the finished loads, if any.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, or a routing with a cyclic channel dependency.
    """
    estimate = effort.hours(
        topology, loads, warmup=warmup, cycles=cycles, precision=precision, max_cycles=max_cycles,
        packet_phits=routers.get("packet_phits", RouterSettings.packet_phits), flow_control=routers.get("flow_control"),
    )  # fmt: skip
    if problems := list(effort.excess(topology, loads, estimate, max_hours)):
        raise InputError(problems)
    if estimate > effort.WARN_HOURS:
        words = f"simulation: {len(loads):,} loads take about {effort.spoken(estimate)} of one core"
        warnings.warn(words, PlannerWarning, stacklevel=3)
    embedded = embed_given(topology, delay_ps, **routers)
    table, spread = pattern(traffic, traffic_parameters, topology, seed, planes, owner)
    case = dataclasses.replace(
        embedded.case,
        traffic=traffic,
        table=table,
        spread=spread,
        warmup=_warmup(embedded.case) if warmup is None else warmup,
        occupancy=occupancy,
        process=process,
        burst_packets=burst_packets,
        burst_load=burst_load,
    )
    case = dataclasses.replace(case, cycles=default_cycles(case) if cycles is None else cycles)
    tasks = [(load, _seed(seed, index)) for index, load in enumerate(loads)]
    goal = None if precision is None else Precision(precision, max_cycles)
    seen = observations(case, tasks, goal, max_cycles, progress, executor)
    interval = None
    if saturation and len(seen) == len(loads):
        interval = _search(case, seed, max_cycles, progress)
    bound = saturation_search.load_bound(case)
    return measures.result(
        case, round(embedded.cycle_ps), loads, seen, checked=embedded.checked, load_bound=bound, saturation=interval
    )


def _warmup(case: Case) -> int:
    """Return 2,000 cycles plus twice the largest zero-load delay."""
    return 2000 + 2 * longest_delay(case)


def _search(case: Case, seed: int, max_cycles: int, progress: Progress) -> saturation_search.Saturation | None:
    """Return the saturation point; each run has its own random stream."""
    steps = itertools.count()

    def run(load: float) -> Verdict:
        step = next(steps)
        progress("simulation", step, max(saturation_search.STEPS, step + 1), saturation=f"{load:.3f}")
        return decide(case, load, _seed(seed, _SEARCH + step), max_cycles)

    found = saturation_search.find(run)
    if found is None:
        longest = UNSURE * max_cycles
        words = f"no saturation throughput: the network has not filled after {longest} cycles; use a larger max_cycles"
        warnings.warn(words, PlannerWarning, stacklevel=3)
    return found


def _seed(seed: int, index: int) -> np.random.SeedSequence:
    return np.random.SeedSequence([seed, zlib.crc32(b"simulation")], spawn_key=(index,))
