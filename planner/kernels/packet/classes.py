"""Ways of packets that wait for their best one, see `planner.simulation.network.Routing.classes`.

The routing only sorts the ways into classes, as bits of ports; here their queues are weighed. A head that waits keeps its
ways, so that it need not ask the routing again whenever a queue of one of them comes free, mostly in vain. What queues have
left is kept by channel, the ports of a router side by side, in `Engine.room`: 0 while a packet enters the queue, else 2 and
twice the packets that fit into it and the input queue at the other end, and one more unless it is full. Nothing here changes
a result.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined, merged
from planner.kernels.bits import lowest_bit
from planner.kernels.byte_rows import largest
from planner.kernels.packet.records import NONE, port_of, seen
from planner.kernels.random import below
from planner.kernels.routing.steps import PACKET_PHITS

FULL = -2
"""Instead of a queue: the best one has no room."""

MOST_PORTS = 63
"""Ports of a router of which a mask can tell."""

MOST_CHANNELS = 254
"""Virtual channels that `Engine.sought` tells apart."""

MOST_PACKETS = 126
"""Packets of an output and an input queue that `Engine.room` can count."""

_WORST = -(2**60)


@inlined
def weigh(engine, rules, queue):
    """Note what an output queue has left."""
    port = port_of(rules, queue)
    if port < rules.routers_end:
        router = np.int64(engine.port[port].router)
        output = engine.output[queue]
        left = 0
        if output.writing == 0:
            left = 2 + 2 * (np.int64(output.space) + np.int64(output.credit)) + (1 if output.space > 0 else 0)
        row = router * rules.channels + np.int64(queue) - port * rules.channels
        engine.room[row, port - engine.router[router].first_port] = left


@merged
def forget(engine, rules, place):
    """Keep no ways in an entry of the list of waiting heads: its head is asked whenever one of its ports comes free."""
    for kind in range(rules.classes):
        engine.ways[place, kind] = 0


@merged
def keep(engine, rules, place):
    """Keep in an entry the ways that were found by class."""
    engine.sought[place] = engine.found[0, 1]
    for kind in range(rules.classes):
        engine.ways[place, kind] = engine.found[kind, 0]


@merged
def ports_of(engine, rules, place):
    """Return the bits of all ports of the ways that an entry keeps."""
    ports = np.int64(0)
    for kind in range(rules.classes):
        ports |= engine.ways[place, kind]
    return np.uint64(ports)


@merged
def move(engine, rules, place, last):
    """Move the ways of one entry to another."""
    for kind in range(rules.classes):
        engine.ways[place, kind] = engine.ways[last, kind]


@inlined
def choose(engine, rules, view, router, place):
    """Return the output queue of the best way that an entry keeps, ties at random; `NONE` when it keeps none.

    Queues that a packet is just entering do not count; `FULL` when the best one has no room, or none counts.
    """
    channel = np.int64(engine.sought[place])
    if channel >= rules.channels:
        return NONE
    row = router * rules.channels + channel
    numbers = seen(view).numbers
    best, ports, kept = _WORST, np.int64(0), np.int64(0)
    for kind in range(rules.classes):
        mask = engine.ways[place, kind]
        kept |= mask
        most, roomiest = largest(engine.room, row, mask)
        if most > 0:
            # The least weight plus phits queued; of equal ones a full queue comes behind.
            worth = 2 * ((most >> 1) * numbers[PACKET_PHITS] - numbers[kind]) + (most & 1)
            if worth >= best:
                ports = roomiest if worth > best else ports | roomiest
                best = worth
    if best & 1 == 0:
        return FULL if kept else NONE
    port = lowest_bit(ports)
    ties = 1
    ports &= ports - 1
    while ports:
        ties += 1
        if below(engine.random, ties) == 0:
            port = lowest_bit(ports)
        ports &= ports - 1
    return (engine.router[router].first_port + port) * rules.channels + channel
