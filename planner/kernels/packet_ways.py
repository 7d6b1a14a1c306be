"""Ways of waiting heads: a packet that waits for its best way is asked again only when that has room.

Routings that weigh queues, see `planner.simulation.network.Routing.classes`, would otherwise be asked in vain whenever a queue
of one of their ways comes free. Nothing here changes a result.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import merged
from planner.kernels.bits import lowest_bit
from planner.kernels.packet_records import CLASS, NEVER
from planner.kernels.routes import PACKET_PHITS, occupied

_PORTS = 63
"""Ports of a router that a mask can name; heads keep no ways to others."""


@merged
def forget(engine, rules, place):
    """Keep no ways in an entry of the list of waiting heads: its head is asked whenever one of its ports comes free."""
    for kind in range(rules.classes):
        engine.ways[place, kind] = 0


@merged
def keep(engine, rules, place, count):
    """Keep in an entry the `count` ways that were found, all of the same virtual channel, by class."""
    found = engine.found
    for i in range(count):
        if found[i, CLASS] == 0 or found[i, 0] >= _PORTS:
            return
    for i in range(count):
        engine.ways[place, found[i, CLASS] - 1] |= np.int64(1) << np.int64(found[i, 0])


@merged
def move(engine, rules, place, last):
    """Move the ways of one entry to another."""
    for kind in range(rules.classes):
        engine.ways[place, kind] = engine.ways[last, kind]


@merged
def is_open(engine, rules, numbers, base, place):
    """Return whether the best way of a waiting head has room, of those whose queue nothing is entering, or no ways are kept."""
    channel = np.int64(engine.waiting[place].channel)
    least = NEVER
    room, any_way = False, False
    for kind in range(rules.classes):
        mask = engine.ways[place, kind]
        while mask:
            any_way = True
            queue = base + lowest_bit(mask) * rules.channels + channel
            mask &= mask - 1
            if engine.output[queue].writing == 0:
                penalty = numbers[kind] + occupied(engine.output, queue, numbers) * numbers[PACKET_PHITS]
                if penalty <= least:
                    room = engine.output[queue].space > 0 or (room and penalty == least)
                    least = penalty
    return room or not any_way
