"""Allocators of wormhole switching: virtual channels for packets, the crossbar for phits.

They are separable, input first, with one iteration and turns [1]_.

References
----------
.. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 16 and 19.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.packet.phits import announce, follow, show
from planner.kernels.packet.records import CREDIT, NEVER, NONE
from planner.kernels.packet.wheel import at
from planner.kernels.random import below


@inlined
def allocate(engine, worms, rules, wormhole, candidates, view, router, step):
    """Allocate virtual channels and the crossbar of a router once, from what was before."""
    base = engine.router[router].first_port * rules.channels
    ports = engine.router[router + 1].first_port - engine.router[router].first_port
    nominated = wanted = 0
    for i in range(base, base + worms.router[router].busy):
        queue = worms.busy[i]
        lane = worms.lane[queue]
        if lane.output == NONE:
            if lane.seen == worms.router[router].released:
                continue
            output, label = _wish(engine, worms, rules, wormhole, candidates, view, router, base, queue)
            if output == NONE:
                lane.seen = worms.router[router].released
            else:
                wanted = _contend(engine, worms, rules, base, ports, queue, output, label, wanted)
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
    for i in range(wanted):
        _grant(engine, worms, wormhole, base, engine.freed[i])


@inlined
def _comes_first(engine, worms, rules, router, ports, side, queue):
    """Return whether an input queue comes before the nominee of its port: the output ports take turns, then the channels."""
    lane, other = worms.lane[queue], worms.lane[side.nominee]
    ahead, behind = worms.lane[lane.output].port, worms.lane[other.output].port
    if ahead == behind:
        first = lane.port * rules.channels + side.channel
        return _after(queue, first, rules.channels) < _after(side.nominee, first, rules.channels)
    first = engine.router[router].first_port + side.output
    return _after(ahead, first, ports) < _after(behind, first, ports)


@inlined
def _after(index, first, count):
    """Return how far behind `first` an index comes in a circle; both lie in the same one of `count`, `first` or just behind."""
    return index - first if index >= first else index - first + count


@inlined
def _wish(engine, worms, rules, wormhole, candidates, view, router, base, queue):
    """Return the free output queue that the head of an input queue asks for and the label with it, or `NONE`."""
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
    found = engine.found
    count = candidates(router, base, channels, p, view)
    least = NEVER
    for i in range(count):
        if found[i, 1] >= channels:
            continue
        output = base + found[i, 0] * channels + found[i, 1]
        if engine.output[output].writing == 0 and found[i, 2] <= least:
            ties = ties + 1 if found[i, 2] == least else 1
            least = found[i, 2]
            if ties == 1 or below(engine.random, ties) == 0:
                best = output
                label = found[i, 3]
    return best, label


@inlined
def _contend(engine, worms, rules, base, ports, queue, output, label, wanted):
    """Let an input queue ask for an output queue; return the new number of those asked for."""
    wish = engine.output[output]
    if wish.tail == NONE:
        engine.freed[wanted] = output
        wanted += 1
    else:
        first, count = base + worms.lane[output].turn, ports * rules.channels
        if _after(queue, first, count) > _after(wish.tail, first, count):
            return wanted
    wish.tail = queue
    wish.head = label
    return wanted


@inlined
def _grant(engine, worms, wormhole, base, output):
    """Give an output queue to the packet that asked for it and comes first."""
    wish = engine.output[output]
    lane = worms.lane[wish.tail]
    lane.output = output
    engine.packet[worms.ring[wish.tail * wormhole.places + lane.first]].label = wish.head
    worms.lane[output].turn = wish.tail - base + 1
    wish.writing = 1
    wish.tail = NONE


@inlined
def _cross(engine, worms, rules, wormhole, router, queue, late):
    """Let the next phit of an input queue cross to the output port; with `late` it can leave in the next cycle only."""
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
    if rules.occupation:
        engine.held_input[queue] += tally.now
        engine.held_output[output] -= tally.now
    worms.lane[output].credit -= 1
    show(engine, worms, wormhole, output)
    port = engine.port[lane.port]
    own = queue - lane.port * rules.channels
    back = worms.side[lane.port]
    back.channel = own + 1
    back.output = worms.lane[output].port - engine.router[router].first_port + 1
    back.paid = max(np.int64(back.paid) + 1, tally.now)
    at(engine, back.paid + port.delay + rules.credit_cycles, (port.peer * rules.channels + own) * 8 + CREDIT)
    if lane.left == wormhole.packet_phits:
        p = worms.ring[queue * wormhole.places + lane.first]
        ahead = engine.port[worms.lane[output].port]
        announce(worms, wormhole, ahead.peer * rules.channels + channel, p)
        if ahead.peer < rules.routers_end:
            engine.packet[p].hops += 1
    lane.left -= 1
    lane.phits -= 1
    if lane.left == 0:
        engine.output[output].writing = 0
        worms.router[router].released += 1
        lane.output = NONE
        lane.seen = NONE
        follow(worms, wormhole, queue)
    if lane.phits == 0:
        worms.router[router].busy -= 1
        last = worms.busy[engine.router[router].first_port * rules.channels + worms.router[router].busy]
        worms.busy[lane.place] = last
        worms.lane[last].place = lane.place
        lane.place = NONE
    tally.last_move = tally.now
