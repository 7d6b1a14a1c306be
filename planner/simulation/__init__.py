"""Packet simulation of the network as embedded: every link delays by the length of its planned cable."""

from __future__ import annotations

import itertools
import math
import warnings
import zlib
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, Lt, MinLen

from planner import registry
from planner.errors import InputError, PlannerWarning, Problem
from planner.model import SimulationResult, Topology
from planner.progress import Progress, silent
from planner.reading import arguments
from planner.simulation import dependencies, measures
from planner.simulation import saturation as knee
from planner.simulation.engine import Case
from planner.simulation.faults import NEVER, stages
from planner.simulation.network import Network
from planner.simulation.observation import Observation, Precision, observations, observe

GIVEN = (
    "topology", "delay_ps", "router_delay_ps", "rate_gbps", "seed", "progress", "executor",
    "link_rate", "cable_dead_at", "router_dead_at",
)  # fmt: skip
"""Parameters of `simulate` that the flow supplies; the others are the study's ``[simulation]`` section."""

PRESETS: dict[str, dict[str, Any]] = {
    "plan": {},
    "caminos": {"link_cycles": 1, "router_delay_cycles": 0, "virtual_channels": 4},
    "booksim": {
        "link_cycles": 1, "router_delay_cycles": 3, "credit_cycles": 4, "crossbar_speedup": 2, "input_speedup": 1,
        "arbitration": "round_robin", "output_packets": 4, "injection": "turns", "virtual_channels": 4,
    },
}  # fmt: skip
"""Settings under which the engine agrees with other simulators; an explicit parameter wins over its preset."""

ARBITRATIONS = ("random", "round_robin", "age")
"""In the order of `planner.kernels.packet_records.RANDOM` and its followers."""

_LONGEST_CYCLES = 1_000_000

_SEARCH = 2**16
"""The streams of the search are numbered from here on, beyond those of the loads."""

_LEAST = {
    "router_delay_ps": 0, "router_delay_cycles": 0, "credit_cycles": 0, "warmup": 0,
    "input_speedup": 0, "crossbar_speedup": 1,
    "packet_phits": 1, "phit_bytes": 1, "cycles": 1, "link_cycles": 1, "input_packets": 1, "output_packets": 1,
}  # fmt: skip


