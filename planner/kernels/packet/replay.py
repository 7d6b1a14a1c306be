"""Closed-loop packet engine: sources send the messages of a motif, exact to the cycle.

Routers and links are those of `planner.kernels.packet.loop`; only the sources differ. A message whose last packet
arrives in a cycle may trigger others in the same cycle. A dropped packet is sent again by its source after a timeout.
"""

from __future__ import annotations

from planner.kernels import always_inlined, specialized, uncounted
from planner.kernels.addresses import record_at
from planner.kernels.packet import arbitration, loop, messages, prefetch, routers
from planner.kernels.packet.links import channel_with_credit, depart, send
from planner.kernels.packet.records import DEADLOCK, ENGINE, FINE, NONE, WAKE
from planner.kernels.packet.wheel import schedule, take_packet

FINISHED = 2


def _run(state, rules, books, candidates, view, until):
    """Run to cycle `until`; return `FINE`, `FINISHED` when all is delivered, or `DEADLOCK`; `state` as for `loop.run`."""
    engine = record_at(state, ENGINE)
    tally = engine.tally[0]
    while tally.now < until:
        new, freed, touched = _events(engine, rules, books)
        known = tally.free_packets
        touched = cross(engine, rules, candidates, view, new, freed, touched)  # noqa: F821
        account(engine, books, known)
        _links(engine, rules, books, touched)
        if books.counts[0].left == 0:
            return FINISHED
        tally.now += 1
        if loop.is_deadlocked(engine):
            return DEADLOCK
    return FINE


@always_inlined
def _events(engine, rules, books):
    """Process the events of this cycle and the messages that arrived; return as `loop.events`."""
    known = engine.tally[0].free_packets
    new, freed, touched = loop.events(engine, rules)
    account(engine, books, known)
    return new, freed, touched


@uncounted
def account(engine, books, known):
    """Count the packets that were freed since `known` packet records were free: delivered, or dropped."""
    tally = engine.tally[0]
    for i in range(tally.free_packets - 1, known - 1, -1):
        p = engine.free[i]
        message = books.carried[p]
        if engine.packet[p].tail_cycle == NONE:
            messages.lost(books, message, tally.now)
        else:
            messages.arrived(books, message, tally.now)


@always_inlined
def _links(engine, rules, books, touched):
    """Transmit on idle links, then let sources send the messages that became due."""
    if rules.prefetch:
        prefetch.ports(engine, touched)
    for i in range(touched):
        port = engine.touched[i]
        if port >= rules.routers_end:
            _inject(engine, rules, books, port)
        else:
            send(engine, rules, port)
    woken = messages.run_due_steps(books, engine.tally[0].now)
    for i in range(woken):
        _inject(engine, rules, books, rules.routers_end + books.woken[i])


@uncounted
def _inject(engine, rules, books, p):
    """Let an idle source send the next packet of the message at the head of its queue."""
    tally = engine.tally[0]
    port = engine.port[p]
    source = p - rules.routers_end
    message = books.head[source]
    if message == NONE or port.busy_until > tally.now:
        return
    channel = channel_with_credit(engine, rules, p)
    if channel == NONE:
        return
    sent = take_packet(engine)
    engine.packet[sent].created = tally.now
    target_port = engine.endpoint[books.target[message]].port
    depart(engine, rules, p, channel, sent, engine.port[target_port].router, target_port)
    books.carried[sent] = message
    engine.packet[sent].label = books.label[message]
    books.unsent[message] -= 1
    if books.unsent[message] == 0:
        books.head[source] = books.next[message]
    tally.injected += 1
    tally.last_move = tally.now
    schedule(engine, port.busy_until, p * 8 + WAKE)


run = uncounted(specialized(_run, "run", cross=routers.cross))
"""Run with random arbitration and unlimited input speed-up."""

run_by_rule = uncounted(specialized(_run, "run_by_rule", cross=arbitration.cross))
"""Run with any arbitration; compiled only when used."""
