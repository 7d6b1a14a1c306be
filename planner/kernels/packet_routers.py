"""Routers of the packet engine: packets at the heads of input queues ask for outputs with room."""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined
from planner.kernels.packet_links import allow
from planner.kernels.packet_records import AGE, ASK, CREDIT, GONE, MOVED, NEVER, NONE, port_of
from planner.kernels.packet_wheel import append, at, drop
from planner.kernels.random import below

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
MIXED = -1
"""Instead of a virtual channel: several."""


@inlined
def bit_of(engine, router, port):
    """Return the bit that stands for a port among those of its router; from the 65th on several ports share one."""
    return np.uint64(1) << np.uint64((port - engine.first_port[router]) & 63)


@inlined
def wait(engine, place, queue, ports, channel):
    """Note in `place` that the head of an input queue waits for any of some ports of its router, on one virtual channel."""
    waiting = engine.waiting[place]
    waiting.queue = queue
    waiting.ports = ports
    waiting.channel = channel


@inlined
def note(engine, rules, queue, asked):
    """Let a new head wait for its router's arbitration; return the new length of the list of routers to ask."""
    router = engine.port[port_of(rules, queue)].router
    place = engine.first_port[router] * rules.channels + engine.waiting_count[router]
    wait(engine, place, queue, ALL, MIXED)
    engine.waiting_count[router] += 1
    return mark(engine, router, ALL, asked)


@inlined
def mark(engine, router, ports, asked):
    """Note at which ports of a router a queue came free; return the new length of the list of routers to ask."""
    if engine.ready[router] == 0:
        engine.new[asked] = router
        asked += 1
    engine.ready[router] |= ports
    return asked


@bare
def arbitrate(engine, rules, candidates, wide, small, numbers, router, touched):
    """Ask the waiting heads of a router in turn, or by age; return the new length of `touched`."""
    base = engine.first_port[router] * rules.channels
    queues = engine.first_port[router + 1] * rules.channels - base
    ready = engine.ready[router]
    engine.ready[router] = 0
    turn = engine.turn[router]
    last = -1
    served = False
    while True:
        least = np.int64(2) ** 62
        place = NONE
        for i in range(base, base + engine.waiting_count[router]):
            if engine.waiting[i].ports & ready:
                queue = np.int64(engine.waiting[i].queue)
                key = (queue - base - turn + queues) % queues
                if rules.arbitration == AGE:
                    key += engine.packet[engine.input[queue].head].created * np.int64(queues)
                if last < key < least:
                    least = key
                    place = i
        if place == NONE:
            return touched
        last = least
        queue = np.int64(engine.waiting[place].queue)
        port = request(engine, rules, candidates, wide, small, numbers, router, queue, place)
        if port == NONE:
            continue
        if not served:
            engine.turn[router] = (queue - base + 1) % queues
            served = True
        _leave(engine, router, base, place)
        if port >= 0:
            engine.touched[touched] = port
            touched += 1


@inlined
def serve(engine, rules, candidates, wide, small, numbers, output, touched):
    """Give a freed output queue to a packet that waits for it, drawn at random; return the new length of `touched`."""
    own = port_of(rules, output)
    channel = np.int64(output) - own * rules.channels
    router = engine.port[own].router
    base = engine.first_port[router] * rules.channels
    bit = bit_of(engine, router, own)
    while engine.waiting_count[router] > 0 and engine.output[output].writing == 0:
        count = engine.waiting_count[router]
        place = base + below(engine.random, count)
        port = NONE
        for _ in range(count):
            waiting = engine.waiting[place]
            if waiting.ports & bit and (waiting.channel == channel or waiting.channel == MIXED):
                queue = np.int64(waiting.queue)
                port = request(engine, rules, candidates, wide, small, numbers, router, queue, place)
                if port != NONE:
                    break
            place = place + 1 if place + 1 < base + count else base
        if port == NONE:
            break
        if port >= 0:
            engine.touched[touched] = port
            touched += 1
        _leave(engine, router, base, place)
    return touched


@bare
def serve_port(engine, rules, candidates, wide, small, numbers, port, touched):
    """Ask the heads that wait in the queues of an input port which may send one more; return the new length of `touched`."""
    router = engine.port[port].router
    base = engine.first_port[router] * rules.channels
    count = engine.waiting_count[router]
    place = base + below(engine.random, max(count, 1))
    for _ in range(count):
        if engine.port[port].taking >= rules.input_speedup:
            break
        queue = np.int64(engine.waiting[place].queue)
        if port_of(rules, queue) == port:
            taken = request(engine, rules, candidates, wide, small, numbers, router, queue, place)
            if taken >= 0:
                engine.touched[touched] = taken
                touched += 1
            if taken != NONE:
                _leave(engine, router, base, place)
                # The last entry has come to this place and has not been looked at, unless the search began behind it.
                if place == base + engine.waiting_count[router]:
                    place = base
                continue
        place = place + 1 if place + 1 < base + engine.waiting_count[router] else base
    return touched