def simulate(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    router_delay_ps: int,
    rate_gbps: float,
    seed: int,
    progress: Progress = silent,
    executor: Any = None,
    link_rate: np.ndarray | None = None,
    cable_dead_at: np.ndarray | None = None,
    router_dead_at: np.ndarray | None = None,
    routing: str = "minimal",
    traffic: str = "uniform",
    loads: Annotated[tuple[Annotated[float, Gt(0), Le(1)], ...], MinLen(1)] = (0.1, 0.3, 0.5, 0.7, 0.9),
    packet_phits: Annotated[int, Gt(0), Le(4096)] = 16,
    phit_bytes: Annotated[int, Gt(0)] = 64,
    warmup: Annotated[int, Ge(0), Lt(2**28)] | None = None,
    cycles: Annotated[int, Gt(0), Lt(2**28)] = 5000,
    virtual_channels: Annotated[int, Gt(0), Le(255)] | None = None,
    input_packets: Annotated[int, Gt(0), Le(30000)] | None = None,
    output_packets: Annotated[int, Gt(0), Le(30000)] | None = None,
    link_cycles: Annotated[int, Gt(0), Le(1_000_000)] | None = None,
    router_delay_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None,
    credit_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None,
    injection: Literal["first", "turns"] | None = None,
    arbitration: Literal["random", "round_robin", "age"] | None = None,
    crossbar_speedup: Annotated[int, Gt(0), Le(4096)] | None = None,
    input_speedup: Annotated[int, Ge(0), Le(30000)] | None = None,
    precision: Annotated[float, Gt(0), Lt(1)] | None = None,
    most_cycles: Annotated[int, Gt(0), Lt(2**28)] = 100_000,
    saturation: bool = False,
    occupation: bool = False,
    allow_deadlock: bool = False,
    preset: Literal["plan", "caminos", "booksim"] = "plan",
    routing_parameters: dict[str, Any] | None = None,
    traffic_parameters: dict[str, Any] | None = None,
) -> SimulationResult:
    """Simulate packets at several offered loads.

    A cycle is the time of one phit on a link. Delays are rounded up to whole cycles, at least one
    for a cable. The engine is described in ``docs/method/simulation.md``.

    Parameters
    ----------
    topology
        The network.
    delay_ps
        Delay of each cable, links first, then endpoints: int64 (L+H,).
    router_delay_ps
        Delay of a router, from the first phit in to the first phit out.
    rate_gbps
        Rate of all links.
    seed
        Seed of the study; each load has a stream of its own.
    progress
        Called while the simulation runs.
    executor
        Anything with ``map``, such as a ``ProcessPoolExecutor``: loads run in parallel, with the same result.
    link_rate
        Rate of each cable as a multiple of `rate_gbps`, links first, then endpoints: float64 (L+H,); 1 if not given.
    cable_dead_at, router_dead_at
        Cycle from which each cable, links first, then endpoints, int32 (L+H,), and each router, int32 (R,), is dead:
        0 from the start, `planner.simulation.faults.NEVER` never. Routing tables are prepared anew at each such cycle.
    routing, traffic
        Names of the routing and of the traffic pattern.
    loads
        Offered loads in phits per cycle and endpoint, each above 0 and at most 1.
    packet_phits, phit_bytes
        Phits of a packet, bytes of a phit.
    warmup, cycles
        Cycles before measuring, and measured. Without `warmup`: 2000 and twice the largest delay without load.
    virtual_channels
        Virtual channels of a port; as many as the routing needs if not given.
    input_packets
        Packets that fit into an input queue, one queue for each port and virtual channel. If not given:
        4, or as many as one virtual channel needs to fill the longest cable.
    output_packets
        Packets that fit into an output queue; 2 if not given.
    link_cycles
        Delay of every cable in cycles, in place of `delay_ps`.
    router_delay_cycles
        Delay of a router in cycles, in place of `router_delay_ps`.
    credit_cycles
        Cycles that a credit takes beyond the cable's delay; 0 if not given.
    injection
        Which input queue of its router port a source fills: ``"first"`` with room, or ``"turns"``; first if not given.
    arbitration
        Which packet that waits at a router is served first: ``"random"``, ``"round_robin"`` or ``"age"``, that is the
        oldest; random if not given.
    crossbar_speedup
        Phits that move into one output queue per cycle; if not given, what the fastest cable carries.
    input_speedup
        Packets that may leave the input queues of one port at once; 0 or not given: any number.
    precision
        A load is measured on until the 95 % intervals of its accepted load and mean delay are no wider to each side than
        this share of them, in steps of `cycles`; and warmed up beyond `warmup` until its delay has settled. Saturated
        loads are measured for `cycles` only.
    most_cycles
        Most cycles to measure, and most to warm up, with `precision`.
    saturation
        Search for the load at which the network saturates, by runs of `cycles`.
    occupation
        Add up the time that packets spend in the queues of each virtual channel; costs some time itself.
    allow_deadlock
        Simulate even where packets can wait for each other in a circle.
    preset
        ``"caminos"`` and ``"booksim"`` set delays, queues and channels as in those simulators.
    routing_parameters, traffic_parameters
        Parameters of the routing and of the traffic pattern.

    Returns
    -------
    SimulationResult
        One entry for each load. After Ctrl-C: of the loads that were finished, if any.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, and for a routing under which packets can wait in a circle.

    References
    ----------
    .. [1] C. Camarero, C. Martínez, R. Beivide, "Polarized routing: an efficient and versatile algorithm for large
       direct networks", HOTI 2021 (the router model).
    """
    usual = {"output_packets": 2, "credit_cycles": 0, "injection": "first", "arbitration": "random", "input_speedup": 0}
    usual["crossbar_speedup"] = 1 if link_rate is None else math.ceil(np.max(link_rate, initial=1))
    usual |= PRESETS[preset]
    explicit = {
        "input_packets": input_packets, "output_packets": output_packets, "link_cycles": link_cycles,
        "router_delay_cycles": router_delay_cycles, "credit_cycles": credit_cycles, "injection": injection,
        "arbitration": arbitration, "crossbar_speedup": crossbar_speedup, "input_speedup": input_speedup,
    }  # fmt: skip
    chosen = usual | {name: given for name, given in explicit.items() if given is not None}
    delay_ps = np.asarray(delay_ps, np.int64)
    given = {"router_delay_ps": router_delay_ps, "packet_phits": packet_phits, "phit_bytes": phit_bytes, "cycles": cycles}
    cables, routers = len(delay_ps), topology.router_count
    arrays = {
        "link_rate": (link_rate, cables),
        "cable_dead_at": (cable_dead_at, cables),
        "router_dead_at": (router_dead_at, routers),
    }
    _check(topology, delay_ps, rate_gbps, loads, chosen | given | {"warmup": warmup or 0}, arrays)

    cycle_ps = phit_bytes * 8000 / rate_gbps
    on_links = _cycles(delay_ps, cycle_ps, chosen.get("link_cycles"), least=1)
    router_cycles = int(_cycles(np.array([router_delay_ps]), cycle_ps, chosen.get("router_delay_cycles"), least=0)[0])
    network, prepared, faults = stages(
        Network(topology, on_links, link_rate),
        _element("routing", routing, routing_parameters),
        np.full(len(delay_ps), NEVER) if cable_dead_at is None else np.asarray(cable_dead_at),
        np.full(topology.router_count, NEVER) if router_dead_at is None else np.asarray(router_dead_at),
    )
    needed = max([prepared.virtual_channels, *(fault.prepared.virtual_channels for fault in faults)])
    table = _element("traffic", traffic, traffic_parameters)(topology, seed)
    longest_link = int(on_links.max())
    loop = 2 * longest_link + router_cycles + chosen["credit_cycles"] + packet_phits
    longest_way = (network.diameter + 2) * longest_link + (network.diameter + 1) * router_cycles + packet_phits
    case = Case(
        network=network,
        routing=routing,
        traffic=traffic,
        prepared=prepared,
        table=table,
        channels=_channels(virtual_channels, needed, routing, chosen.get("virtual_channels", 1)),
        packet_phits=packet_phits,
        input_packets=_input_packets(chosen.get("input_packets"), loop, packet_phits),
        output_packets=chosen["output_packets"],
        router_cycles=router_cycles,
        credit_cycles=chosen["credit_cycles"],
        take_turns=int(chosen["injection"] == "turns"),
        warmup=2000 + 2 * longest_way if warmup is None else warmup,
        cycles=cycles,
        arbitration=ARBITRATIONS.index(chosen["arbitration"]),
        crossbar_speedup=chosen["crossbar_speedup"],
        input_speedup=chosen["input_speedup"],
        occupation=occupation,
        faults=faults,
    )
    checked = [] if allow_deadlock else dependencies.of_case(case)
    for found in checked:
        dependencies.require_none(found, routing)
    tasks = [(load, _seed(seed, index)) for index, load in enumerate(loads)]
    goal = None if precision is None else Precision(precision, most_cycles)
    seen = observations(case, tasks, goal, progress, executor)
    bound = knee.load_bound(case)
    interval = None
    if saturation and len(seen) == len(loads):
        interval = _search(case, list(zip(loads, seen, strict=True)), seed, progress)
    return measures.result(case, round(cycle_ps), loads, seen, checked=checked, load_bound=bound, saturation=interval)


