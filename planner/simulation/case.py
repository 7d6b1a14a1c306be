"""All settings of a run of the packet engine except its load."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from planner.core import registry
from planner.kernels.packet import records
from planner.simulation.network import Network, Routing
from planner.simulation.spread import Spread

MAX_DEFAULT_CYCLES, _PACKETS = 5_000, 400_000
"""Measured cycles where a study has none, and the packets of all sources at load 1 for which fewer suffice: at a tenth of it the
95 % interval of a Poisson process is within 1 %."""


@dataclass(frozen=True)
class Fault:
    """Ports that fail at a cycle, and the routing prepared for what is left."""

    cycle: int
    failed: np.ndarray
    """0, `records.LINK_FAILED` or `records.ROUTER_FAILED` for each port, int32."""
    prepared: Routing


@dataclass(frozen=True)
class Case:
    """Settings of a run except its load; can be pickled."""

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
    spread: Spread | None = None
    """How nodes distribute their packets over planes; None if every endpoint is a node."""
    warmup: int = 0
    cycles: int = 1 << 16
    arbitration: int = records.RANDOM
    crossbar_speedup: int = 1
    """Phits that move into an output queue per cycle."""
    input_speedup: int = 0
    """Packets that may leave one input port at once; 0 for unlimited."""
    occupancy: bool = False
    """Whether the occupancy of every queue is measured."""
    input_phits: int = 0
    """Phits of an input queue with wormhole switching, where `input_packets` is the same in packets, rounded up, and
    `output_packets` is 0; 0 with cut-through."""
    process: str = "bernoulli"
    """Injection process, one of `planner.simulation.injection.PROCESSES`."""
    burst_packets: float = 8.0
    burst_load: float = 1.0
    faults: tuple[Fault, ...] = ()
    """Faults in ascending order of cycle; `prepared` is the routing before the first one after the start."""


def rates(case: Case) -> np.ndarray:
    """Return the load of each source as a share of the offered load, float64 (H,), 0 to 1; up to the planes for hashed pairs."""
    spread, endpoints = case.spread, case.network.topology.endpoint_count
    nodes = endpoints if spread is None else len(spread.port)
    of_table = getattr(registry.load("traffic", case.traffic), "rates", None)
    of_nodes = np.ones(nodes) if of_table is None else of_table(case.table)
    if spread is None:
        return of_nodes
    # Ports without a counterpart in every other plane are silent.
    result = np.zeros(endpoints)
    result[spread.port] = of_nodes[:, None] * spread.share
    return result


def creation_rates(case: Case, load: float) -> np.ndarray:
    """Return the mean packets per cycle that each source creates, float64 (H,)."""
    return rates(case) * (load / case.packet_phits)


def longest_delay(case: Case) -> int:
    """Return the largest zero-load delay of a packet on a minimal path, in cycles."""
    longest, hops = int(case.network.link_cycles.max()), case.network.diameter
    return (hops + 2) * longest + (hops + 1) * case.router_cycles + int(packet_cycles(case).max())


def default_cycles(case: Case) -> int:
    """Return the measured cycles where a study has none; at least the largest zero-load delay."""
    packets_per_cycle = rates(case).sum() / case.packet_phits
    return min(MAX_DEFAULT_CYCLES, max(longest_delay(case), math.ceil(_PACKETS / packets_per_cycle)))


def packet_cycles(case: Case) -> np.ndarray:
    """Return the serialization time of a packet on each cable, links first, then endpoints: int32 (L+H,)."""
    return np.ceil(case.packet_phits / case.network.link_rate - 1e-9).astype(np.int32)


def move_cycles(case: Case) -> int:
    """Return the minimum cycles of a packet across the crossbar."""
    return -(-case.packet_phits // case.crossbar_speedup)
