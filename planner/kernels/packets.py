"""The packet engine: routers with input and output queues, driven by events on a time wheel.

What it models is described in ``docs/method/simulation.md``. Records are packed so that one event
touches few cache lines. One cycle has three parts:

1. the events that fall due: they only change state and note who may now act;
2. the crossbars: packets at the heads of input queues take outputs with room;
3. the links: idle ones take the next packet.
"""

from __future__ import annotations

import math

import numpy as np

from planner.kernels import bare, compiled
from planner.kernels.packet_records import ARRIVE, CHUNK, CREDIT, DEADLOCK, DELIVER, FINE, MOVED, NEVER, NONE, SENT, WAKE
from planner.kernels.random import below, uniform


@bare
def gap(state, log_idle):
    """Return the cycles from one creation to the next: geometric, at least 1."""
    return 1 + int(min(math.log(1.0 - uniform(state)) / log_idle, NEVER))


@compiled
def created(engine, rules):
    """Return the packets created so far, those that still wait at their sources included."""
    total = engine.tally[0].injected
    state = np.empty(1, np.uint64)
    for source in range(len(engine.source_created)):
        state[0] = engine.source_state[source]
        time = engine.source_created[source]
        while time < engine.tally[0].now:
            total += 1
            time += gap(state, rules.log_idle)
    return total


@bare
def clear_measures(engine):
    """Forget what was measured."""
    engine.tally[0].packets = 0
    engine.tally[0].delay = 0
    engine.delays[:] = 0
    engine.hops[:] = 0
    engine.by_source[:] = 0
    for port in range(len(engine.port)):
        engine.port[port].sent = 0


@bare
def start(engine, rules):
    """Draw the first creation of every source."""
    for source in range(len(engine.source_created)):
        engine.source_created[source] = gap(engine.source_state[source : source + 1], rules.log_idle) - 1
        _at(engine, min(engine.source_created[source], len(engine.slot_size) - 1), (rules.routers_end + source) * 8 + WAKE)


