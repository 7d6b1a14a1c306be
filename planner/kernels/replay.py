"""The packet engine with sources that send what a motif tells them: a closed loop, exact to the cycle.

The routers are those of `planner.kernels.packets`; only the sources differ. A message whose last packet
arrives in a cycle lets others start in the same cycle. Nothing dies while a motif runs.
"""

from __future__ import annotations

from planner.kernels import bare, messages, packet_prefetch, packets
from planner.kernels.packet_links import send, set_out
from planner.kernels.packet_records import DEADLOCK, FINE, NONE, RANDOM, WAKE
from planner.kernels.packet_routers import serve, serve_port
from planner.kernels.packet_wheel import at, take

FINISHED = 2


@bare
def run(engine, rules, books, candidates, wide, small, numbers, until):
    """Run to cycle `until`; return `FINE`, `FINISHED` when all is delivered, or `DEADLOCK`."""
    tally = engine.tally[0]
    while tally.now < until:
        delivered = tally.free_packets
        new, freed, touched = packets._events(engine, rules)
        # The events of a cycle free packets only by delivering them.
        for i in range(delivered, tally.free_packets):
            messages.arrived(books, books.carried[engine.free_packet[i]], tally.now)
        if rules.arbitration == RANDOM:
            if rules.prefetch:
                packet_prefetch.waiting(engine, rules, freed)
            for i in range(freed):
                queue = engine.freed[i]
                if queue >= 0:
                    touched = serve(engine, rules, candidates, wide, small, numbers, queue, touched)
                else:
                    touched = serve_port(engine, rules, candidates, wide, small, numbers, -1 - queue, touched)
            touched = packets._ask_new(engine, rules, candidates, wide, small, numbers, new, touched)
        else:
            touched = packets._ask_in_order(engine, rules, candidates, wide, small, numbers, new, freed, touched)
        if rules.prefetch:
            packet_prefetch.ports(engine, touched)
        for i in range(touched):
            port = engine.touched[i]
            if port >= rules.routers_end:
                _inject(engine, rules, books, port)
            else:
                send(engine, rules, port)
        roused = messages.settle(books, tally.now)
        for i in range(roused):
            _inject(engine, rules, books, rules.routers_end + books.roused[i])
        if books.counts[0].left == 0:
            return FINISHED
        tally.now += 1
        if tally.now - tally.last_move > len(engine.slot_size) and tally.injected > tally.delivered:
            return DEADLOCK
    return FINE


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
        set_out(engine, rules, p, channel, sent, engine.endpoint_port[books.target[message]])
        books.carried[sent] = message
        books.unsent[message] -= 1
        if books.unsent[message] == 0:
            books.head[source] = books.next[message]
        tally.injected += 1
        tally.last_move = tally.now
        at(engine, port.busy_until, p * 8 + WAKE)
        return
