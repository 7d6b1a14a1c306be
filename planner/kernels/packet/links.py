"""Links of the packet engine: routers send, sources inject, endpoints receive."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, copied_into_callers
from planner.kernels.instructions import lowest_bit
from planner.kernels.packet.classes import update_free_space
from planner.kernels.packet.injection import gap
from planner.kernels.packet.mail import is_own, post, schedule_at
from planner.kernels.packet.planes import plane_of_pair
from planner.kernels.packet.records import ARRIVE, DELIVER, NEVER, NONE, SENT, WAKE, call_traffic, port_of
from planner.kernels.packet.wheel import drop, free_packet, schedule, take_packet


@always_inlined
def mark_sendable(engine, rules, queue, wanted):
    """Mark an output queue as having a packet and credit if `wanted`."""
    port = port_of(rules, queue)
    channel = np.int64(queue) - port * rules.channels
    engine.port[port].sendable = np.uint32(np.int64(engine.port[port].sendable) | np.int64(wanted) << (channel & 31))


@copied_into_callers
def send(engine, rules, p):
    """Transmit the next packet on an idle link: round robin over virtual channels with credit."""
    tally = engine.tally[0]
    port = engine.port[p]
    sendable = np.int64(port.sendable)
    channel = np.int64(port.channel)
    left = sendable if port.busy_until <= tally.now else np.int64(0)
    while left:
        if rules.channels <= 32:
            behind = left & (np.int64(-2) << channel)
            channel = lowest_bit(behind if behind else left)
            left &= ~(np.int64(1) << channel)
        else:
            channel = channel + 1 if channel + 1 < rules.channels else 0
            if channel == port.channel:
                left = np.int64(0)
            if (sendable >> (channel & 31)) & 1 == 0:
                continue
        queue = p * rules.channels + channel
        sent = engine.output[queue].head
        if sent == NONE or engine.output[queue].credit == 0:
            continue
        packet = engine.packet[sent]
        engine.output[queue].head = packet.next
        last = (packet.next == NONE) | ((engine.output[queue].credit == 1) & (port.peer < rules.routers_end))
        # A bit shared by several channels is never cleared.
        if rules.channels <= 32:
            port.sendable = np.uint32(sendable & ~(np.int64(last) << channel))
        port.channel = channel
        port.sent += 1
        tally.queued -= 1
        # Phits cannot leave before they arrive.
        port.busy_until = max(tally.now + port.packet_cycles, packet.tail_cycle)
        schedule(engine, port.busy_until, queue * 8 + SENT)
        if port.peer >= rules.routers_end:
            schedule(engine, port.busy_until + port.delay - 1, sent * 8 + DELIVER)
        else:
            engine.output[queue].credit -= 1
            if rules.classes:
                update_free_space(engine, rules, queue)
            packet.hops += 1
            packet.next = port.peer * rules.channels + channel
            packet.tail_cycle = port.busy_until + port.delay + rules.router_cycles
            schedule_at(engine, rules, port.peer, tally.now + port.delay + rules.router_cycles, sent * 8 + ARRIVE)
        tally.last_move = tally.now
        return


@copied_into_callers
def inject(engine, rules, target, table, p):
    """Let an idle source send its oldest packet into an input queue with space at its router port."""
    tally = engine.tally[0]
    port = engine.port[p]
    source = p - rules.routers_end
    if port.busy_until > tally.now or engine.endpoint[source].created > tally.now:
        return
    channel = channel_with_credit(engine, rules, p)
    if channel == NONE:
        return
    sent = take_packet(engine)
    create(engine, rules, source, sent)
    tally.last_move = tally.now
    drawn = engine.endpoint[drawn_endpoint(engine, rules, target, table, source)]
    if drawn.router == NONE:
        drop(engine, sent)
    else:
        depart(engine, rules, p, channel, sent, drawn.router, drawn.face)
    wake = max(engine.endpoint[source].created, port.busy_until, tally.now + 1)
    schedule(engine, min(wake, tally.now + tally.mask), p * 8 + WAKE)


@copied_into_callers
def channel_with_credit(engine, rules, p):
    """Return the virtual channel that a source sends on: the first one with credit, or in turn; `NONE` if there is none."""
    channel = engine.port[p].channel if rules.take_turns else rules.channels - 1
    for _ in range(rules.channels):
        channel = channel + 1 if channel + 1 < rules.channels else 0
        if engine.output[p * rules.channels + channel].credit > 0:
            return channel
    return NONE


@copied_into_callers
def create(engine, rules, source, sent):
    """Create the oldest packet of a source in record `sent` and draw the creation cycle of the next."""
    created = engine.endpoint[source].created
    engine.packet[sent].created = created
    state, numbers = engine.source_state[source : source + 1], engine.source_numbers[source]
    pause = gap(state, rules.process, numbers, rules.turns, rules.turns)
    engine.endpoint[source].created = min(created + pause, NEVER)
    engine.endpoint[source].sent += 1
    engine.tally[0].injected += 1


@copied_into_callers
def drawn_endpoint(engine, rules, target, table, source):
    """Return the record with the port that the oldest packet of a source goes to: that of the drawn node in its plane."""
    node, plane = np.int64(engine.endpoint[source].node), np.int64(engine.endpoint[source].plane)
    drawn = call_traffic(target, node, table, engine.random)
    if rules.planes > rules.turns:
        while plane_of_pair(node, drawn, rules.planes) != plane:
            drawn = call_traffic(target, node, table, engine.random)
    return drawn * rules.planes + plane


@copied_into_callers
def set_addresses(engine, rules, p, sent, target_router, target_port):
    """Write source and target into a packet that leaves the endpoint at port `p`."""
    packet = engine.packet[sent]
    packet.source = p - rules.routers_end
    packet.source_router = engine.port[engine.port[p].peer].router
    packet.target_router = target_router
    packet.target = target_port - engine.router[target_router].first_port
    packet.label = 0
    packet.hops = 0


@copied_into_callers
def depart(engine, rules, p, channel, sent, target_router, target_port):
    """Send a packet from the endpoint at port `p` to an input queue with space."""
    tally = engine.tally[0]
    port = engine.port[p]
    packet = engine.packet[sent]
    port.channel = channel
    set_addresses(engine, rules, p, sent, target_router, target_port)
    packet.next = port.peer * rules.channels + channel
    engine.output[p * rules.channels + channel].credit -= 1
    port.busy_until = tally.now + port.packet_cycles
    packet.tail_cycle = port.busy_until + port.delay + rules.router_cycles
    schedule(engine, tally.now + port.delay + rules.router_cycles, sent * 8 + ARRIVE)


@copied_into_callers
def deliver(engine, rules, p):
    """Count a packet whose tail phit has arrived and free its record."""
    tally = engine.tally[0]
    packet = engine.packet[p]
    if packet.tail_cycle == NONE:
        drop(engine, p)
        return
    delay = tally.now - packet.created
    tally.delivered += 1
    tally.packets += 1
    tally.delay += delay
    engine.delays[min(delay, len(engine.delays) - 1)] += 1
    engine.hops[min(packet.hops, len(engine.hops) - 1)] += 1
    source = np.int64(packet.source)
    if is_own(engine, rules, rules.routers_end + source):
        engine.endpoint[source].delivered += 1
    else:
        post(engine, rules.routers_end + source, tally.now, source * 8 + DELIVER)
    free_packet(engine, p)