@bare
def run(engine, rules, candidates, target, table, wide, small, numbers, until):
    """Run to cycle `until`; return `FINE`, or `DEADLOCK` when packets are there and none can ever move."""
    tally = engine.tally[0]
    while tally.now < until:
        new, freed, touched = _events(engine, rules)
        for i in range(freed):
            touched = _serve(engine, rules, candidates, wide, small, numbers, engine.freed[i], touched)
        # Packets that come to a head in the same cycle go in random order.
        for i in range(new, 0, -1):
            chosen = below(engine.random, i)
            queue = engine.new[chosen]
            engine.new[chosen] = engine.new[i - 1]
            router = engine.port[queue // rules.channels].router
            place = engine.first_port[router] * rules.channels + engine.waiting_count[router]
            if _request(engine, rules, candidates, wide, small, numbers, router, queue, place):
                engine.touched[touched] = engine.input[queue].output // rules.channels
                touched += 1
            else:
                engine.waiting_count[router] += 1
        for i in range(touched):
            port = engine.touched[i]
            if port >= rules.routers_end:
                _inject(engine, rules, target, table, port)
            else:
                _send(engine, rules, port)
        tally.now += 1
        # Every event lies less than a turn of the wheel ahead: after a turn without a move none is left that could help.
        if tally.now - tally.last_move > len(engine.slot_size) and tally.injected > tally.delivered:
            return DEADLOCK
    return FINE


@bare
def _at(engine, time, event):
    """Enter an event; `time` is less than a turn of the wheel ahead."""
    slot = time & (len(engine.slot_size) - 1)
    place = engine.slot_size[slot] & (CHUNK - 1)
    if place == 0:
        engine.tally[0].free_chunks -= 1
        taken = engine.free_chunk[engine.tally[0].free_chunks]
        engine.chunk_next[taken] = engine.slot_chunk[slot]
        engine.slot_chunk[slot] = taken
    engine.chunk[engine.slot_chunk[slot], place] = event
    engine.slot_size[slot] += 1


@bare
def _events(engine, rules):
    """Let the events of this cycle happen; return how many entries `new`, `freed` and `touched` have."""
    tally = engine.tally[0]
    channels = rules.channels
    slot = tally.now & (len(engine.slot_size) - 1)
    size = engine.slot_size[slot]
    chunk = engine.slot_chunk[slot]
    new = freed = touched = 0
    while size > 0:
        first = (size - 1) & ~(CHUNK - 1)
        for i in range(size - first):
            event = engine.chunk[chunk, i]
            kind = event & 7
            index = event >> 3
            if kind == ARRIVE:
                queue = engine.packet[index].queue
                if _append(engine.input, queue, engine.packet, index) and engine.input[queue].output == NONE:
                    engine.new[new] = queue
                    new += 1
            elif kind == MOVED:
                output = engine.input[index].output
                engine.input[index].output = NONE
                engine.output[output].writing = 0
                if engine.output[output].space > 0:
                    engine.freed[freed] = output
                    freed += 1
                if engine.input[index].head != NONE:
                    engine.new[new] = index
                    new += 1
            elif kind == SENT:
                engine.output[index].space += 1
                if engine.output[index].writing == 0:
                    engine.freed[freed] = index
                    freed += 1
                engine.touched[touched] = index // channels
                touched += 1
            elif kind == CREDIT:
                engine.output[index].credit += 1
                engine.touched[touched] = index // channels
                touched += 1
            elif kind == WAKE:
                time = engine.source_created[index - rules.routers_end]
                if time > tally.now:
                    _at(engine, min(time, tally.now + len(engine.slot_size) - 1), event)
                else:
                    engine.touched[touched] = index
                    touched += 1
            else:
                _deliver(engine, index)
        engine.free_chunk[tally.free_chunks] = chunk
        tally.free_chunks += 1
        chunk = engine.chunk_next[chunk]
        size = first
    engine.slot_size[slot] = 0
    engine.slot_chunk[slot] = NONE
    return new, freed, touched


@bare
def _append(queues, queue, packet, p):
    """Put packet `p` at the tail of a queue; return whether it is the head."""
    packet[p].next = NONE
    alone = queues[queue].head == NONE
    if alone:
        queues[queue].head = p
    else:
        packet[queues[queue].tail].next = p
    queues[queue].tail = p
    return alone


@bare
def _deliver(engine, p):
    """Count a packet whose last phit has arrived, and free its record."""
    tally = engine.tally[0]
    packet = engine.packet[p]
    delay = tally.now - packet.created
    tally.delivered += 1
    tally.packets += 1
    tally.delay += delay
    engine.delays[min(delay, len(engine.delays) - 1)] += 1
    engine.hops[min(packet.hops, len(engine.hops) - 1)] += 1
    engine.by_source[packet.source] += 1
    engine.free_packet[tally.free_packets] = p
    tally.free_packets += 1


@bare
def _serve(engine, rules, candidates, wide, small, numbers, output, touched):
    """Give a freed output queue to a packet that waits for it, drawn at random; return the new length of `touched`."""
    router = engine.port[output // rules.channels].router
    base = engine.first_port[router] * rules.channels
    bit = np.uint64(1) << np.uint64((output - base) & 63)
    while engine.waiting_count[router] > 0 and engine.output[output].writing == 0:
        count = engine.waiting_count[router]
        place = base + below(engine.random, count)
        served = False
        for _ in range(count):
            if engine.waiting_signature[place] & bit:
                queue = engine.waiting_queue[place]
                served = _request(engine, rules, candidates, wide, small, numbers, router, queue, place)
                if served:
                    engine.touched[touched] = engine.input[queue].output // rules.channels
                    touched += 1
                    break
            place = place + 1 if place + 1 < base + count else base
        if not served:
            break
        engine.waiting_count[router] = count - 1
        engine.waiting_queue[place] = engine.waiting_queue[base + count - 1]
        engine.waiting_signature[place] = engine.waiting_signature[base + count - 1]
    return touched


@bare
def _request(engine, rules, candidates, wide, small, numbers, router, queue, place):
    """Move the head of an input queue to an output queue with room; else note in `place` for which ones it waits."""
    channels = rules.channels
    base = engine.first_port[router] * channels
    p = engine.input[queue].head
    packet = engine.packet[p]
    signature = np.uint64(0)
    best = NONE
    label = packet.label
    if packet.target_router == router:
        ties = 0
        for output in range(packet.target * channels, packet.target * channels + channels):
            signature |= np.uint64(1) << np.uint64((output - base) & 63)
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
            output = base + found[i, 0] * channels + found[i, 1]
            signature |= np.uint64(1) << np.uint64((output - base) & 63)
            if engine.output[output].space > 0 and engine.output[output].writing == 0 and found[i, 2] <= least:
                ties = ties + 1 if found[i, 2] == least else 1
                least = found[i, 2]
                if ties == 1 or below(engine.random, ties) == 0:
                    best = output
                    label = found[i, 3]
    if best == NONE:
        engine.waiting_queue[place] = queue
        engine.waiting_signature[place] = signature
        return False
    _move(engine, rules, queue, best, label)
    return True


@bare
def _move(engine, rules, queue, output, label):
    """Let the head of an input queue begin to move into an output queue, one phit a cycle."""
    tally = engine.tally[0]
    p = engine.input[queue].head
    engine.input[queue].head = engine.packet[p].next
    engine.input[queue].output = output
    engine.packet[p].label = label
    engine.output[output].space -= 1
    engine.output[output].writing = 1
    _append(engine.output, output, engine.packet, p)
    _at(engine, tally.now + rules.packet_phits, queue * 8 + MOVED)
    port = engine.port[queue // rules.channels]
    upstream = port.peer * rules.channels + queue % rules.channels
    _at(engine, tally.now + rules.packet_phits - 1 + port.delay + rules.credit_cycles, upstream * 8 + CREDIT)
    tally.last_move = tally.now


@bare
def _send(engine, rules, p):
    """Let an idle link take the next packet: the virtual channels take turns, those without credit are passed over."""
    tally = engine.tally[0]
    port = engine.port[p]
    if port.busy_until > tally.now:
        return
    channel = port.channel
    for _ in range(rules.channels):
        channel = channel + 1 if channel + 1 < rules.channels else 0
        queue = p * rules.channels + channel
        sent = engine.output[queue].head
        if sent == NONE or engine.output[queue].credit == 0:
            continue
        packet = engine.packet[sent]
        engine.output[queue].head = packet.next
        port.channel = channel
        port.sent += 1
        port.busy_until = tally.now + rules.packet_phits
        _at(engine, tally.now + rules.packet_phits, queue * 8 + SENT)
        if port.peer >= rules.routers_end:
            _at(engine, tally.now + port.delay + rules.packet_phits - 1, sent * 8 + DELIVER)
        else:
            engine.output[queue].credit -= 1
            packet.hops += 1
            packet.queue = port.peer * rules.channels + channel
            _at(engine, tally.now + port.delay + rules.router_cycles, sent * 8 + ARRIVE)
        tally.last_move = tally.now
        return


@bare
def _inject(engine, rules, target, table, p):
    """Let an idle source send its oldest packet into the first queue of its router port with room."""
    tally = engine.tally[0]
    port = engine.port[p]
    source = p - rules.routers_end
    if port.busy_until > tally.now or engine.source_created[source] > tally.now:
        return
    channel = port.channel if rules.take_turns else rules.channels - 1
    for _ in range(rules.channels):
        channel = channel + 1 if channel + 1 < rules.channels else 0
        queue = p * rules.channels + channel
        if engine.output[queue].credit == 0:
            continue
        port.channel = channel
        tally.free_packets -= 1
        sent = engine.free_packet[tally.free_packets]
        packet = engine.packet[sent]
        packet.created = engine.source_created[source]
        packet.source = source
        packet.source_router = engine.port[port.peer].router
        packet.target = engine.endpoint_port[target(source, table, engine.random)]
        packet.target_router = engine.port[packet.target].router
        packet.label = 0
        packet.hops = 0
        packet.queue = port.peer * rules.channels + channel
        engine.output[queue].credit -= 1
        port.busy_until = tally.now + rules.packet_phits
        engine.source_created[source] = min(packet.created + gap(engine.source_state[source : source + 1], rules.log_idle), NEVER)
        tally.injected += 1
        tally.last_move = tally.now
        _at(engine, tally.now + port.delay + rules.router_cycles, sent * 8 + ARRIVE)
        wake = max(engine.source_created[source], port.busy_until)
        _at(engine, min(wake, tally.now + len(engine.slot_size) - 1), p * 8 + WAKE)
        return
