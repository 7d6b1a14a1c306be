"""Allocators of wormhole switching: virtual channels for packets, the crossbar for phits.

They are separable, input first, round robin, with one iteration [1]_.

References
----------
.. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 16 and 19.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined
from planner.kernels.packet.phits import pop_packet, publish_credit, push_packet
from planner.kernels.packet.records import CREDIT, NEVER, NONE
from planner.kernels.packet.wheel import schedule
from planner.kernels.random import below
from planner.kernels.routing.view import call_routing


@always_inlined
def allocate(engine, worms, rules, wormhole, candidates, view, router, step):
    """Run one iteration of virtual-channel and switch allocation of a router, on the state before it."""
    base = engine.router[router].first_port * rules.channels
    ports = engine.router[router + 1].first_port - engine.router[router].first_port
    nominated = requested = 0
    for i in range(base, base + worms.router[router].busy):
        queue = worms.busy[i]
        lane = worms.lane[queue]
        if lane.output == NONE:
            if lane.seen == worms.router[router].released:
                continue
            output, label = _request(engine, worms, rules, wormhole, candidates, view, router, base, queue)
            if output == NONE:
                lane.seen = worms.router[router].released
            else:
                requested = _contend(engine, worms, rules, base, ports, queue, output, label, requested)
        elif worms.lane[lane.output].credit > 0:
            side = worms.side[lane.port]
            if side.nominee == NONE:
                engine.new[nominated] = lane.port
                nominated += 1
                side.nominee = queue
            elif _comes_first(engine, worms, rules, router, ports, side, queue):
                side.nominee = queue
    taken = 0
    for i in range(nominated):
        port = engine.new[i]
        output = worms.lane[worms.lane[worms.side[port].nominee].output].port
        side = worms.side[output]
        if side.taker == NONE:
            engine.touched[taken] = output
            taken += 1
            side.taker = port
        else:
            first = engine.router[router].first_port + side.turn
            if _after(port, first, ports) < _after(side.taker, first, ports):
                side.taker = port
    for i in range(taken):
        side = worms.side[engine.touched[i]]
        _cross(engine, worms, rules, wormhole, router, worms.side[side.taker].nominee, step + 1 == wormhole.steps)
        side.turn = side.taker - engine.router[router].first_port + 1
        side.taker = NONE
    for i in range(nominated):
        worms.side[engine.new[i]].nominee = NONE
    for i in range(requested):
        _grant(engine, worms, wormhole, base, engine.freed[i])


@always_inlined
def _comes_first(engine, worms, rules, router, ports, side, queue):
    """Return whether an input queue precedes the nominee of its port: round robin over output ports, then channels."""
    lane, other = worms.lane[queue], worms.lane[side.nominee]
    ahead, behind = worms.lane[lane.output].port, worms.lane[other.output].port
    if ahead == behind:
        first = lane.port * rules.channels + side.channel
        return _after(queue, first, rules.channels) < _after(side.nominee, first, rules.channels)
    first = engine.router[router].first_port + side.output
    return _after(ahead, first, ports) < _after(behind, first, ports)


@always_inlined
def _after(index, first, count):
    """Return the distance of `index` after `first` modulo `count`; `first` may be one past the end."""
    return index - first if index >= first else index - first + count


@always_inlined
def _request(engine, worms, rules, wormhole, candidates, view, router, base, queue):
    """Return the free output queue that the head of an input queue requests and its label, or `NONE`."""
    channels = rules.channels
    p = worms.ring[queue * wormhole.places + worms.lane[queue].first]
    packet = engine.packet[p]
    best, label, ties = NONE, packet.label, 0
    if packet.target_router == router:
        first = base + packet.target * channels
        for output in range(first, first + channels):
            if engine.output[output].writing == 0:
                ties += 1
                if ties == 1 or below(engine.random, ties) == 0:
                    best = output
        return best, label
    found = engine.candidates
    count = call_routing(candidates, router, base, channels, p, view)
    lowest = NEVER
    for i in range(count):
        if found[i].channel >= channels:
            continue
        output = base + found[i].port * channels + found[i].channel
        if engine.output[output].writing == 0 and found[i].penalty <= lowest:
            ties = ties + 1 if found[i].penalty == lowest else 1
            lowest = found[i].penalty
            if ties == 1 or below(engine.random, ties) == 0:
                best = output
                label = found[i].label
    return best, label


@always_inlined
def _contend(engine, worms, rules, base, ports, queue, output, label, requested):
    """Let an input queue request an output queue; return the new number of requested queues."""
    slot = engine.output[output]
    if slot.tail == NONE:
        engine.freed[requested] = output
        requested += 1
    else:
        first, count = base + worms.lane[output].turn, ports * rules.channels
        if _after(queue, first, count) > _after(slot.tail, first, count):
            return requested
    slot.tail = queue
    slot.head = label
    return requested


@always_inlined
def _grant(engine, worms, wormhole, base, output):
    """Allocate an output queue to the requesting packet with priority."""
    slot = engine.output[output]
    lane = worms.lane[slot.tail]
    lane.output = output
    engine.packet[worms.ring[slot.tail * wormhole.places + lane.first]].label = slot.head
    worms.lane[output].turn = slot.tail - base + 1
    slot.writing = 1
    slot.tail = NONE


@always_inlined
def _cross(engine, worms, rules, wormhole, router, queue, late):
    """Move the next phit of an input queue across the crossbar; if `late`, it cannot leave before the next cycle."""
    tally = engine.tally[0]
    lane = worms.lane[queue]
    output = lane.output
    side = worms.side[worms.lane[output].port]
    channel = output - worms.lane[output].port * rules.channels
    capacity = rules.channels * wormhole.input_phits
    place = side.first + side.count
    if place >= capacity:
        place -= capacity
    worms.line[worms.lane[output].port * capacity + place] = channel
    side.count += 1
    if late:
        side.late = 1
    worms.router[router].queued += 1
    if rules.occupancy:
        engine.input_occupancy[queue] += tally.now
        engine.output_occupancy[output] -= tally.now
    worms.lane[output].credit -= 1
    publish_credit(engine, worms, wormhole, output)
    port = engine.port[lane.port]
    own = queue - lane.port * rules.channels
    back = worms.side[lane.port]
    back.channel = own + 1
    back.output = worms.lane[output].port - engine.router[router].first_port + 1
    back.paid = max(np.int64(back.paid) + 1, tally.now)
    schedule(engine, back.paid + port.delay + rules.credit_cycles, (port.peer * rules.channels + own) * 8 + CREDIT)
    if lane.left == wormhole.packet_phits:
        p = worms.ring[queue * wormhole.places + lane.first]
        ahead = engine.port[worms.lane[output].port]
        push_packet(worms, wormhole, ahead.peer * rules.channels + channel, p)
        if ahead.peer < rules.routers_end:
            engine.packet[p].hops += 1
    lane.left -= 1
    lane.phits -= 1
    if lane.left == 0:
        engine.output[output].writing = 0
        worms.router[router].released += 1
        lane.output = NONE
        lane.seen = NONE
        pop_packet(worms, wormhole, queue)
    if lane.phits == 0:
        worms.router[router].busy -= 1
        last = worms.busy[engine.router[router].first_port * rules.channels + worms.router[router].busy]
        worms.busy[lane.place] = last
        worms.lane[last].place = lane.place
        lane.place = NONE
    tally.last_move = tally.now
