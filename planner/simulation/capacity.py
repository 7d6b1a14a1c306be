"""Lengths of the arrays of the packet engine: the largest number of packets, events and entries that can exist at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.kernels.packet import records
from planner.simulation.blocks import Division
from planner.simulation.case import Case, move_cycles

_MIN_SLOTS = 512


class Sizes(NamedTuple):
    """Lengths of the arrays of a block."""

    packets: int
    chunks: int
    new: int
    freed: int
    touched: int
    mails: int


def sizes(case: Case, divided: Division, block: np.ndarray, ports: np.ndarray) -> list[Sizes]:
    """Return the lengths of the arrays of each block, given the block of each port and the records of all ports."""
    ends = np.split(block, [int(case.network.first_port[-1])])
    counts = zip(*(np.bincount(each, minlength=divided.blocks).tolist() for each in ends), strict=True)
    wheel = slots(case, ports, divided.window)
    return [_of_block(case, divided, *count, wheel, int(ports["packet_cycles"].min())) for count in counts]


def _of_block(case: Case, divided: Division, router_ports: int, endpoints: int, wheel: int, shortest: int) -> Sizes:
    inputs, outputs = router_ports * case.channels, (router_ports + endpoints) * case.channels
    # What links send within a window to another block.
    sent = router_ports * (2 + divided.window // shortest) if divided.blocks > 1 else 0
    # Every packet occupies a slot of an input or output queue, or is on a link to or from an endpoint; what is sent to another
    # block keeps a record for two windows.
    packets = inputs * (case.input_packets + case.output_packets) + endpoints * (2 + wheel // shortest) + 2 * sent
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
        # Packets, as many credits besides those of queues that were full, and what endpoints received.
        mails=3 * sent + inputs * case.input_packets if divided.blocks > 1 else 0,
    )


def slots(case: Case, ports: np.ndarray, window: int) -> int:
    """Return the slots of a time wheel: a power of two beyond every delay, as seen by a block that is behind by a window."""
    # A packet may move as slowly as it arrives.
    slowest = max(int(ports["packet_cycles"].max()), move_cycles(case))
    longest = int(ports["delay"].max()) + slowest + case.router_cycles + case.credit_cycles
    # At most one credit per port and cycle is returned.
    longest += case.channels * case.input_phits
    return 1 << max(_MIN_SLOTS, longest + window).bit_length()
