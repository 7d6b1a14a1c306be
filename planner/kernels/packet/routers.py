"""Routers of the packet engine: packets at the heads of input queues ask for outputs with room."""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined, merged
from planner.kernels.packet import classes, prefetch
from planner.kernels.packet.links import allow
from planner.kernels.packet.records import ASK, BY_CLASS, CREDIT, GONE, MOVED, NEVER, NONE, port_of
from planner.kernels.packet.waiting import ALL, MIXED, following, leave, seek, wait
from planner.kernels.packet.wheel import append, at, drop
from planner.kernels.random import below


@merged
def bit_of(engine, router, port):
    """Return the bit that stands for a port among those of its router; from the 65th on several ports share one."""
    return np.uint64(1) << np.uint64((port - engine.router[router].first_port) & 63)


@merged
def cross(engine, rules, candidates, view, new, freed, touched):
    """Let packets that wait or come to a head take outputs, drawn at random; return the new length of `touched`."""
    if rules.prefetch:
        prefetch.waiting(engine, rules, freed)
    for i in range(freed):
        touched = serve(engine, rules, candidates, view, engine.freed[i], touched)
    return ask(engine, rules, candidates, view, new, touched)


@inlined
def ask(engine, rules, candidates, view, new, touched):
    """Let packets that come to a head in the same cycle ask in random order; return the new length of `touched`."""
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


@inlined
def has_room(engine, output):
    """Return whether a packet may begin to move into an output queue: one question, since processors guess each answer."""
    return (engine.output[output].space > 0) & (engine.output[output].writing == 0)


@inlined
def serve(engine, rules, candidates, view, output, touched):
    """Give a freed output queue to a packet that waits for it, drawn at random; return the new length of `touched`."""
    own = port_of(rules, output)
    channel = np.int64(output) - own * rules.channels
    router = engine.port[own].router
    base = engine.router[router].first_port * rules.channels
    bit = bit_of(engine, router, own)
    while (engine.router[router].waiting > 0) & (engine.output[output].writing == 0):
        count = engine.router[router].waiting
        start = base + below(engine.random, count)
        # Most often nobody waits for it.
        first = following(engine, base, base + count, bit, channel)
        if first == base + count:
            break
        place, end = max(start, first), base + count
        port = NONE
        while True:
            place = following(engine, place, end, bit, channel)
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


@inlined
def request(engine, rules, candidates, view, router, queue, p, place, best):
    """Move packet `p`, the head of an input queue, to an output queue with room and return that port.

    Else return `NONE` and note in `place` for what it waits; or `GONE` when no way is left for it. `best` is the output queue,
    where it was chosen already, else `NONE`.
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
        if engine.port[engine.router[router].first_port + packet.target].dead == 0:
            ports, common = np.uint64(1) << np.uint64(packet.target & 63), MIXED
            first = base + packet.target * channels
            ties = 0
            for output in range(first, first + channels):
                if has_room(engine, output):
                    ties += 1
                    if ties == 1 or below(engine.random, ties) == 0:
                        best = output
    elif best == NONE:
        found = engine.found
        count = candidates(router, base, channels, p, view)
        if count == BY_CLASS and found[0, 1] >= channels:
            count = 0
        if count == BY_CLASS:
            classes.keep(engine, rules, place)
            best = classes.choose(engine, rules, view, router, place)
        else:
            least, ties = NEVER, 0
            for i in range(count):
                output = base + found[i, 0] * channels + found[i, 1]
                if found[i, 1] >= channels or found[i, 2] > least:
                    continue
                if has_room(engine, output):
                    ties = ties + 1 if found[i, 2] == least else 1
                    least = found[i, 2]
                    if ties == 1 or below(engine.random, ties) == 0:
                        best = output
                        label = found[i, 3]
    if best >= 0:
        _move(engine, rules, queue, p, best, label)
        return port_of(rules, best)
    if count == BY_CLASS:
        seek(engine, place, queue, p, classes.ports_of(engine, rules, place), engine.found[0, 1])
        return NONE
    for i in range(count):
        if engine.found[i, 1] < channels:
            common = engine.found[i, 1] if ports == 0 or common == engine.found[i, 1] else MIXED
            ports |= np.uint64(1) << np.uint64(engine.found[i, 0] & 63)
    if ports == 0:
        _discard(engine, rules, queue)
        return GONE
    wait(engine, rules, place, queue, ports, common)
    return NONE


@inlined
def _move(engine, rules, queue, p, output, label):
    """Let packet `p`, the head of an input queue, begin to move into an output queue."""
    tally = engine.tally[0]
    engine.input[queue].head = engine.packet[p].next
    engine.input[queue].output = output
    engine.packet[p].label = label
    # Phits cannot leave before they come.
    end = max(tally.now + rules.move_cycles, engine.packet[p].whole)
    engine.packet[p].whole = end
    engine.output[output].space -= 1
    engine.output[output].writing = 1
    append(engine.output, output, engine.packet, p)
    if rules.classes:
        classes.weigh(engine, rules, output)
    allow(engine, rules, output, engine.output[output].credit > 0)
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
