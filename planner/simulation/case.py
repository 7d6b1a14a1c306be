"""What a run of the packet engine needs to know, apart from its load."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner import registry
from planner.kernels.packet import records
from planner.simulation.network import Network, Routing


@dataclass(frozen=True)
class Fault:
    """What is dead from some cycle on, and the routing without it."""

    cycle: int
    dead: np.ndarray
    """0, `records.LINK_DEAD` or `records.ROUTER_DEAD` for each port, int32."""
    prepared: Routing


@dataclass(frozen=True)
class Case:
    """Everything that a run needs except its load; can be sent to another process."""

    network: Network
    routing: str
    prepared: Routing
    channels: int
    packet_phits: int
    input_packets: int
    output_packets: int
    router_cycles: int
    credit_cycles: int
    take_turns: int
    traffic: str = ""
    table: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    warmup: int = 0
    cycles: int = 1 << 16
    arbitration: int = records.RANDOM
    crossbar_speedup: int = 1
    """Phits that move into an output queue per cycle."""
    input_speedup: int = 0
    """Packets that may leave one input port at once; 0 for any number."""
    occupation: bool = False
    """Whether the time in every queue is added up."""
    input_phits: int = 0
    """Phits of an input queue with wormhole switching, where `input_packets` is as many packets, rounded up, and
    `output_packets` 0; 0 with cut-through."""
    process: str = "bernoulli"
    """How sources create packets, one of `planner.simulation.injection.PROCESSES`."""
    burst_packets: float = 8.0
    burst_load: float = 1.0
    faults: tuple[Fault, ...] = ()
    """What dies, in ascending order of time; `prepared` is for what never dies or dies later."""


def rates(case: Case) -> np.ndarray:
    """Return the load of each source as a share of the offered load, float64 (H,), 0 to 1."""
    of_table = getattr(registry.load("traffic", case.traffic), "rates", None)
    return np.ones(case.network.topology.endpoint_count) if of_table is None else of_table(case.table)


def creation_rates(case: Case, load: float) -> np.ndarray:
    """Return the packets that each source creates in a cycle in the mean, float64 (H,)."""
    return rates(case) * (load / case.packet_phits)


def longest_delay(case: Case) -> int:
    """Return the largest delay of a packet without load on a minimal path, in cycles."""
    longest, hops = int(case.network.link_cycles.max()), case.network.diameter
    return (hops + 2) * longest + (hops + 1) * case.router_cycles + int(packet_cycles(case).max())


def packet_cycles(case: Case) -> np.ndarray:
    """Return the time of a packet on each cable, links first, then endpoints: int32 (L+H,)."""
    return np.ceil(case.packet_phits / case.network.link_rate - 1e-9).astype(np.int32)


def move_cycles(case: Case) -> int:
    """Return the least time of a packet across the crossbar."""
    return -(-case.packet_phits // case.crossbar_speedup)
