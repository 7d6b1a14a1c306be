"""Lengths of the arrays of the packet engine: the largest number of packets, events and entries that can exist at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.kernels.packet import records
from planner.simulation.case import Case, move_cycles, packet_cycles

_MIN_SLOTS = 512


class Division(NamedTuple):
    """Blocks of a network, and the cycles that a block runs before it needs what others have sent."""

    blocks: int
    window: int


class Sizes(NamedTuple):
    """Lengths of the arrays of a block."""

    packets: int
    chunks: int
    new: int
    freed: int
    touched: int
    mails: int


def sizes(case: Case, divided: Division, block: np.ndarray) -> list[Sizes]:
    """Return the lengths of the arrays of each block, given the block of each port."""
    ends = np.split(block, [int(case.network.first_port[-1])])
    counts = zip(*(np.bincount(each, minlength=divided.blocks).tolist() for each in ends), strict=True)
    shortest, wheel = int(packet_cycles(case).min()), slots(case)
    return [_sizes(case, divided, router_ports, endpoints, shortest, wheel) for router_ports, endpoints in counts]


def packet_records(case: Case, divided: Division) -> int:
    """Return the packet records of all blocks together."""
    counts = int(case.network.first_port[-1]), case.network.topology.endpoint_count
    return _sizes(case, divided, *counts, int(packet_cycles(case).min()), slots(case)).packets


def _sizes(case: Case, divided: Division, router_ports: int, endpoints: int, shortest: int, wheel: int) -> Sizes:
    """Return the lengths of the arrays of a block with some router ports, those to its endpoints included.

    `shortest` are the cycles of a packet on the fastest cable, `wheel` the slots of the time wheel.
    """
    inputs, outputs = router_ports * case.channels, (router_ports + endpoints) * case.channels
    # What a port sends or receives in a window.
    passed = 1 + (divided.window - 1) // shortest
    # Every packet occupies a slot of an input or output queue, or is on a link to or from an endpoint; what is sent to another
    # block keeps a record for two windows.
    packets = inputs * (case.input_packets + case.output_packets) + endpoints * (2 + wheel // shortest)
    packets += 2 * passed * (router_ports - endpoints) if divided.blocks > 1 else 0
    # At most one event per packet; one move, transmission and request per queue; one per source; one credit per slot.
    events = packets + 2 * outputs + inputs * (1 + case.input_packets) + endpoints
    if case.input_phits:
        # A queue contains parts of up to two packets besides complete ones; every phit slot has one phit or credit in flight.
        packets = outputs * (case.input_packets + 2)
        events = outputs * case.input_phits + endpoints
    return Sizes(
        packets=packets,
        chunks=1 + wheel + events // records.CHUNK,
        # Arbitration also lists routers, each of which has a port.
        new=inputs + 1,
        freed=2 * outputs + (inputs if case.input_speedup else 0) + 1,
        touched=events + inputs,
        # Packets, credits for what was in input queues or arrived there, and what endpoints received.
        mails=3 * passed * router_ports + inputs * case.input_packets if divided.blocks > 1 else 0,
    )


def slots(case: Case) -> int:
    """Return the slots of a time wheel: a power of two beyond every delay."""
    # A packet may move as slowly as it arrives.
    slowest = max(int(packet_cycles(case).max()), move_cycles(case))
    longest = int(case.network.link_cycles.max()) + slowest + case.router_cycles + case.credit_cycles
    # At most one credit per port and cycle is returned.
    longest += case.channels * case.input_phits
    return 1 << max(_MIN_SLOTS, longest + 1).bit_length()