def _search(case: Case, known: list[tuple[float, Observation]], seed: int, progress: Progress) -> knee.Saturation:
    """Return where the network saturates; each run has a stream of its own."""
    steps = itertools.count()

    def run(load: float) -> Observation:
        step = next(steps)
        progress("simulation", step, knee.STEPS, saturation=f"{load:.3f}")
        return observe(case, load, _seed(seed, _SEARCH + step), lambda now: None)

    return knee.find(run, known, case.packet_phits / case.network.topology.endpoint_count)


def _cycles(picoseconds: np.ndarray, cycle_ps: float, instead: int | None, least: int) -> np.ndarray:
    """Return delays in cycles, rounded up, int32; or `instead` for all, where that is given."""
    # A rounding error of the division adds no cycle.
    rounded = np.ceil(picoseconds / cycle_ps - 1e-9) if instead is None else np.full(picoseconds.shape, instead)
    if rounded.max() > _LONGEST_CYCLES:
        raise InputError(Problem("", f"a delay is longer than {_LONGEST_CYCLES} cycles", "use a larger phit"))
    return np.maximum(rounded, least).astype(np.int32)


def _check(
    topology: Topology, delay_ps: np.ndarray, rate_gbps: float, loads: Sequence[float], numbers: dict[str, Any], arrays: dict
) -> None:
    problems = []
    if topology.endpoint_count == 0:
        problems.append(Problem("topology", "no router has an endpoint", "attach endpoints"))
    if delay_ps.shape != (topology.link_count + topology.endpoint_count,):
        problems.append(Problem("delay_ps", f"has shape {delay_ps.shape}", "give one delay for each link and endpoint"))
    elif (delay_ps < 0).any():
        problems.append(Problem("delay_ps", "is negative for a cable", "give delays of 0 or more"))
    if not rate_gbps > 0:
        problems.append(Problem("rate_gbps", f"must be above 0, not {rate_gbps}"))
    problems += [Problem("loads", f"a load is above 0 and at most 1, not {load}") for load in loads if not 0 < load <= 1]
    if not len(loads):
        problems.append(Problem("loads", "is empty", "give at least one load"))
    for name, (given, count) in arrays.items():
        if given is not None and np.shape(given) != (count,):
            problems.append(Problem(name, f"has shape {np.shape(given)}", f"give {count} values"))
    if arrays["link_rate"][0] is not None and not (np.asarray(arrays["link_rate"][0]) > 0).all():
        problems.append(Problem("link_rate", "must be above 0 for every cable"))
    for name, least in _LEAST.items():
        if numbers.get(name, least) < least:
            problems.append(Problem(name, f"must be at least {least}, not {numbers[name]}"))
    if problems:
        raise InputError(problems)


