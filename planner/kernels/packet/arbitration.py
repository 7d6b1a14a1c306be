"""Routers that arbitrate by a rule: heads ask in turn or by age, or an input port lets few of its packets go at once."""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.packet.records import AGE, NONE, RANDOM, port_of
from planner.kernels.packet.routers import ask, bit_of, request, serve
from planner.kernels.packet.waiting import ALL, MIXED, leave, wait
from planner.kernels.random import below


@inlined
def cross(engine, rules, candidates, view, new, freed, touched):
    """Let packets take outputs; return the new length of `touched`."""
    if rules.arbitration != RANDOM:
        return _ask_in_order(engine, rules, candidates, view, new, freed, touched)
    for i in range(freed):
        queue = engine.freed[i]
        if queue >= 0:
            touched = serve(engine, rules, candidates, view, queue, touched)
        else:
            touched = _serve_port(engine, rules, candidates, view, -1 - queue, touched)
    return ask(engine, rules, candidates, view, new, touched)


@inlined
def _ask_in_order(engine, rules, candidates, view, new, freed, touched):
    """Let new heads and those that waited for what is freed ask in turn or by age; return the new length of `touched`."""
    asked = 0
    # A queue is read before a router is written in its place or before it: every new head adds at most one router.
    for i in range(new):
        asked = _note(engine, rules, engine.new[i], asked)
    for i in range(freed):
        queue = engine.freed[i]
        if queue >= 0:
            port = port_of(rules, queue)
            router = engine.port[port].router
            asked = _mark(engine, router, bit_of(engine, router, port), asked)
        else:
            asked = _mark(engine, engine.port[-1 - queue].router, ALL, asked)
    for i in range(asked):
        touched = _arbitrate(engine, rules, candidates, view, engine.new[i], touched)
    return touched


@inlined
def _note(engine, rules, queue, asked):
    """Let a new head wait for its router's arbitration; return the new length of the list of routers to ask."""
    router = engine.port[port_of(rules, queue)].router
    place = engine.router[router].first_port * rules.channels + engine.router[router].waiting
    wait(engine, rules, place, queue, ALL, MIXED)
    engine.router[router].waiting += 1
    return _mark(engine, router, ALL, asked)


@inlined
def _mark(engine, router, ports, asked):
    """Note at which ports of a router a queue came free; return the new length of the list of routers to ask."""
    if engine.router[router].ready == 0:
        engine.new[asked] = router
        asked += 1
    engine.router[router].ready |= ports
    return asked


@inlined
def _arbitrate(engine, rules, candidates, view, router, touched):
    """Ask the waiting heads of a router in turn, or by age; return the new length of `touched`."""
    base = engine.router[router].first_port * rules.channels
    queues = engine.router[router + 1].first_port * rules.channels - base
    ready = engine.router[router].ready
    engine.router[router].ready = 0
    turn = engine.router[router].turn
    last = -1
    served = False
    while True:
        least = np.int64(2) ** 62
        place = NONE
        for i in range(base, base + engine.router[router].waiting):
            if engine.waiting[i].ports & ready:
                queue = np.int64(engine.waiting[i].queue)
                key = (queue - base - turn + queues) % queues
                if rules.arbitration == AGE:
                    key += engine.packet[engine.input[queue].head].created * np.int64(queues)
                if last < key < least:
                    least = key
                    place = i
        if place == NONE:
            return touched
        last = least
        queue = np.int64(engine.waiting[place].queue)
        p = np.int64(engine.waiting[place].packet)
        port = request(engine, rules, candidates, view, router, queue, p, place, NONE)
        if port == NONE:
            continue
        if not served:
            engine.router[router].turn = (queue - base + 1) % queues
            served = True
        leave(engine, rules, router, base, place)
        if port >= 0:
            engine.touched[touched] = port
            touched += 1


@inlined
def _serve_port(engine, rules, candidates, view, port, touched):
    """Ask the heads that wait in the queues of an input port which may send one more; return the new length of `touched`."""
    router = engine.port[port].router
    base = engine.router[router].first_port * rules.channels
    count = engine.router[router].waiting
    place = base + below(engine.random, max(count, 1))
    for _ in range(count):
        if engine.port[port].taking >= rules.input_speedup:
            break
        queue = np.int64(engine.waiting[place].queue)
        if port_of(rules, queue) == port:
            p = np.int64(engine.waiting[place].packet)
            taken = request(engine, rules, candidates, view, router, queue, p, place, NONE)
            if taken >= 0:
                engine.touched[touched] = taken
                touched += 1
            if taken != NONE:
                leave(engine, rules, router, base, place)
                # The last entry has come to this place and has not been looked at, unless the search began behind it.
                if place == base + engine.router[router].waiting:
                    place = base
                continue
        place = place + 1 if place + 1 < base + engine.router[router].waiting else base
    return touched
