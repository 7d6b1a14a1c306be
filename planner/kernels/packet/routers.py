"""Routers of the packet engine: head-of-line packets request output queues with space."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers, uncounted
from planner.kernels.packet import classes, prefetch
from planner.kernels.packet.links import mark_sendable
from planner.kernels.packet.mail import schedule_at
from planner.kernels.packet.records import CREDIT, DROPPED, MOVED, NEVER, NONE, REQUEST, port_of
from planner.kernels.packet.waiting import ALL, MIXED, leave, next_waiting, wait, write_entry
from planner.kernels.packet.wheel import append, drop, schedule
from planner.kernels.random import below
from planner.kernels.routing.view import BY_CLASS, call_routing


@copied_into_callers
def bit_of(engine, router, port):
    """Return the bit of a port within its router; ports 64 apart share one bit."""
    return np.uint64(1) << np.uint64((port - engine.router[router].first_port) & 63)


@copied_into_callers
def cross(engine, rules, candidates, view, new, freed, touched):
    """Serve freed queues and new heads in random order; return the new length of `touched`."""
    if rules.prefetch:
        prefetch.waiting(engine, rules, freed)
    for i in range(freed):
        touched = serve(engine, rules, candidates, view, engine.freed[i], touched)
    return request_new(engine, rules, candidates, view, new, touched)


@always_inlined
def request_new(engine, rules, candidates, view, new, touched):
    """Let packets that became heads in this cycle request outputs in random order; return the new length of `touched`."""
    if rules.prefetch:
        prefetch.heads(engine, rules, view, new)
    for i in range(new, 0, -1):
        chosen = below(engine.random, i)
        queue = engine.new[chosen]
        engine.new[chosen] = engine.new[i - 1]
        router = engine.port[port_of(rules, queue)].router
        place = engine.router[router].first_port * rules.channels + engine.router[router].waiting
        p = np.int64(engine.input[queue].head)
        port = request(engine, rules, candidates, view, router, queue, p, place, NONE)
        if port == NONE:
            engine.router[router].waiting += 1
        elif port >= 0:
            engine.touched[touched] = port
            touched += 1
    return touched


@always_inlined
def has_room(engine, output):
    """Return whether a packet may begin to move into an output queue; one branch-free test avoids mispredictions."""
    return (engine.output[output].space > 0) & (engine.output[output].writing == 0)


@always_inlined
def serve(engine, rules, candidates, view, output, touched):
    """Give a freed output queue to a random packet that waits for it; return the new length of `touched`."""
    own = port_of(rules, output)
    channel = np.int64(output) - own * rules.channels
    router = engine.port[own].router
    base = engine.router[router].first_port * rules.channels
    bit = bit_of(engine, router, own)
    while (engine.router[router].waiting > 0) & (engine.output[output].writing == 0):
        count = engine.router[router].waiting
        start = base + below(engine.random, count)
        # Usually no packet waits for it.
        first = next_waiting(engine, base, base + count, bit, channel)
        if first == base + count:
            break
        place, end = max(start, first), base + count
        port = NONE
        while True:
            place = next_waiting(engine, place, end, bit, channel)
            if place == end:
                if end == start or start <= first:
                    break
                place, end = first, start
                continue
            best = classes.choose(engine, rules, view, router, place) if rules.classes else NONE
            if best != classes.FULL:
                queue, p = np.int64(engine.waiting[place].queue), np.int64(engine.waiting[place].packet)
                port = request(engine, rules, candidates, view, router, queue, p, place, best)
                if port != NONE:
                    break
            place += 1
        if port == NONE:
            break
        if port >= 0:
            engine.touched[touched] = port
            touched += 1
        leave(engine, rules, router, base, place)
    return touched


@always_inlined
def request(engine, rules, candidates, view, router, queue, p, place, best):
    """Move packet `p`, the head of an input queue, to an output queue with space and return that port.

    Otherwise return `NONE` and enter in `place` what it waits for, or return `DROPPED` when it has no candidate. `best` is the
    output queue if already chosen, else `NONE`.
    """
    channels = rules.channels
    base = engine.router[router].first_port * channels
    packet = engine.packet[p]
    if rules.input_speedup > 0 and engine.port[port_of(rules, queue)].taking >= rules.input_speedup:
        wait(engine, rules, place, queue, ALL, MIXED)
        return NONE
    ports, common, count = np.uint64(0), NONE, 0
    label = packet.label
    if best == NONE and packet.target_router == router:
        if engine.port[engine.router[router].first_port + packet.target].failed == 0:
            ports, common = np.uint64(1) << np.uint64(packet.target & 63), MIXED
            first = base + packet.target * channels
            ties = 0
            for output in range(first, first + channels):
                if has_room(engine, output):
                    ties += 1
                    if ties == 1 or below(engine.random, ties) == 0:
                        best = output
    elif best == NONE:
        found = engine.candidates
        count = call_routing(candidates, router, base, channels, p, view)
        if count == BY_CLASS and found[0].channel >= channels:
            count = 0
        if count == BY_CLASS:
            classes.store(engine, rules, place)
            best = classes.choose(engine, rules, view, router, place)
        else:
            lowest, ties = NEVER, 0
            for i in range(count):
                output = base + found[i].port * channels + found[i].channel
                if found[i].channel >= channels or found[i].penalty > lowest:
                    continue
                if has_room(engine, output):
                    ties = ties + 1 if found[i].penalty == lowest else 1
                    lowest = found[i].penalty
                    if ties == 1 or below(engine.random, ties) == 0:
                        best = output
                        label = found[i].label
    if best >= 0:
        _move(engine, rules, queue, p, best, label)
        return port_of(rules, best)
    if count == BY_CLASS:
        write_entry(engine, place, queue, p, classes.ports_of(engine, rules, place), engine.candidates[0].channel)
        return NONE
    for i in range(count):
        channel = engine.candidates[i].channel
        if channel < channels:
            common = channel if ports == 0 or common == channel else MIXED
            ports |= np.uint64(1) << np.uint64(engine.candidates[i].port & 63)
    if ports == 0:
        _discard(engine, rules, queue)
        return DROPPED
    wait(engine, rules, place, queue, ports, common)
    return NONE


@always_inlined
def _move(engine, rules, queue, p, output, label):
    """Let packet `p`, the head of an input queue, begin to move into an output queue."""
    tally = engine.tally[0]
    engine.input[queue].head = engine.packet[p].next
    engine.input[queue].output = output
    engine.packet[p].label = label
    # Phits cannot leave before they arrive.
    end = max(tally.now + rules.move_cycles, engine.packet[p].tail_cycle)
    engine.packet[p].tail_cycle = end
    engine.output[output].space -= 1
    engine.output[output].writing = 1
    append(engine.output, output, engine.packet, p)
    if rules.classes:
        classes.update_free_space(engine, rules, output)
    mark_sendable(engine, rules, output, engine.output[output].credit > 0)
    schedule(engine, end, queue * 8 + MOVED)
    own = port_of(rules, queue)
    port = engine.port[own]
    if rules.input_speedup > 0:
        port.taking += 1
    if rules.occupancy:
        engine.output_occupancy[output] -= tally.now
    upstream = (port.peer - own) * rules.channels + queue
    schedule_at(engine, rules, port.peer, end - 1 + port.delay + rules.credit_cycles, upstream * 8 + CREDIT)
    tally.last_move = tally.now


@uncounted
def _discard(engine, rules, queue):
    """Drop the head of an input queue; the next packet becomes head one cycle later."""
    tally = engine.tally[0]
    p = engine.input[queue].head
    engine.input[queue].head = engine.packet[p].next
    tally.queued -= 1
    drop(engine, p)
    if rules.occupancy:
        engine.input_occupancy[queue] += tally.now
    own = port_of(rules, queue)
    port = engine.port[own]
    upstream = (port.peer - own) * rules.channels + queue
    time = tally.now + max(port.delay + rules.credit_cycles, 1)
    schedule_at(engine, rules, port.peer, time, upstream * 8 + CREDIT)
    if engine.input[queue].head != NONE:
        schedule(engine, tally.now + 1, queue * 8 + REQUEST)
    tally.last_move = tally.now
