"""The packet engine's time wheel, and its lists of packets."""

from __future__ import annotations

from planner.kernels import inlined, merged
from planner.kernels.packet_records import CHUNK, NONE


@inlined
def at(engine, time, event):
    """Enter an event; `time` is less than a turn of the wheel ahead."""
    slot = time & (len(engine.slot) - 1)
    place = engine.slot[slot].events & (CHUNK - 1)
    if place == 0:
        tally = engine.tally[0]
        taken = tally.free_chunk
        if taken != NONE:
            tally.free_chunk = engine.chunk_next[taken]
        else:
            taken = tally.fresh_chunks
            tally.fresh_chunks += 1
        engine.chunk_next[taken] = engine.slot[slot].chunk
        engine.slot[slot].chunk = taken
    engine.chunk[engine.slot[slot].chunk, place] = event
    engine.slot[slot].events += 1


@merged
def behind(engine, chunk):
    """Free a chunk whose events have happened; return the next one of its slot."""
    tally = engine.tally[0]
    following = engine.chunk_next[chunk]
    engine.chunk_next[chunk] = tally.free_chunk
    tally.free_chunk = chunk
    return following


@inlined
def append(queues, queue, packet, p):
    """Put packet `p` at the tail of a queue; return whether it is the head."""
    packet[p].next = NONE
    alone = queues[queue].head == NONE
    if alone:
        queues[queue].head = p
    else:
        packet[queues[queue].tail].next = p
    queues[queue].tail = p
    return alone


@inlined
def take(engine):
    """Return a free record of a packet."""
    tally = engine.tally[0]
    taken = tally.free_packet
    if taken != NONE:
        tally.free_packet = engine.packet[taken].next
        tally.free_packets -= 1
        return taken
    tally.fresh_packets += 1
    return tally.fresh_packets - 1


@inlined
def free(engine, p):
    """Give the record of a packet back."""
    tally = engine.tally[0]
    engine.packet[p].next = tally.free_packet
    tally.free_packet = p
    tally.free_packets += 1


@inlined
def drop(engine, p):
    """Lose a packet."""
    engine.tally[0].dropped += 1
    free(engine, p)
