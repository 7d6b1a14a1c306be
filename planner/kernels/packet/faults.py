"""Faults of the packet engine: what is on, in or bound for dead ports is lost."""

from __future__ import annotations

from planner.kernels import bare
from planner.kernels.packet.classes import weigh
from planner.kernels.packet.injection import gap
from planner.kernels.packet.records import ARRIVE, ASK, CHUNK, DELIVER, NEVER, NONE, ROUTER_DEAD
from planner.kernels.packet.wheel import at, chunk_of, drop


@bare
def fail(engine, rules):
    """Drop what dead ports hold or carry, stop their sources, and let all waiting heads ask again.

    The ports have been marked in `engine.port`, at both ends of each cable.
    """
    for port in range(len(engine.port)):
        dead = engine.port[port].dead
        if dead == 0:
            continue
        if port >= rules.routers_end:
            _stop(engine, rules, port - rules.routers_end)
            continue
        for queue in range(port * rules.channels, (port + 1) * rules.channels):
            dropped = _empty(engine, rules, engine.output, queue)
            engine.output[queue].space += dropped
            if rules.classes:
                weigh(engine, rules, queue)
            if rules.occupation:
                engine.held_output[queue] += dropped * engine.tally[0].now
            if dead == ROUTER_DEAD:
                dropped = _empty(engine, rules, engine.input, queue)
                if rules.occupation:
                    engine.held_input[queue] += dropped * engine.tally[0].now
    _cut(engine, rules)
    for router in range(len(engine.router) - 1):
        base = engine.router[router].first_port * rules.channels
        for place in range(base, base + engine.router[router].waiting):
            at(engine, engine.tally[0].now, engine.waiting[place].queue * 8 + ASK)
        engine.router[router].waiting = 0


@bare
def _empty(engine, rules, queues, queue):
    """Drop all packets of a list; return how many."""
    dropped = 0
    p = queues[queue].head
    queues[queue].head = NONE
    while p != NONE:
        following = engine.packet[p].next
        drop(engine, p)
        dropped += 1
        p = following
    return dropped


@bare
def _stop(engine, rules, source):
    """Stop a source; what waits there is lost."""
    tally = engine.tally[0]
    state = engine.source_state[source : source + 1]
    while engine.endpoint[source].created < tally.now:
        engine.endpoint[source].created += gap(state, rules.process, engine.source_numbers[source])
        tally.injected += 1
        tally.dropped += 1
    engine.endpoint[source].created = NEVER


@bare
def _cut(engine, rules):
    """Mark the packets that are on dead cables, so that they are lost instead of arriving."""
    for slot in range(len(engine.slot)):
        end = engine.slot[slot]
        while end > 0:
            first = chunk_of(end)
            for i in range(first, end):
                event = engine.event[i]
                p = event >> 3
                if event & 7 == ARRIVE:
                    if engine.port[engine.packet[p].next // rules.channels].dead:
                        engine.packet[p].whole = NONE
                elif event & 7 == DELIVER:
                    port = engine.router[engine.packet[p].target_router].first_port + engine.packet[p].target
                    if engine.port[port].dead:
                        engine.packet[p].whole = NONE
            end = engine.chunk_before[first // CHUNK]
