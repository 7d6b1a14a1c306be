"""The packet engine: routers with input and output queues, driven by events on a time wheel.

The router model is described in ``docs/method/simulation.md``. Records are packed so that one event
touches few cache lines. One cycle has three parts:

1. events of this cycle update state and list the queues and ports that may act;
2. crossbars: head-of-line packets take outputs with space;
3. links: idle ones transmit the next packet.

The routers of a large network run in blocks, each with a state of its own, see `planner.simulation.blocks`.
"""

from __future__ import annotations

from planner.kernels import always_inlined, copied_into_callers, specialized, uncounted
from planner.kernels.addresses import record_at
from planner.kernels.packet import arbitration, prefetch, routers
from planner.kernels.packet.classes import update_free_space
from planner.kernels.packet.injection import PHASE, POISSON, gap
from planner.kernels.packet.links import deliver, inject, mark_sendable, send
from planner.kernels.packet.mail import begin_window, end_window, is_own
from planner.kernels.packet.records import (
    ARRIVE,
    CREDIT,
    DEADLOCK,
    ENGINE,
    FINE,
    MOVED,
    NEVER,
    NONE,
    REQUEST,
    SENT,
    WAKE,
    port_of,
)
from planner.kernels.packet.wheel import append, chunk_of, drop, release_chunk, schedule


@uncounted
def count_created(following, state, numbers, process, turns, now, created):
    """Add the packets that each source creates before `now` to `created` (int64); advances `following`, `state` and `numbers`.

    `following` (int64) has the cycle of the next packet of each source. Sources do not depend on the network: their packets are
    counted apart from the engine, which draws the same gaps.
    """
    for source in range(len(following)):
        while following[source] < now:
            created[source] += 1
            following[source] += gap(state[source : source + 1], process, numbers[source], turns, turns)


@uncounted
def queue_occupancy(engine, rules, capacity, in_input, in_output):
    """Fill `in_input` and `in_output` (int64) with the packet cycles of each queue since the start."""
    now = engine.tally[0].now
    for queue in range(len(in_input)):
        count = 0 if engine.input[queue].output == NONE else 1
        p = engine.input[queue].head
        while p != NONE:
            count += 1
            p = engine.packet[p].next
        in_input[queue] = engine.input_occupancy[queue] + count * now
    for queue in range(len(in_output)):
        in_output[queue] = engine.output_occupancy[queue] + (capacity - engine.output[queue].space) * now


@uncounted
def start(engine, rules):
    """Draw the creation cycle of every source's first packet."""
    for source in range(len(engine.endpoint)):
        if not is_own(engine, rules, rules.routers_end + source):
            continue
        state, numbers = engine.source_state[source : source + 1], engine.source_numbers[source]
        # Discrete processes may create in cycle 0.
        early = 0 if rules.process == POISSON else 1
        if rules.turns > 1:
            numbers[PHASE] -= early
            early = 0
        pause = gap(state, rules.process, numbers, engine.endpoint[source].plane + 1 if rules.turns > 1 else 1, rules.turns)
        # A source that never sends has no event.
        if pause >= NEVER:
            engine.endpoint[source].created = NEVER
            continue
        engine.endpoint[source].created = pause - early
        p = rules.routers_end + source
        schedule(engine, min(engine.endpoint[source].created, engine.tally[0].mask), p * 8 + WAKE)


def _run(state, rules, candidates, view, target, table, until):
    """Run to cycle `until`; return `FINE`, or `DEADLOCK` when packets exist and none can ever move.

    `state` and `view` are the addresses of an `Engine` and of the routing's `planner.kernels.routing.view.View`. A block runs at
    most one window; whether all are deadlocked is known after it only.
    """
    engine = record_at(state, ENGINE)
    tally = engine.tally[0]
    if rules.blocks > 1:
        begin_window(engine, rules)
    while tally.now < until:
        new, freed, touched = events(engine, rules)
        touched = cross(engine, rules, candidates, view, new, freed, touched)  # noqa: F821
        _links(engine, rules, target, table, touched)
        tally.now += 1
        if rules.blocks == 1 and is_deadlocked(engine):
            return DEADLOCK
    if rules.blocks > 1:
        end_window(engine, rules)
    return FINE


