"""Time steps of a job in lock step: what begins one, and when it has ended everywhere."""

from __future__ import annotations

from planner.kernels import uncounted
from planner.kernels.packet import faults, messages
from planner.kernels.packet.records import NONE


@uncounted
def begin(engine, rules, books, released):
    """Release steps of ranks at the start of a time step, and let all waiting heads request again."""
    for step in released:
        messages.fulfill(books, step, engine.tally[0].now)
    faults.request_again(engine, rules)


@uncounted
def settled(engine, rules, books):
    """Return the first cycle in which no packet is on a link, as far as is known; later than now if one waits for a link."""
    now = engine.tally[0].now
    last = now
    for port in range(len(engine.port)):
        record = engine.port[port]
        waits = False
        if port >= rules.routers_end:
            waits = books.head[port - rules.routers_end] != NONE
        else:
            for queue in range(port * rules.channels, (port + 1) * rules.channels):
                waits = waits or engine.output[queue].head != NONE or engine.output[queue].writing != 0
        arrives = record.busy_until + record.delay
        if record.peer < rules.routers_end:
            arrives += rules.router_cycles
        # A port that has never sent is not busy.
        if record.busy_until > 0:
            last = max(last, arrives)
        if waits:
            last = max(last, now + 1)
    return last
