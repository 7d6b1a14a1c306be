"""Candidates by class, of packets that wait for their best candidate; see `planner.simulation.network.Routing.weights`.

The routing writes one port mask per class; the engine compares the queues. A waiting head stores its masks, so that it does
not call the routing again whenever one of its queues is freed, usually without success. `Engine.free_space` holds one byte per
queue, by channel, with the ports of a router in consecutive bytes: 0 while a packet enters the queue, otherwise 2 plus twice
the free packet slots of the queue and of the input queue at the other end, plus 1 unless the queue is full. This is an
optimization only: results do not change.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers
from planner.kernels.addresses import record_at
from planner.kernels.instructions import largest, lowest_bit
from planner.kernels.packet.records import NONE, port_of
from planner.kernels.random import below
from planner.kernels.routing.view import VIEW

FULL = -2
"""Returned instead of a queue when the best one is full."""

MAX_PORTS = 63
"""Maximum ports of a router in a mask."""

MAX_CHANNELS = 254
"""Maximum virtual channels that `Engine.wanted_vc` distinguishes."""

MAX_PACKETS = 126
"""Maximum packets of an output plus an input queue that `Engine.free_space` can count."""

_WORST = -(2**60)


@always_inlined
def update_free_space(engine, rules, queue):
    """Update the free space of an output queue."""
    port = port_of(rules, queue)
    if port < rules.routers_end:
        router = np.int64(engine.port[port].router)
        output = engine.output[queue]
        left = 0
        if output.writing == 0:
            left = 2 + 2 * (np.int64(output.space) + np.int64(output.credit)) + (1 if output.space > 0 else 0)
        row = router * rules.channels + np.int64(queue) - port * rules.channels
        engine.free_space[row, port - engine.router[router].first_port] = left


@copied_into_callers
def clear(engine, rules, place):
    """Clear the class masks of a waiting entry: its head requests again whenever one of its ports is freed."""
    for kind in range(rules.classes):
        engine.class_ports[place, kind] = 0


@copied_into_callers
def store(engine, rules, place):
    """Store the candidates by class in a waiting entry."""
    engine.wanted_vc[place] = engine.candidates[0].channel
    for kind in range(rules.classes):
        engine.class_ports[place, kind] = engine.candidates[kind].port


@copied_into_callers
def ports_of(engine, rules, place):
    """Return the union of the port masks of an entry."""
    ports = np.int64(0)
    for kind in range(rules.classes):
        ports |= engine.class_ports[place, kind]
    return np.uint64(ports)


@copied_into_callers
def move(engine, rules, place, last):
    """Move the class masks of one entry to another."""
    for kind in range(rules.classes):
        engine.class_ports[place, kind] = engine.class_ports[last, kind]


@always_inlined
def choose(engine, rules, view, router, place):
    """Return the output queue of the best stored candidate, ties broken at random; `NONE` when none is stored.

    Queues that a packet is entering do not count; `FULL` when the best one has no space, or none counts.
    """
    channel = np.int64(engine.wanted_vc[place])
    if channel >= rules.channels:
        return NONE
    row = router * rules.channels + channel
    seen = record_at(view, VIEW)
    empty = (1 + seen.queue_packets) * seen.packet_phits
    best, ports, stored = _WORST, np.int64(0), np.int64(0)
    for kind in range(rules.classes):
        mask = engine.class_ports[place, kind]
        stored |= mask
        # Not even empty queues would be better.
        if 2 * (empty - seen.weights[kind]) + 1 < best:
            continue
        largest_space, emptiest = largest(engine.free_space, row, mask)
        if largest_space > 0:
            # Minimum weight plus queued phits; of equal queues a full one comes last.
            score = 2 * ((largest_space >> 1) * seen.packet_phits - seen.weights[kind]) + (largest_space & 1)
            if score >= best:
                ports = emptiest if score > best else ports | emptiest
                best = score
    if best & 1 == 0:
        return FULL if stored else NONE
    port = lowest_bit(ports)
    ties = 1
    ports &= ports - 1
    while ports:
        ties += 1
        if below(engine.random, ties) == 0:
            port = lowest_bit(ports)
        ports &= ports - 1
    return (engine.router[router].first_port + port) * rules.channels + channel