@inlined
def _leave(engine, router, base, place):
    """Take an entry out of a router's list of waiting heads; the last one takes its place."""
    engine.waiting_count[router] -= 1
    last = base + engine.waiting_count[router]
    moved = engine.waiting[last]
    wait(engine, place, moved.queue, moved.ports, moved.channel)


@inlined
def request(engine, rules, candidates, wide, small, numbers, router, queue, place):
    """Move the head of an input queue to an output queue with room and return that port.

    Else return `NONE` and note in `place` for what it waits; or `GONE` when no way is left for it.
    """
    channels = rules.channels
    base = engine.first_port[router] * channels
    p = engine.input[queue].head
    packet = engine.packet[p]
    if rules.input_speedup > 0 and engine.port[port_of(rules, queue)].taking >= rules.input_speedup:
        wait(engine, place, queue, ALL, MIXED)
        return NONE
    ports = np.uint64(0)
    common = NONE
    best = NONE
    label = packet.label
    if packet.target_router == router:
        first = base + packet.target * channels
        if engine.port[engine.first_port[router] + packet.target].dead == 0:
            ports = np.uint64(1) << np.uint64(packet.target & 63)
            common = MIXED
            ties = 0
            for output in range(first, first + channels):
                if engine.output[output].space > 0 and engine.output[output].writing == 0:
                    ties += 1
                    if ties == 1 or below(engine.random, ties) == 0:
                        best = output
    else:
        found = engine.found
        count = candidates(router, base, channels, p, engine.packet, engine.output, wide, small, numbers, found, engine.random)
        least = NEVER
        ties = 0
        for i in range(count):
            if found[i, 1] >= channels:
                continue
            output = base + found[i, 0] * channels + found[i, 1]
            common = found[i, 1] if ports == 0 or common == found[i, 1] else MIXED
            ports |= np.uint64(1) << np.uint64(found[i, 0] & 63)
            if engine.output[output].space > 0 and engine.output[output].writing == 0 and found[i, 2] <= least:
                ties = ties + 1 if found[i, 2] == least else 1
                least = found[i, 2]
                if ties == 1 or below(engine.random, ties) == 0:
                    best = output
                    label = found[i, 3]
    if best != NONE:
        _move(engine, rules, queue, best, label)
        return port_of(rules, best)
    if ports == 0:
        _discard(engine, rules, queue)
        return GONE
    wait(engine, place, queue, ports, common)
    return NONE


@inlined
def _move(engine, rules, queue, output, label):
    """Let the head of an input queue begin to move into an output queue."""
    tally = engine.tally[0]
    p = engine.input[queue].head
    engine.input[queue].head = engine.packet[p].next
    engine.input[queue].output = output
    engine.packet[p].label = label
    # Phits cannot leave before they come.
    end = max(tally.now + rules.move_cycles, engine.packet[p].whole)
    engine.packet[p].whole = end
    engine.output[output].space -= 1
    engine.output[output].writing = 1
    append(engine.output, output, engine.packet, p)
    if engine.output[output].credit > 0:
        allow(engine, rules, output)
    at(engine, end, queue * 8 + MOVED)
    own = port_of(rules, queue)
    port = engine.port[own]
    if rules.input_speedup > 0:
        port.taking += 1
    if rules.occupation:
        engine.held_output[output] -= tally.now
    upstream = (port.peer - own) * rules.channels + queue
    at(engine, end - 1 + port.delay + rules.credit_cycles, upstream * 8 + CREDIT)
    tally.last_move = tally.now


@bare
def _discard(engine, rules, queue):
    """Drop the head of an input queue; the next one comes up a cycle later."""
    tally = engine.tally[0]
    p = engine.input[queue].head
    engine.input[queue].head = engine.packet[p].next
    drop(engine, p)
    if rules.occupation:
        engine.held_input[queue] += tally.now
    own = port_of(rules, queue)
    port = engine.port[own]
    upstream = (port.peer - own) * rules.channels + queue
    at(engine, tally.now + port.delay + rules.credit_cycles, upstream * 8 + CREDIT)
    if engine.input[queue].head != NONE:
        at(engine, tally.now + 1, queue * 8 + ASK)
    tally.last_move = tally.now
