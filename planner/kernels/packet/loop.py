"""The packet engine: routers with input and output queues, driven by events on a time wheel.

What it models is described in ``docs/method/simulation.md``. Records are packed so that one event
touches few cache lines. One cycle has three parts:

1. the events that fall due: they only change state and note who may now act;
2. the crossbars: packets at the heads of input queues take outputs with room;
3. the links: idle ones take the next packet.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined, merged
from planner.kernels.addresses import address_of
from planner.kernels.packet import arbitration, prefetch, routers
from planner.kernels.packet.classes import weigh
from planner.kernels.packet.injection import POISSON, gap
from planner.kernels.packet.links import allow, deliver, inject, send
from planner.kernels.packet.records import ARRIVE, ASK, CREDIT, DEADLOCK, FINE, MOVED, NEVER, NONE, SENT, WAKE, port_of
from planner.kernels.packet.wheel import append, at, behind, chunk_of, drop


@bare
def at_sources(endpoint, state, numbers, process, now, waiting):
    """Fill in the packets created before `now` that wait at each source, int64; uses up `state` and `numbers`, see `gap`."""
    for source in range(len(endpoint)):
        waiting[source] = 0
        time = np.int64(endpoint[source].created)
        while time < now:
            waiting[source] += 1
            time += gap(state[source : source + 1], process, numbers[source])


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
    for source in range(len(engine.endpoint)):
        pause = gap(engine.source_state[source : source + 1], rules.process, engine.source_numbers[source])
        # A source that never sends is left alone.
        if pause >= NEVER:
            engine.endpoint[source].created = NEVER
            continue
        # Of whole cycles the first counts too.
        engine.endpoint[source].created = pause if rules.process == POISSON else pause - 1
        at(engine, min(engine.endpoint[source].created, len(engine.slot) - 1), (rules.routers_end + source) * 8 + WAKE)


@bare
def run(engine, rules, candidates, arrays, target, table, until):
    """Run to cycle `until`, arbitrating at random; return `FINE`, or `DEADLOCK` when packets are there and none can ever move.

    `arrays` is what the routing sees, a `View`.
    """
    tally, view = engine.tally[0], address_of(arrays)
    while tally.now < until:
        new, freed, touched = events(engine, rules)
        touched = routers.cross(engine, rules, candidates, view, new, freed, touched)
        _links(engine, rules, target, table, touched)
        tally.now += 1
        if stuck(engine):
            return DEADLOCK
    return FINE


@bare
def run_by_rule(engine, rules, candidates, arrays, target, table, until):
    """Run as `run`, arbitrating by any rule: compiled only when asked for.

    The crossbars are no parameter of one loop, since Numba keeps no cache of a kernel that is given another.
    """
    tally, view = engine.tally[0], address_of(arrays)
    while tally.now < until:
        new, freed, touched = events(engine, rules)
        touched = arbitration.cross(engine, rules, candidates, view, new, freed, touched)
        _links(engine, rules, target, table, touched)
        tally.now += 1
        if stuck(engine):
            return DEADLOCK
    return FINE


@merged
def _links(engine, rules, target, table, touched):
    """Let links that may be idle take packets."""
    if rules.prefetch:
        prefetch.ports(engine, touched)
    for i in range(touched):
        port = engine.touched[i]
        if port >= rules.routers_end:
            inject(engine, rules, target, table, port)
        else:
            send(engine, rules, port)


@merged
def stuck(engine):
    """Return whether packets are there and none can ever move."""
    tally = engine.tally[0]
    # Every event lies less than a turn of the wheel ahead: after a turn without a move none is left that could help.
    return tally.now - tally.last_move > len(engine.slot) and tally.injected > tally.delivered + tally.dropped


@inlined
def note(entries, count, entry, wanted):
    """Put one more into a list if it is wanted; return the list's length.

    The place behind the last one is written in any case: a branch that a processor guesses wrong costs more.
    """
    entries[count] = entry
    return count + wanted


@inlined
def events(engine, rules):
    """Let the events of this cycle happen; return how many entries `new`, `freed` and `touched` have."""
    tally = engine.tally[0]
    slot = tally.now & (len(engine.slot) - 1)
    end = engine.slot[slot]
    new = freed = touched = 0
    while end > 0:
        first = chunk_of(end)
        if rules.prefetch:
            prefetch.events(engine, first, end)
        for i in range(first, end):
            event = engine.event[i]
            kind = event & 7
            index = event >> 3
            if kind == ARRIVE:
                queue = engine.packet[index].next
                if engine.packet[index].whole == NONE:
                    drop(engine, index)
                    continue
                if rules.occupation:
                    engine.held_input[queue] -= tally.now
                alone = append(engine.input, queue, engine.packet, index)
                new = note(engine.new, new, queue, alone & (engine.input[queue].output == NONE))
            elif kind == MOVED:
                output = engine.input[index].output
                engine.input[index].output = NONE
                engine.output[output].writing = 0
                if rules.classes:
                    weigh(engine, rules, output)
                if rules.occupation:
                    engine.held_input[index] += tally.now
                freed = note(engine.freed, freed, output, engine.output[output].space > 0)
                if rules.input_speedup > 0:
                    engine.port[port_of(rules, index)].taking -= 1
                    engine.freed[freed] = -1 - port_of(rules, index)
                    freed += 1
                new = note(engine.new, new, index, engine.input[index].head != NONE)
            elif kind == SENT:
                engine.output[index].space += 1
                if rules.classes:
                    weigh(engine, rules, index)
                if rules.occupation:
                    engine.held_output[index] += tally.now
                freed = note(engine.freed, freed, index, engine.output[index].writing == 0)
                engine.touched[touched] = port_of(rules, index)
                touched += 1
            elif kind == CREDIT:
                engine.output[index].credit += 1
                if rules.classes:
                    weigh(engine, rules, index)
                allow(engine, rules, index, engine.output[index].head != NONE)
                port = port_of(rules, index)
                touched = note(engine.touched, touched, port, engine.port[port].busy_until <= tally.now)
            elif kind == WAKE:
                time = engine.endpoint[index - rules.routers_end].created
                if time > tally.now:
                    at(engine, min(time, tally.now + len(engine.slot) - 1), event)
                else:
                    engine.touched[touched] = index
                    touched += 1
            elif kind == ASK:
                held = engine.input[index]
                new = note(engine.new, new, index, (held.head != NONE) & (held.output == NONE))
            else:
                deliver(engine, index)
        end = behind(engine, first)
    engine.slot[slot] = 0
    return new, freed, touched
