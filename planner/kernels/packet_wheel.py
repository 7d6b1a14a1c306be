"""The packet engine's time wheel, and its lists of packets."""

from __future__ import annotations

from planner.kernels import inlined
from planner.kernels.packet_records import CHUNK, NONE


@inlined
def at(engine, time, event):
    """Enter an event; `time` is less than a turn of the wheel ahead."""
    slot = time & (len(engine.slot_size) - 1)
    place = engine.slot_size[slot] & (CHUNK - 1)
    if place == 0:
        tally = engine.tally[0]
        if tally.free_chunks > 0:
            tally.free_chunks -= 1
            taken = engine.free_chunk[tally.free_chunks]
        else:
            taken = tally.fresh_chunks
            tally.fresh_chunks += 1
        engine.chunk_next[taken] = engine.slot_chunk[slot]
        engine.slot_chunk[slot] = taken
    engine.chunk[engine.slot_chunk[slot], place] = event
    engine.slot_size[slot] += 1


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
    if tally.free_packets > 0:
        tally.free_packets -= 1
        return engine.free_packet[tally.free_packets]
    tally.fresh_packets += 1
    return tally.fresh_packets - 1


@inlined
def free(engine, p):
    """Give the record of a packet back."""
    tally = engine.tally[0]
    engine.free_packet[tally.free_packets] = p
    tally.free_packets += 1


@inlined
def drop(engine, p):
    """Lose a packet."""
    engine.tally[0].dropped += 1
    free(engine, p)
