"""Wormhole switching: queues, links and credits count phits instead of packets.

The loop replaces `planner.kernels.packet.loop.run`; packets, sources, the time wheel, routings and measures are
the same. One cycle has three parts:

1. events: phits arrive, credits return, sources wake;
2. active routers: in each crossbar step, virtual-channel and switch allocation;
3. links: each output port and each source transmits a phit.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels.addresses import record_at
from planner.kernels.packet.allocators import allocate
from planner.kernels.packet.links import create, deliver, drawn_endpoint, set_addresses
from planner.kernels.packet.loop import is_deadlocked
from planner.kernels.packet.phits import pop_packet, publish_credit, push_packet
from planner.kernels.packet.records import ARRIVE, CREDIT, DEADLOCK, ENGINE, FINE, NONE, WAKE
from planner.kernels.packet.wheel import chunk_of, release_chunk, schedule, take_packet


@uncounted
def run(state, rules, worms, wormhole, candidates, view, target, table, until):
    """Run to cycle `until`; return `FINE`, or `DEADLOCK` when packets exist and none can ever move; `state` as for `loop.run`."""
    engine = record_at(state, ENGINE)
    tally = engine.tally[0]
    while tally.now < until:
        _events(engine, worms, rules, wormhole)
        for i in range(worms.lists[0]):
            for step in range(wormhole.steps):
                allocate(engine, worms, rules, wormhole, candidates, view, worms.routers[i], step)
        _links(engine, worms, rules, wormhole)
        _sources(engine, worms, rules, wormhole, target, table)
        tally.now += 1
        if is_deadlocked(engine):
            return DEADLOCK
    return FINE


@uncounted
def queue_occupancy(engine, rules, worms, wormhole, in_input, in_output):
    """Fill `in_input` and `in_output` (int64) with the packet cycles of each queue; a phit counts as its share of a packet."""
    now = engine.tally[0].now
    capacity = rules.channels * wormhole.input_phits
    for queue in range(len(in_input)):
        in_output[queue] = engine.output_occupancy[queue]
        in_input[queue] = (engine.input_occupancy[queue] + worms.lane[queue].phits * now) // wormhole.packet_phits
    for port in range(rules.routers_end):
        place = worms.side[port].first
        for _ in range(worms.side[port].count):
            in_output[port * rules.channels + worms.line[port * capacity + place]] += now
            place = place + 1 if place + 1 < capacity else 0
    for queue in range(len(in_output)):
        in_output[queue] //= wormhole.packet_phits


@uncounted
def _events(engine, worms, rules, wormhole):
    """Process the events of this cycle."""
    tally = engine.tally[0]
    slot = tally.now & (len(engine.slot) - 1)
    end = engine.slot[slot]
    routers = rules.routers_end * rules.channels
    while end > 0:
        first = chunk_of(end)
        for i in range(first, end):
            event = engine.event[i]
            index = event >> 3
            if event & 7 == ARRIVE:
                if index < routers:
                    _arrive(engine, worms, rules, index)
                else:
                    _receive(engine, worms, rules, wormhole, index)
            elif event & 7 == CREDIT:
                worms.lane[index].credit += 1
                publish_credit(engine, worms, wormhole, index)
            else:
                source = index - rules.routers_end
                if engine.endpoint[source].created > tally.now:
                    _wake(engine, rules, source)
                elif worms.source[source].awake == 0:
                    worms.source[source].awake = 1
                    worms.sources[worms.lists[1]] = source
                    worms.lists[1] += 1
        end = release_chunk(engine, first)
    engine.slot[slot] = 0


@always_inlined
def _wake(engine, rules, source):
    """Schedule the next creation of a source."""
    time = min(engine.endpoint[source].created, engine.tally[0].now + engine.tally[0].mask)
    schedule(engine, time, (rules.routers_end + source) * 8 + WAKE)


@always_inlined
def _arrive(engine, worms, rules, queue):
    """Add a phit to the input queue of a router."""
    lane = worms.lane[queue]
    lane.phits += 1
    if rules.occupancy:
        engine.input_occupancy[queue] -= engine.tally[0].now
    if lane.place != NONE:
        return
    number = engine.port[lane.port].router
    router = worms.router[number]
    lane.place = engine.router[number].first_port * rules.channels + router.busy
    worms.busy[lane.place] = queue
    router.busy += 1
    if router.awake == 0:
        router.awake = 1
        worms.routers[worms.lists[0]] = number
        worms.lists[0] += 1


@always_inlined
def _receive(engine, worms, rules, wormhole, queue):
    """Receive a phit at an endpoint; count the packet with its tail phit."""
    lane = worms.lane[queue]
    port = engine.port[lane.port]
    schedule(
        engine, engine.tally[0].now + port.delay, (port.peer * rules.channels + queue - lane.port * rules.channels) * 8 + CREDIT
    )
    lane.left -= 1
    if lane.left == 0:
        deliver(engine, rules, worms.ring[queue * wormhole.places + lane.first])
        pop_packet(worms, wormhole, queue)


@uncounted
def _links(engine, worms, rules, wormhole):
    """Transmit a phit on every output port; routers without phits become inactive."""
    now = engine.tally[0].now
    capacity = rules.channels * wormhole.input_phits
    i = 0
    while i < worms.lists[0]:
        number = worms.routers[i]
        router = worms.router[number]
        if router.queued > 0:
            for p in range(engine.router[number].first_port, engine.router[number + 1].first_port):
                side = worms.side[p]
                if side.count > side.late:
                    channel = np.int64(worms.line[p * capacity + side.first])
                    side.count -= 1
                    side.first += 1
                    if side.first == capacity:
                        side.first = 0
                    router.queued -= 1
                    if rules.occupancy:
                        engine.output_occupancy[p * rules.channels + channel] += now
                    port = engine.port[p]
                    port.sent += 1
                    time = now + port.delay
                    if port.peer < rules.routers_end:
                        time += wormhole.pipeline
                    schedule(engine, time, (port.peer * rules.channels + channel) * 8 + ARRIVE)
                side.late = 0
        if router.busy == 0 and router.queued == 0:
            router.awake = 0
            worms.lists[0] -= 1
            worms.routers[i] = worms.routers[worms.lists[0]]
        else:
            i += 1


@uncounted
def _sources(engine, worms, rules, wormhole, target, table):
    """Transmit a phit of every source's oldest packet."""
    tally = engine.tally[0]
    i = 0
    while i < worms.lists[1]:
        number = worms.sources[i]
        source = worms.source[number]
        p = rules.routers_end + number
        if source.left == 0:
            if engine.endpoint[number].created > tally.now:
                source.awake = 0
                worms.lists[1] -= 1
                worms.sources[i] = worms.sources[worms.lists[1]]
                _wake(engine, rules, number)
                continue
            _depart(engine, worms, rules, wormhole, target, table, p)
        queue = p * rules.channels + source.channel
        if source.left > 0 and worms.lane[queue].credit > 0:
            worms.lane[queue].credit -= 1
            source.left -= 1
            port = engine.port[p]
            time = tally.now + port.delay + wormhole.pipeline
            schedule(engine, time, (port.peer * rules.channels + source.channel) * 8 + ARRIVE)
            tally.last_move = tally.now
        i += 1


@always_inlined
def _depart(engine, worms, rules, wormhole, target, table, p):
    """Start the oldest packet of a source on a virtual channel of its router port with credit, if there is one."""
    number = p - rules.routers_end
    source = worms.source[number]
    channel = source.channel if rules.take_turns else rules.channels - 1
    for _ in range(rules.channels):
        channel = channel + 1 if channel + 1 < rules.channels else 0
        if worms.lane[p * rules.channels + channel].credit == 0:
            continue
        sent = take_packet(engine)
        create(engine, rules, number, sent)
        drawn = engine.endpoint[drawn_endpoint(engine, rules, target, table, number)]
        set_addresses(engine, rules, p, sent, drawn.router, drawn.face)
        engine.packet[sent].tail_cycle = 0
        source.channel = channel
        source.left = wormhole.packet_phits
        push_packet(worms, wormhole, engine.port[p].peer * rules.channels + channel, sent)
        return
