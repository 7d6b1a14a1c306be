"""The packet engine's time wheel, and its lists of packets."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers
from planner.kernels.packet.records import CHUNK, NONE


@always_inlined
def schedule(engine, time, event):
    """Schedule an event less than one turn of the wheel ahead."""
    slot = time & engine.tally[0].mask
    place = engine.slot[slot]
    if place & (CHUNK - 1) == 0:
        tally = engine.tally[0]
        taken = tally.free_chunk
        if taken != NONE:
            tally.free_chunk = engine.chunk_before[taken]
        else:
            taken = tally.fresh_chunks
            tally.fresh_chunks += 1
        engine.chunk_before[taken] = place
        place = taken * CHUNK
    engine.event[place] = event
    engine.slot[slot] = place + 1


@always_inlined
def chunk_of(end):
    """Return the first place of the chunk that contains the event before `end`."""
    return (end - 1) & ~(CHUNK - 1)


@copied_into_callers
def release_chunk(engine, first):
    """Free the processed chunk at place `first`; return the end of the previous chunk of its slot, 0 for none."""
    tally = engine.tally[0]
    chunk = first // CHUNK
    end = engine.chunk_before[chunk]
    engine.chunk_before[chunk] = tally.free_chunk
    tally.free_chunk = chunk
    return end


@always_inlined
def append(queues, queue, packet, p):
    """Append packet `p` to a queue; return whether it is the head."""
    packet[p].next = NONE
    alone = queues[queue].head == NONE
    if alone:
        queues[queue].head = p
    else:
        packet[queues[queue].tail].next = p
    queues[queue].tail = p
    return alone


@always_inlined
def take_packet(engine):
    """Return a free packet record."""
    tally = engine.tally[0]
    if tally.free_packets > 0:
        tally.free_packets -= 1
        return np.int64(engine.free[tally.free_packets])
    tally.fresh_packets += 1
    return tally.first_packet + tally.fresh_packets - 1


@always_inlined
def free_packet(engine, p):
    """List a packet record as free."""
    tally = engine.tally[0]
    engine.free[tally.free_packets] = p
    tally.free_packets += 1


@always_inlined
def drop(engine, p):
    """Count a packet as dropped and free its record, which keeps the mark of a dropped packet while it is free."""
    engine.tally[0].dropped += 1
    engine.packet[p].tail_cycle = NONE
    free_packet(engine, p)
