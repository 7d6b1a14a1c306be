"""Head-of-line packets that wait at the routers of the packet engine: one unordered list per router."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers
from planner.kernels.instructions import LANES, equal, lowest_bit
from planner.kernels.packet import classes

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Any port."""

MIXED = -1
"""Wanted virtual channel of a head with candidates on several channels."""

_SEVERAL = 255
"""`MIXED` in `Engine.wanted_vc`, which stores channels modulo 255."""


@copied_into_callers
def wait(engine, rules, place, queue, ports, channel):
    """Enter in `place` that the head of an input queue waits for any of some ports of its router, on one virtual channel."""
    classes.clear(engine, rules, place)
    write_entry(engine, place, queue, engine.input[queue].head, ports, channel)


@always_inlined
def write_entry(engine, place, queue, p, ports, channel):
    """Write the entry of a waiting head and keep its candidates."""
    waiting = engine.waiting[place]
    waiting.queue = queue
    waiting.packet = p
    waiting.ports = ports
    engine.wanted_vc[place] = _SEVERAL if channel == MIXED else channel % _SEVERAL


@copied_into_callers
def leave(engine, rules, router, base, place):
    """Remove an entry from a router's list of waiting heads; the last entry takes its place."""
    engine.router[router].waiting -= 1
    last = base + engine.router[router].waiting
    moved = engine.waiting[last]
    engine.waiting[place].queue = moved.queue
    engine.waiting[place].ports = moved.ports
    engine.waiting[place].packet = moved.packet
    engine.wanted_vc[place] = engine.wanted_vc[last]
    classes.move(engine, rules, place, last)


@always_inlined
def next_waiting(engine, first, end, bit, channel):
    """Return the first entry from `first` on that waits for a port (as a bit) on a channel; `end` if there is none.

    Ports and channels may be aliased: harmless, but it costs a request that fails.
    """
    while first < end:
        entries = equal(engine.wanted_vc, first, channel % _SEVERAL, _SEVERAL)
        while entries:
            place = first + lowest_bit(entries)
            if place >= end:
                return end
            if engine.waiting[place].ports & bit:
                return place
            entries &= entries - 1
        first += LANES
    return end
