"""Faults of the packet engine: packets on, in or bound for failed ports are dropped."""

from __future__ import annotations

import numpy as np

from planner.kernels import uncounted
from planner.kernels.packet.classes import update_free_space
from planner.kernels.packet.injection import gap
from planner.kernels.packet.mail import is_own
from planner.kernels.packet.records import ARRIVE, CHUNK, DELIVER, NEVER, NONE, REQUEST, ROUTER_FAILED
from planner.kernels.packet.wheel import chunk_of, drop, schedule


@uncounted
def fail(engine, rules):
    """Drop the packets of failed ports, stop their sources, and let all waiting heads request again.

    Failed ports are marked in `engine.port`, at both ends of each cable.
    """
    for port in range(len(engine.port)):
        failed = engine.port[port].failed
        if failed == 0 or not is_own(engine, rules, port):
            continue
        if port >= rules.routers_end:
            _stop(engine, rules, port - rules.routers_end)
            continue
        for queue in range(port * rules.channels, (port + 1) * rules.channels):
            dropped = _empty(engine, rules, engine.output, queue)
            engine.output[queue].space += dropped
            if rules.classes:
                update_free_space(engine, rules, queue)
            if rules.occupancy:
                engine.output_occupancy[queue] += dropped * engine.tally[0].now
            if failed == ROUTER_FAILED:
                dropped = _empty(engine, rules, engine.input, queue)
                if rules.occupancy:
                    engine.input_occupancy[queue] += dropped * engine.tally[0].now
    for endpoint in engine.endpoint:
        if engine.port[endpoint.face].failed:
            endpoint.router = NONE
    _cut(engine, rules)
    request_again(engine, rules)


@uncounted
def request_again(engine, rules):
    """Let all waiting heads request again in the next cycle to run."""
    for router in range(len(engine.router) - 1):
        base = engine.router[router].first_port * rules.channels
        if engine.router[router].waiting == 0 or not is_own(engine, rules, engine.router[router].first_port):
            continue
        for place in range(base, base + engine.router[router].waiting):
            queue = np.int64(engine.waiting[place].queue)
            schedule(engine, engine.tally[0].now, queue * 8 + REQUEST)
        engine.router[router].waiting = 0


@uncounted
def _empty(engine, rules, queues, queue):
    """Drop all packets of a queue; return their number."""
    dropped = 0
    p = queues[queue].head
    queues[queue].head = NONE
    while p != NONE:
        following = engine.packet[p].next
        engine.tally[0].queued -= 1
        drop(engine, p)
        dropped += 1
        p = following
    return dropped


@uncounted
def _stop(engine, rules, source):
    """Stop a source; packets that wait there are dropped."""
    tally = engine.tally[0]
    state = engine.source_state[source : source + 1]
    while engine.endpoint[source].created < tally.now:
        engine.endpoint[source].created += gap(state, rules.process, engine.source_numbers[source], rules.turns, rules.turns)
        engine.endpoint[source].sent += 1
        tally.injected += 1
        tally.dropped += 1
    engine.endpoint[source].created = NEVER


@uncounted
def _cut(engine, rules):
    """Mark packets on failed cables, so that they are dropped on arrival."""
    for slot in range(len(engine.slot)):
        end = engine.slot[slot]
        while end > 0:
            first = chunk_of(end)
            for i in range(first, end):
                event = engine.event[i]
                p = event >> 3
                if event & 7 == ARRIVE:
                    if engine.port[engine.packet[p].next // rules.channels].failed:
                        engine.packet[p].tail_cycle = NONE
                elif event & 7 == DELIVER:
                    port = engine.router[engine.packet[p].target_router].first_port + engine.packet[p].target
                    if engine.port[port].failed:
                        engine.packet[p].tail_cycle = NONE
            end = engine.chunk_before[first // CHUNK]
