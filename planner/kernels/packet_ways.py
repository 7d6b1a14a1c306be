"""Ways of packets that wait for their best one, see `planner.simulation.network.Routing.classes`.

The routing only sorts the ways; here their queues are weighed. A head that waits keeps its ways, so that it need not ask the
routing again whenever a queue of one of them comes free, mostly in vain. Nothing here changes a result.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined, merged
from planner.kernels.bits import lowest_bit
from planner.kernels.packet_records import CLASS, NONE
from planner.kernels.random import below
from planner.kernels.routes import PACKET_PHITS, occupied

FULL = -2
"""Instead of a queue: the best one has no room."""

_PORTS = 63
"""Ports of a router that a mask can name; heads keep no ways to others."""

_BUSY, _NO_WAY = 2**40 + 1, 2**41 + 1
"""Prices of a queue that a packet is just entering, and where there is no way."""


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


@inlined
def choose(engine, rules, numbers, base, place):
    """Return the output queue of the best way that an entry keeps, ties at random; `NONE` when it keeps none.

    Queues that a packet is just entering do not count; `FULL` when the best one has no room, or none counts.
    """
    first = base + np.int64(engine.waiting[place].channel)
    least, ports = _NO_WAY, np.int64(0)
    for kind in range(rules.classes):
        mask = engine.ways[place, kind]
        while mask:
            port = lowest_bit(mask)
            mask &= mask - 1
            price = _price(engine, numbers, first + port * rules.channels, numbers[kind])
            if price <= least:
                ports = (ports if price == least else np.int64(0)) | np.int64(1) << port
                least = price
    if least & 1:
        return NONE if least == _NO_WAY else FULL
    best = lowest_bit(ports)
    ties = 1
    ports &= ports - 1
    while ports:
        ties += 1
        if below(engine.random, ties) == 0:
            best = lowest_bit(ports)
        ports &= ports - 1
    return first + best * rules.channels


@merged
def choose_found(engine, rules, numbers, base, count):
    """Choose as `choose` among the `count` ways that were found."""
    found = engine.found
    least = _NO_WAY
    for i in range(count):
        if found[i, 1] < rules.channels:
            queue = base + found[i, 0] * rules.channels + found[i, 1]
            least = min(least, _price(engine, numbers, queue, np.int64(found[i, 2])))
    if least & 1:
        return NONE if least == _NO_WAY else FULL
    best, ties = NONE, 0
    for i in range(count):
        queue = base + found[i, 0] * rules.channels + found[i, 1]
        if found[i, 1] < rules.channels and _price(engine, numbers, queue, np.int64(found[i, 2])) == least:
            ties += 1
            if ties == 1 or below(engine.random, ties) == 0:
                best = queue
    return best


@merged
def _price(engine, numbers, queue, weight):
    """Return twice a weight and the phits queued; odd when the queue is full, which of equal ones comes behind, or busy."""
    if engine.output[queue].writing:
        return _BUSY
    full = 1 if engine.output[queue].space == 0 else 0
    return 2 * (weight + occupied(engine.output, queue, numbers) * numbers[PACKET_PHITS]) + full
