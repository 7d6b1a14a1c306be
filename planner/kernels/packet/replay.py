"""The packet engine with sources that send what a motif tells them: a closed loop, exact to the cycle.

The routers are those of `planner.kernels.packet.loop`; only the sources differ. A message whose last packet
arrives in a cycle lets others start in the same cycle. Nothing dies while a motif runs.
"""

from __future__ import annotations

from planner.kernels import bare, inlined
from planner.kernels.addresses import address_of
from planner.kernels.packet import arbitration, loop, messages, prefetch, routers
from planner.kernels.packet.links import send, set_out
from planner.kernels.packet.records import DEADLOCK, FINE, NONE, WAKE
from planner.kernels.packet.wheel import at, take

FINISHED = 2


@bare
def run(engine, rules, books, candidates, arrays, until):
    """Run to cycle `until`, arbitrating at random; return `FINE`, `FINISHED` when all is delivered, or `DEADLOCK`."""
    tally, view = engine.tally[0], address_of(arrays)
    while tally.now < until:
        new, freed, touched = _events(engine, rules, books)
        touched = routers.cross(engine, rules, candidates, view, new, freed, touched)
        _links(engine, rules, books, touched)
        if books.counts[0].left == 0:
            return FINISHED
        tally.now += 1
        if loop.stuck(engine):
            return DEADLOCK
    return FINE


@bare
def run_by_rule(engine, rules, books, candidates, arrays, until):
    """Run as `run`, arbitrating by any rule: compiled only when asked for.

    The crossbars are no parameter of one loop, since Numba keeps no cache of a kernel that is given another.
    """
    tally, view = engine.tally[0], address_of(arrays)
    while tally.now < until:
        new, freed, touched = _events(engine, rules, books)
        touched = arbitration.cross(engine, rules, candidates, view, new, freed, touched)
        _links(engine, rules, books, touched)
        if books.counts[0].left == 0:
            return FINISHED
        tally.now += 1
        if loop.stuck(engine):
            return DEADLOCK
    return FINE


@inlined
def _events(engine, rules, books):
    """Let the events of this cycle happen, and enter the messages that arrived; return as `loop.events`."""
    tally = engine.tally[0]
    delivered = tally.free_packets
    new, freed, touched = loop.events(engine, rules)
    # The events of a cycle free packets only by delivering them.
    p = tally.free_packet
    for _ in range(delivered, tally.free_packets):
        messages.arrived(books, books.carried[p], tally.now)
        p = engine.packet[p].next
    return new, freed, touched


@inlined
def _links(engine, rules, books, touched):
    """Let links that may be idle take packets, then sources send what was waiting for messages."""
    if rules.prefetch:
        prefetch.ports(engine, touched)
    for i in range(touched):
        port = engine.touched[i]
        if port >= rules.routers_end:
            _inject(engine, rules, books, port)
        else:
            send(engine, rules, port)
    roused = messages.settle(books, engine.tally[0].now)
    for i in range(roused):
        _inject(engine, rules, books, rules.routers_end + books.roused[i])


@bare
def _inject(engine, rules, books, p):
    """Let an idle source send the next packet of the message at the head of its queue."""
    tally = engine.tally[0]
    port = engine.port[p]
    source = p - rules.routers_end
    message = books.head[source]
    if message == NONE or port.busy_until > tally.now:
        return
    channel = port.channel if rules.take_turns else rules.channels - 1
    for _ in range(rules.channels):
        channel = channel + 1 if channel + 1 < rules.channels else 0
        queue = p * rules.channels + channel
        if engine.output[queue].credit == 0:
            continue
        sent = take(engine)
        engine.packet[sent].created = tally.now
        set_out(engine, rules, p, channel, sent, engine.endpoint[books.target[message]].port)
        books.carried[sent] = message
        books.unsent[message] -= 1
        if books.unsent[message] == 0:
            books.head[source] = books.next[message]
        tally.injected += 1
        tally.last_move = tally.now
        at(engine, port.busy_until, p * 8 + WAKE)
        return
