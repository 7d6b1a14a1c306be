"""Heads of input queues that wait at the routers of the packet engine: a list for each router, in no order."""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined, merged
from planner.kernels.bits import lowest_bit
from planner.kernels.byte_rows import LANES, equal
from planner.kernels.packet import classes

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Any port."""

MIXED = -1
"""Instead of a virtual channel: several."""

_SEVERAL = 255
"""The same in `Engine.sought`, which holds channels modulo 255."""


@merged
def wait(engine, rules, place, queue, ports, channel):
    """Note in `place` that the head of an input queue waits for any of some ports of its router, on one virtual channel."""
    classes.forget(engine, rules, place)
    seek(engine, place, queue, engine.input[queue].head, ports, channel)


@inlined
def seek(engine, place, queue, p, ports, channel):
    """Note as `wait` does, for a head that keeps its ways."""
    waiting = engine.waiting[place]
    waiting.queue = queue
    waiting.packet = p
    waiting.ports = ports
    engine.sought[place] = _SEVERAL if channel == MIXED else channel % _SEVERAL


@merged
def leave(engine, rules, router, base, place):
    """Take an entry out of a router's list of waiting heads; the last one takes its place."""
    engine.router[router].waiting -= 1
    last = base + engine.router[router].waiting
    moved = engine.waiting[last]
    engine.waiting[place].queue = moved.queue
    engine.waiting[place].ports = moved.ports
    engine.waiting[place].packet = moved.packet
    engine.sought[place] = engine.sought[last]
    classes.move(engine, rules, place, last)


@inlined
def following(engine, first, end, bit, channel):
    """Return the first entry from `first` on that waits for a port, given as its bit, on a channel; `end` when there is none.

    Of channels and ports that are not told apart another may be meant: then the head asks in vain.
    """
    while first < end:
        entries = equal(engine.sought, first, channel % _SEVERAL, _SEVERAL)
        while entries:
            place = first + lowest_bit(entries)
            if place >= end:
                return end
            if engine.waiting[place].ports & bit:
                return place
            entries &= entries - 1
        first += LANES
    return end
