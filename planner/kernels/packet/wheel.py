"""The packet engine's time wheels, one for each block of routers, and its lists of packets."""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined, merged
from planner.kernels.packet.records import CHUNK, NONE


@inlined
def _enter(engine, wheel, time, event):
    """Enter an event into a wheel."""
    slot = wheel + (time & engine.tally[0].mask)
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


@inlined
def schedule(engine, time, event):
    """Schedule an event of the block that runs, less than one turn of its wheel ahead."""
    _enter(engine, engine.tally[0].wheel, time, event)


@inlined
def schedule_at(engine, rules, port, time, event):
    """Schedule an event at a port of any block, less than one turn of its wheel ahead."""
    wheel = np.int64(engine.block[port]) * (engine.tally[0].mask + 1) if rules.blocks > 1 else 0
    _enter(engine, wheel, time, event)


@inlined
def chunk_of(end):
    """Return the first place of the chunk that contains the event before `end`."""
    return (end - 1) & ~(CHUNK - 1)


@merged
def release_chunk(engine, first):
    """Free the processed chunk at place `first`; return the end of the previous chunk of its slot, 0 for none."""
    tally = engine.tally[0]
    chunk = first // CHUNK
    end = engine.chunk_before[chunk]
    engine.chunk_before[chunk] = tally.free_chunk
    tally.free_chunk = chunk
    return end


@inlined
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


@inlined
def take_packet(engine):
    """Return a free packet record."""
    tally = engine.tally[0]
    taken = tally.free_packet
    if taken != NONE:
        tally.free_packet = engine.packet[taken].next
        tally.free_packets -= 1
        return taken
    tally.fresh_packets += 1
    return tally.fresh_packets - 1


@inlined
def free_packet(engine, p):
    """Return a packet record to the free list."""
    tally = engine.tally[0]
    engine.packet[p].next = tally.free_packet
    tally.free_packet = p
    tally.free_packets += 1


@inlined
def drop(engine, p):
    """Count a packet as dropped and free its record, which keeps the mark of a dropped packet while it is free."""
    engine.tally[0].dropped += 1
    engine.packet[p].tail_cycle = NONE
    free_packet(engine, p)