def _element(kind: str, name: str, parameters: dict[str, Any] | None):
    """Return an element's function with its parameters checked and bound."""
    compiled = {"routing": "candidates", "traffic": "target"}[kind]
    if not hasattr(registry.load(kind, name), compiled):
        raise InputError(Problem(kind, f"{name} defines no function {compiled}()", "see docs/method/simulation.md"))
    function = registry.function(kind, name)
    checked = arguments(
        function, data=parameters or {}, owner=name, given=registry.KINDS[kind].given, section=f"{kind}_parameters"
    )
    return partial(function, **checked)


def _channels(wanted: int | None, needed: int, routing: str, usual: int) -> int:
    if wanted is None:
        return max(needed, usual)
    if wanted < needed:
        raise InputError(
            Problem("virtual_channels", f"{wanted} cannot keep {routing} routing free of deadlock here", f"use at least {needed}")
        )
    return wanted


def _input_packets(wanted: int | None, loop: int, packet_phits: int) -> int:
    """Return the packets of an input queue; a credit comes back `loop` cycles after its packet began to leave."""
    if wanted is None:
        return max(4, -(-loop // packet_phits) + 1)
    if wanted * packet_phits < loop:
        share = 100 * wanted * packet_phits // loop
        warnings.warn(
            f"input queues of {wanted} packets let one virtual channel use {share} % of the longest cable",
            PlannerWarning,
            stacklevel=3,
        )
    return wanted


def _seed(seed: int, index: int) -> np.random.SeedSequence:
    return np.random.SeedSequence([seed, zlib.crc32(b"simulation")], spawn_key=(index,))
