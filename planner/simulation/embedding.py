"""The embedded network: routers, queues, cables and faults for the packet engine."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from planner import registry
from planner.errors import InputError, PlannerWarning, Problem
from planner.model import Topology
from planner.reading import arguments
from planner.simulation import dependencies, wormhole
from planner.simulation.case import Case
from planner.simulation.dependencies import Dependencies
from planner.simulation.faults import NEVER, stages
from planner.simulation.network import Network

GIVEN = ("topology", "delay_ps", "router_delay_ps", "rate_gbps", "link_rate", "cable_fails_at", "router_fails_at")
"""Parameters of `embed` that the flow supplies; the others are keys of the study."""

PRESETS: dict[str, dict[str, Any]] = {
    "plan": {},
    "caminos": {"link_cycles": 1, "router_delay_cycles": 0, "virtual_channels": 4},
    # A channel of latency 1 is written in one cycle and read in the next but one.
    "booksim": {
        "flow_control": "wormhole", "link_cycles": 2, "router_delay_cycles": 0, "credit_cycles": 2, "crossbar_speedup": 2,
        "injection": "turns", "virtual_channels": 4,
    },
}  # fmt: skip
"""Settings that reproduce other simulators; an explicit parameter overrides its preset."""

ARBITRATIONS = ("random", "round_robin", "age")
"""In the order of the constants `planner.kernels.packet.records.RANDOM` and following."""

_CUT_THROUGH = ("output_packets", "arbitration", "input_speedup")
"""Settings that do not apply to wormhole switching."""

_MAX_DELAY_CYCLES = 1_000_000

_MINIMUM = {
    "router_delay_ps": 0, "router_delay_cycles": 0, "credit_cycles": 0,
    "input_speedup": 0, "crossbar_speedup": 1,
    "packet_phits": 1, "phit_bytes": 1, "link_cycles": 1, "input_packets": 1, "output_packets": 1, "input_phits": 1,
    "port_phits": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Embedding:
    """A network that can be simulated."""

    case: Case
    """Settings of all runs; traffic is added later."""
    cycle_ps: float
    """Time of one phit on a link."""
    phit_bytes: int
    checked: tuple[Dependencies, ...]
    """Results of the deadlock check, for the initial routing and those after faults; empty if deadlock is allowed."""


def embed(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    router_delay_ps: int,
    rate_gbps: float,
    link_rate: np.ndarray | None = None,
    cable_fails_at: np.ndarray | None = None,
    router_fails_at: np.ndarray | None = None,
    routing: str = "minimal",
    packet_phits: Annotated[int, Gt(0), Le(4096)] = 16,
    phit_bytes: Annotated[int, Gt(0)] = 64,
    virtual_channels: Annotated[int, Gt(0), Le(255)] | None = None,
    flow_control: Literal["cut_through", "wormhole"] | None = None,
    input_phits: Annotated[int, Gt(0), Le(2**20)] | None = None,
    input_packets: Annotated[int, Gt(0), Le(30000)] | None = None,
    port_phits: Annotated[int, Gt(0), Le(2**24)] | None = None,
    output_packets: Annotated[int, Gt(0), Le(30000)] | None = None,
    link_gbps: Annotated[float, Gt(0)] | None = None,
    link_cycles: Annotated[int, Gt(0), Le(1_000_000)] | None = None,
    router_delay_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None,
    credit_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None,
    injection: Literal["first", "turns"] | None = None,
    arbitration: Literal["random", "round_robin", "age"] | None = None,
    crossbar_speedup: Annotated[int, Gt(0), Le(4096)] | None = None,
    input_speedup: Annotated[int, Ge(0), Le(255)] | None = None,
    allow_deadlock: bool = False,
    preset: Literal["plan", "caminos", "booksim"] = "plan",
    routing_parameters: dict[str, Any] | None = None,
) -> Embedding:
    """Return the network and its routers as settings of a run.

    A cycle is the time of one phit on a link. Delays are rounded up to whole cycles, at least one
    for a cable. The router model is described in ``docs/method/simulation.md``.

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
    link_rate
        Rate of each cable as a multiple of `rate_gbps`, links first, then endpoints: float64 (L+H,); default 1.
    cable_fails_at
        Cycle at which each cable fails, links first, then endpoints: int32 (L+H,); 0 means failed from the start,
        `planner.simulation.faults.NEVER` never. Routing tables are recomputed at each such cycle.
    router_fails_at
        Cycle at which each router fails with all its cables, int32 (R,); values as for `cable_fails_at`.
    routing
        Name of the routing.
    packet_phits
        Length of a packet in phits.
    phit_bytes
        Size of a phit in bytes.
    virtual_channels
        Virtual channels per port; by default the number that the routing needs.
    flow_control
        ``"cut_through"`` (default): a packet advances when the next queue has space for all of it. ``"wormhole"``: flow control
        per phit; queues may be smaller than a packet, and phits of several packets interleave on a link. A wormhole router takes
        at least ⌈3 / `crossbar_speedup`⌉ - 1 cycles; faults and mixed link rates are not supported.
    input_phits
        Size of an input queue in phits, with wormhole switching, instead of `input_packets`.
    input_packets
        Size of an input queue in packets; one queue per port and virtual channel. By default the number that one virtual
        channel needs to cover the credit round trip of the longest cable, at least 4.
    port_phits
        Total size of the input queues of a port in phits, instead of `input_packets`; split evenly over virtual channels, in
        whole packets. Use it to compare routings that need different numbers of channels with the same buffer size.
    output_packets
        Size of an output queue in packets; default 2. With wormhole switching it is limited by credits only.
    link_gbps
        Rate of all links, instead of `rate_gbps`.
    link_cycles
        Delay of every cable in cycles, instead of `delay_ps`.
    router_delay_cycles
        Delay of a router in cycles, instead of `router_delay_ps`.
    credit_cycles
        Delay of a credit beyond the cable delay, in cycles; default 0.
    injection
        Virtual channel that a source injects into: ``"first"`` (default), the first one with space, or ``"turns"``, round robin.
    arbitration
        Priority of packets that wait at a router: ``"random"`` (default), ``"round_robin"`` or ``"age"``, the oldest first.
    crossbar_speedup
        Phits that move into one output queue per cycle; by default the rate of the fastest cable.
    input_speedup
        Packets that may leave the input queues of one port at once; 0 (default) for unlimited.
    allow_deadlock
        Whether to simulate routings with a cyclic channel dependency.
    preset
        ``"plan"`` (default) or the delays, queues and channels of the simulators ``"caminos"`` and ``"booksim"``.
    routing_parameters
        Parameters of the routing.

    Raises
    ------
    InputError
        For a network or a parameter that cannot be simulated, or a routing with a cyclic channel dependency.

    References
    ----------
    .. [1] C. Camarero, C. Martínez, R. Beivide, "Polarized routing: an efficient and versatile algorithm for large
       direct networks", HOTI 2021 (the router model).
    """
    rate_gbps = rate_gbps if link_gbps is None else link_gbps
    chosen = _chosen(
        preset, link_rate, flow_control=flow_control, input_phits=input_phits, input_packets=input_packets,
        port_phits=port_phits, output_packets=output_packets, link_cycles=link_cycles, router_delay_cycles=router_delay_cycles,
        credit_cycles=credit_cycles, injection=injection, arbitration=arbitration, crossbar_speedup=crossbar_speedup,
        input_speedup=input_speedup,
    )  # fmt: skip
    delay_ps = np.asarray(delay_ps, np.int64)
    sizes = {"router_delay_ps": router_delay_ps, "packet_phits": packet_phits, "phit_bytes": phit_bytes}
    cables, routers = len(delay_ps), topology.router_count
    failed_cables = np.full(cables, NEVER) if cable_fails_at is None else np.asarray(cable_fails_at)
    failed_routers = np.full(routers, NEVER) if router_fails_at is None else np.asarray(router_fails_at)
    arrays = {
        "link_rate": (link_rate, cables),
        "cable_fails_at": (failed_cables, cables),
        "router_fails_at": (failed_routers, routers),
    }
    conflicts = _conflicts(
        chosen["flow_control"], link_rate, failed_cables, failed_routers, input_phits=input_phits, input_packets=input_packets,
        port_phits=port_phits, output_packets=output_packets, arbitration=arbitration, input_speedup=input_speedup,
    )  # fmt: skip
    _check(topology, delay_ps, rate_gbps, chosen | sizes, arrays, conflicts)

    cycle_ps = phit_bytes * 8000 / rate_gbps
    on_links = _cycles(delay_ps, cycle_ps, chosen.get("link_cycles"), minimum=1)
    router_cycles = int(_cycles(np.array([router_delay_ps]), cycle_ps, chosen.get("router_delay_cycles"), minimum=0)[0])
    network = Network(topology, on_links, link_rate)
    network, prepared, faults = stages(network, element("routing", routing, routing_parameters), failed_cables, failed_routers)
    needed = max([prepared.virtual_channels, *(fault.prepared.virtual_channels for fault in faults)])
    channels = _channels(virtual_channels, needed, routing, chosen.get("virtual_channels", 1))
    case = Case(
        network=network,
        routing=routing,
        prepared=prepared,
        channels=channels,
        packet_phits=packet_phits,
        **_queues(chosen, int(on_links.max()), router_cycles, packet_phits, channels),
        credit_cycles=chosen["credit_cycles"],
        take_turns=int(chosen["injection"] == "turns"),
        arbitration=ARBITRATIONS.index(chosen["arbitration"]),
        crossbar_speedup=chosen["crossbar_speedup"],
        input_speedup=chosen["input_speedup"],
        faults=faults,
    )
    checked = () if allow_deadlock else tuple(dependencies.of_case(case))
    for found in checked:
        dependencies.require_none(found, routing)
    return Embedding(case, cycle_ps, phit_bytes, checked)


def _chosen(preset: str, link_rate: np.ndarray | None, **explicit: Any) -> dict[str, Any]:
    """Return the router settings: explicit values, else those of the preset, else defaults."""
    defaults: dict[str, Any] = {
        "flow_control": "cut_through", "output_packets": 2, "credit_cycles": 0, "injection": "first", "arbitration": "random",
        "input_speedup": 0,
    }  # fmt: skip
    defaults["crossbar_speedup"] = 1 if link_rate is None else math.ceil(np.max(link_rate, initial=1))
    return defaults | PRESETS[preset] | {name: given for name, given in explicit.items() if given is not None}


def _conflicts(
    flow_control: str, link_rate: np.ndarray | None, failed_cables: np.ndarray, failed_routers: np.ndarray, **explicit: Any
) -> list[Problem]:
    """Return the settings that the flow control does not support."""
    if explicit["port_phits"] is not None and (explicit["input_packets"] or explicit["input_phits"]):
        return [Problem("port_phits", "conflicts with the size of each queue", "give one of them")]
    if flow_control == "cut_through":
        used = explicit["input_phits"] is not None
        return [Problem("input_phits", "applies to wormhole switching only", "give input_packets")] if used else []
    other = 'use flow_control = "cut_through"'
    problems = [
        Problem(name, "applies to cut-through only", f"remove it, or {other}")
        for name in _CUT_THROUGH
        if explicit[name] is not None
    ]
    if explicit["input_phits"] is not None and explicit["input_packets"] is not None:
        problems.append(Problem("input_phits", "conflicts with input_packets", "give one of them"))
    if link_rate is not None and (np.asarray(link_rate) != 1).any():
        problems.append(Problem("link_rate", "wormhole switching needs the same rate on all cables", other))
    if min(failed_cables.min(initial=NEVER), failed_routers.min(initial=NEVER)) < NEVER:
        problems.append(Problem("faults", "wormhole switching does not support faults", other))
    return problems


def _cycles(picoseconds: np.ndarray, cycle_ps: float, instead: int | None, minimum: int) -> np.ndarray:
    """Return delays in cycles, rounded up, int32; `instead` for all, if given."""
    # A rounding error of the division adds no cycle.
    rounded = np.ceil(picoseconds / cycle_ps - 1e-9) if instead is None else np.full(picoseconds.shape, instead)
    if rounded.max() > _MAX_DELAY_CYCLES:
        raise InputError(Problem("", f"a delay is longer than {_MAX_DELAY_CYCLES:,} cycles", "use a larger phit"))
    return np.maximum(rounded, minimum).astype(np.int32)


def _check(
    topology: Topology, delay_ps: np.ndarray, rate_gbps: float, numbers: dict[str, Any], arrays: dict, problems: list
) -> None:
    problems = list(problems)
    if topology.endpoint_count == 0:
        problems.append(Problem("topology", "no router has an endpoint", "attach endpoints"))
    if delay_ps.shape != (topology.link_count + topology.endpoint_count,):
        problems.append(Problem("delay_ps", f"has shape {delay_ps.shape}", "give one delay per link and endpoint"))
    elif (delay_ps < 0).any():
        problems.append(Problem("delay_ps", "is negative for a cable", "give delays of 0 or more"))
    if not rate_gbps > 0:
        problems.append(Problem("rate_gbps", f"must be above 0, not {rate_gbps}"))
    for name, (given, count) in arrays.items():
        if given is not None and np.shape(given) != (count,):
            problems.append(Problem(name, f"has shape {np.shape(given)}", f"give {count:,} values"))
    if arrays["link_rate"][0] is not None and not (np.asarray(arrays["link_rate"][0]) > 0).all():
        problems.append(Problem("link_rate", "must be above 0 for every cable"))
    for name, minimum in _MINIMUM.items():
        if numbers.get(name, minimum) < minimum:
            problems.append(Problem(name, f"must be at least {minimum}, not {numbers[name]}"))
    if problems:
        raise InputError(problems)


def element(kind: str, name: str, parameters: dict[str, Any] | None) -> Callable:
    """Return the function of an element with validated parameters bound."""
    compiled = {"routing": "candidates", "traffic": "target"}.get(kind)
    if compiled and not hasattr(registry.load(kind, name), compiled):
        raise InputError(Problem(kind, f"{name} defines no function {compiled}()", "see docs/method/simulation.md"))
    function = registry.function(kind, name)
    checked = arguments(
        function, data=parameters or {}, owner=name, given=registry.KINDS[kind].given, section=f"{kind}_parameters"
    )
    return partial(function, **checked)


def _channels(wanted: int | None, needed: int, routing: str, default: int) -> int:
    if wanted is None:
        return max(needed, default)
    if wanted < needed:
        raise InputError(
            Problem("virtual_channels", f"{wanted} are too few for {routing} routing without deadlock", f"use at least {needed}")
        )
    return wanted


def _queues(chosen: dict[str, Any], longest_link: int, router_cycles: int, packet_phits: int, channels: int) -> dict[str, int]:
    """Return the queue sizes and the router cycles."""
    # Credit round trip, from the start of a packet's or phit's transmission.
    round_trip = 2 * longest_link + chosen["credit_cycles"]
    cut_through = chosen["flow_control"] == "cut_through"
    if cut_through:
        round_trip += router_cycles + packet_phits
    else:
        minimum = wormhole.min_router_cycles(chosen["crossbar_speedup"])
        router_cycles = max(router_cycles, minimum)
        round_trip += router_cycles - minimum
    packets, phits, port = chosen.get("input_packets"), chosen.get("input_phits"), chosen.get("port_phits")
    if port is not None:
        packets = port // (channels * packet_phits)
        if not packets:
            problem = f"{port} phits are less than one packet of {packet_phits} phits per virtual channel ({channels})"
            raise InputError(Problem("port_phits", problem, f"use at least {channels * packet_phits}"))
    if phits is None:
        packets = max(4, -(-round_trip // packet_phits) + 1) if packets is None else packets
        phits = packets * packet_phits
    together, user = (phits, "one virtual channel") if port is None else (channels * phits, "all virtual channels")
    if together < round_trip:
        warnings.warn(
            f"input queues of {together} phits limit {user} to {100 * together // round_trip} % of the rate of the longest cable",
            PlannerWarning,
            stacklevel=3,
        )
    return {
        "router_cycles": router_cycles,
        "input_phits": 0 if cut_through else phits,
        "input_packets": -(-phits // packet_phits),
        "output_packets": chosen["output_packets"] if cut_through else 0,
    }
