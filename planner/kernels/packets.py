"""The packet engine: routers with input and output queues, driven by events on a time wheel.

What it models is described in ``docs/method/simulation.md``. Records are packed so that one event
touches few cache lines. One cycle has three parts:

1. the events that fall due: they only change state and note who may now act;
2. the crossbars: packets at the heads of input queues take outputs with room;
3. the links: idle ones take the next packet.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, compiled, inlined, packet_arbitration, packet_prefetch, packet_routers
from planner.kernels.injection import POISSON, gap
from planner.kernels.packet_links import allow, deliver, inject, send
from planner.kernels.packet_records import ARRIVE, ASK, CHUNK, CREDIT, DEADLOCK, FINE, MOVED, NEVER, NONE, SENT, WAKE, port_of
from planner.kernels.packet_wheel import append, at, drop


@compiled
def created(engine, rules):
    """Return the packets created so far, those that still wait at their sources included."""
    total = engine.tally[0].injected
    state, phase = np.empty(1, np.uint64), np.empty(1, np.float64)
    for source in range(len(engine.source_created)):
        state[0], phase[0] = engine.source_state[source], engine.source_phase[source]
        time = engine.source_created[source]
        while time < engine.tally[0].now:
            total += 1
            time += gap(state, phase, rules.process, engine.source_numbers[source])
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
def held(engine, rules, capacity, in_input, in_output):
    """Fill in the cycles that packets have spent in each input and output queue since the start, int64."""
    now = engine.tally[0].now
    for queue in range(len(in_input)):
        count = 0 if engine.input[queue].output == NONE else 1
        p = engine.input[queue].head
        while p != NONE:
            count += 1
            p = engine.packet[p].next
        in_input[queue] = engine.held_input[queue] + count * now
    for queue in range(len(in_output)):
        in_output[queue] = engine.held_output[queue] + (capacity - engine.output[queue].space) * now


@bare
def start(engine, rules):
    """Draw the first creation of every source."""
    for source in range(len(engine.source_created)):
        state, phase = engine.source_state[source : source + 1], engine.source_phase[source : source + 1]
        pause = gap(state, phase, rules.process, engine.source_numbers[source])
        # A source that never sends is left alone.
        if pause >= NEVER:
            engine.source_created[source] = NEVER
            continue
        # Of whole cycles the first counts too.
        engine.source_created[source] = pause if rules.process == POISSON else pause - 1
        at(engine, min(engine.source_created[source], len(engine.slot_size) - 1), (rules.routers_end + source) * 8 + WAKE)


@bare
def run(engine, rules, candidates, target, table, wide, small, numbers, until):
    """Run to cycle `until`, arbitrating at random; return `FINE`, or `DEADLOCK` when packets are there and none can ever move."""
    tally = engine.tally[0]
    while tally.now < until:
        new, freed, touched = events(engine, rules)
        touched = packet_routers.cross(engine, rules, candidates, wide, small, numbers, new, freed, touched)
        _links(engine, rules, target, table, touched)
        tally.now += 1
        if stuck(engine):
            return DEADLOCK
    return FINE


@bare
def run_by_rule(engine, rules, candidates, target, table, wide, small, numbers, until):
    """Run as `run`, arbitrating by any rule: compiled only when asked for.

    The crossbars are no parameter of one loop, since Numba keeps no cache of a kernel that is given another.
    """
    tally = engine.tally[0]
    while tally.now < until:
        new, freed, touched = events(engine, rules)
        touched = packet_arbitration.cross(engine, rules, candidates, wide, small, numbers, new, freed, touched)
        _links(engine, rules, target, table, touched)
        tally.now += 1
        if stuck(engine):
            return DEADLOCK
    return FINE


@inlined
def _links(engine, rules, target, table, touched):
    """Let links that may be idle take packets."""
    if rules.prefetch:
        packet_prefetch.ports(engine, touched)
    for i in range(touched):
        port = engine.touched[i]
        if port >= rules.routers_end:
            inject(engine, rules, target, table, port)
        else:
            send(engine, rules, port)


@inlined
def stuck(engine):
    """Return whether packets are there and none can ever move."""
    tally = engine.tally[0]
    # Every event lies less than a turn of the wheel ahead: after a turn without a move none is left that could help.
    return tally.now - tally.last_move > len(engine.slot_size) and tally.injected > tally.delivered + tally.dropped


@bare
def events(engine, rules):
    """Let the events of this cycle happen; return how many entries `new`, `freed` and `touched` have."""
    tally = engine.tally[0]
    slot = tally.now & (len(engine.slot_size) - 1)
    size = engine.slot_size[slot]
    chunk = engine.slot_chunk[slot]
    new = freed = touched = 0
    while size > 0:
        first = (size - 1) & ~(CHUNK - 1)
        if rules.prefetch:
            packet_prefetch.events(engine, chunk, size - first, first > 0)
        for i in range(size - first):
            event = engine.chunk[chunk, i]
            kind = event & 7
            index = event >> 3
            if kind == ARRIVE:
                queue = engine.packet[index].next
                if engine.packet[index].whole == NONE:
                    drop(engine, index)
                    continue
                if rules.occupation:
                    engine.held_input[queue] -= tally.now
                if append(engine.input, queue, engine.packet, index) and engine.input[queue].output == NONE:
                    engine.new[new] = queue
                    new += 1
            elif kind == MOVED:
                output = engine.input[index].output
                engine.input[index].output = NONE
                engine.output[output].writing = 0
                if rules.occupation:
                    engine.held_input[index] += tally.now
                if engine.output[output].space > 0:
                    engine.freed[freed] = output
                    freed += 1
                if rules.input_speedup > 0:
                    engine.port[port_of(rules, index)].taking -= 1
                    engine.freed[freed] = -1 - port_of(rules, index)
                    freed += 1
                if engine.input[index].head != NONE:
                    engine.new[new] = index
                    new += 1
            elif kind == SENT:
                engine.output[index].space += 1
                if rules.occupation:
                    engine.held_output[index] += tally.now
                if engine.output[index].writing == 0:
                    engine.freed[freed] = index
                    freed += 1
                engine.touched[touched] = port_of(rules, index)
                touched += 1
            elif kind == CREDIT:
                engine.output[index].credit += 1
                if engine.output[index].head != NONE:
                    allow(engine, rules, index)
                engine.touched[touched] = port_of(rules, index)
                touched += 1
            elif kind == WAKE:
                time = engine.source_created[index - rules.routers_end]
                if time > tally.now:
                    at(engine, min(time, tally.now + len(engine.slot_size) - 1), event)
                else:
                    engine.touched[touched] = index
                    touched += 1
            elif kind == ASK:
                if engine.input[index].head != NONE and engine.input[index].output == NONE:
                    engine.new[new] = index
                    new += 1
            else:
                deliver(engine, index)
        engine.free_chunk[tally.free_chunks] = chunk
        tally.free_chunks += 1
        chunk = engine.chunk_next[chunk]
        size = first
    engine.slot_size[slot] = 0
    engine.slot_chunk[slot] = NONE
    return new, freed, touched
