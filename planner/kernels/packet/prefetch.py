"""Software prefetch of the records that the packet engine will access in this cycle.

Packets, queues and ports of a large network exceed the near caches, and each event accesses others. Prefetching overlaps
their cache misses. Results do not change.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import copied_into_callers
from planner.kernels.addresses import record_at
from planner.kernels.instructions import prefetch
from planner.kernels.packet.records import ARRIVE, CHUNK, CREDIT, DELIVER, MOVED, port_of
from planner.kernels.routing.view import VIEW


@copied_into_callers
def events(engine, first, end):
    """Prefetch the records of the next chunk's events, and what the events from `first` to `end` access through theirs."""
    following = engine.chunk_before[first // CHUNK]
    if following > 0:
        for i in range(following - CHUNK, following):
            event = engine.event[i]
            kind, index = event & 7, np.int64(event >> 3)
            if kind in (ARRIVE, DELIVER):
                prefetch(engine.packet, index)
            elif kind == MOVED:
                prefetch(engine.input, index)
            elif kind <= CREDIT:
                prefetch(engine.output, index)
    for i in range(first, end):
        event = engine.event[i]
        kind, index = event & 7, np.int64(event >> 3)
        if kind == ARRIVE:
            prefetch(engine.input, np.int64(engine.packet[index].next))
        elif kind == MOVED:
            prefetch(engine.output, np.int64(engine.input[index].output))


@copied_into_callers
def waiting(engine, rules, freed):
    """Prefetch the waiting lists of the routers of freed queues."""
    for i in range(freed):
        if engine.freed[i] >= 0:
            router = engine.port[port_of(rules, engine.freed[i])].router
            prefetch(engine.waiting, np.int64(engine.router[router].first_port) * rules.channels)


@copied_into_callers
def heads(engine, rules, view, new):
    """Prefetch new head-of-line packets, then the routing table rows of their targets."""
    for i in range(new):
        queue = engine.new[i]
        prefetch(engine.packet, np.int64(engine.input[queue].head))
        prefetch(engine.port, port_of(rules, queue))
    if rules.target_bytes:
        lookup = record_at(view, VIEW).lookup
        for i in range(new):
            queue = engine.new[i]
            router = np.int64(engine.port[port_of(rules, queue)].router)
            packet = engine.packet[engine.input[queue].head]
            prefetch(lookup, router * lookup.shape[1] + np.int64(packet.target_router) * rules.target_bytes)
            if rules.classes:
                prefetch(lookup, router * lookup.shape[1] + np.int64(packet.source_router) * rules.target_bytes)


@copied_into_callers
def ports(engine, touched):
    """Prefetch the ports that may transmit."""
    for i in range(touched):
        prefetch(engine.port, np.int64(engine.touched[i]))