@copied_into_callers
def _links(engine, rules, target, table, touched):
    """Transmit on idle links."""
    if rules.prefetch:
        prefetch.ports(engine, touched)
    for i in range(touched):
        port = engine.touched[i]
        if port >= rules.routers_end:
            inject(engine, rules, target, table, port)
        else:
            send(engine, rules, port)


@copied_into_callers
def is_deadlocked(engine):
    """Return whether packets exist and none can ever move."""
    tally = engine.tally[0]
    # Every event is less than one turn of the wheel ahead: after a turn without a move no event is left.
    return tally.now - tally.last_move > tally.mask + 1 and tally.injected > tally.delivered + tally.dropped


@always_inlined
def append_if(entries, count, entry, wanted):
    """Append an entry to a list if `wanted`; return the new length.

    The entry is written in either case: a mispredicted branch costs more.
    """
    entries[count] = entry
    return count + wanted


@always_inlined
def events(engine, rules):
    """Process the events of this cycle; return the lengths of `new`, `freed` and `touched`."""
    tally = engine.tally[0]
    slot = tally.now & tally.mask
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
                if engine.packet[index].tail_cycle == NONE:
                    drop(engine, index)
                    continue
                if rules.occupancy:
                    engine.input_occupancy[queue] -= tally.now
                tally.queued += 1
                alone = append(engine.input, queue, engine.packet, index)
                new = append_if(engine.new, new, queue, alone & (engine.input[queue].output == NONE))
            elif kind == MOVED:
                output = engine.input[index].output
                engine.input[index].output = NONE
                engine.output[output].writing = 0
                if rules.classes:
                    update_free_space(engine, rules, output)
                if rules.occupancy:
                    engine.input_occupancy[index] += tally.now
                freed = append_if(engine.freed, freed, output, engine.output[output].space > 0)
                if rules.input_speedup > 0:
                    engine.port[port_of(rules, index)].taking -= 1
                    engine.freed[freed] = -1 - port_of(rules, index)
                    freed += 1
                new = append_if(engine.new, new, index, engine.input[index].head != NONE)
            elif kind == SENT:
                engine.output[index].space += 1
                if rules.classes:
                    update_free_space(engine, rules, index)
                if rules.occupancy:
                    engine.output_occupancy[index] += tally.now
                freed = append_if(engine.freed, freed, index, engine.output[index].writing == 0)
                engine.touched[touched] = port_of(rules, index)
                touched += 1
            elif kind == CREDIT:
                engine.output[index].credit += 1
                if rules.classes:
                    update_free_space(engine, rules, index)
                mark_sendable(engine, rules, index, engine.output[index].head != NONE)
                port = port_of(rules, index)
                touched = append_if(engine.touched, touched, port, engine.port[port].busy_until <= tally.now)
            elif kind == WAKE:
                time = engine.endpoint[index - rules.routers_end].created
                if time > tally.now:
                    schedule(engine, min(time, tally.now + tally.mask), event)
                else:
                    engine.touched[touched] = index
                    touched += 1
            elif kind == REQUEST:
                queue = engine.input[index]
                new = append_if(engine.new, new, index, (queue.head != NONE) & (queue.output == NONE))
            else:
                deliver(engine, rules, index)
        end = release_chunk(engine, first)
    engine.slot[slot] = 0
    return new, freed, touched


run = uncounted(specialized(_run, "run", cross=routers.cross))
"""Run with random arbitration and unlimited input speed-up."""

run_by_rule = uncounted(specialized(_run, "run_by_rule", cross=arbitration.cross))
"""Run with any arbitration; compiled only when used."""
