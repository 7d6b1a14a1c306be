"""Routers with round-robin or age arbitration, or with limited input speed-up."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined
from planner.kernels.packet.records import AGE, NONE, RANDOM, port_of
from planner.kernels.packet.routers import bit_of, request, request_new, serve
from planner.kernels.packet.waiting import ALL, MIXED, leave, wait
from planner.kernels.random import below


@always_inlined
def cross(engine, rules, candidates, view, new, freed, touched):
    """Let head-of-line packets take outputs; return the new length of `touched`."""
    if rules.arbitration != RANDOM:
        return _serve_in_order(engine, rules, candidates, view, new, freed, touched)
    for i in range(freed):
        queue = engine.freed[i]
        if queue >= 0:
            touched = serve(engine, rules, candidates, view, queue, touched)
        else:
            touched = _serve_port(engine, rules, candidates, view, -1 - queue, touched)
    return request_new(engine, rules, candidates, view, new, touched)


@always_inlined
def _serve_in_order(engine, rules, candidates, view, new, freed, touched):
    """Let new heads and heads that wait for freed queues request in order; return the new length of `touched`."""
    listed = 0
    # Routers overwrite the list of queues behind the read position: every new head adds at most one router.
    for i in range(new):
        listed = _enter(engine, rules, engine.new[i], listed)
    for i in range(freed):
        queue = engine.freed[i]
        if queue >= 0:
            port = port_of(rules, queue)
            router = engine.port[port].router
            listed = _list(engine, router, bit_of(engine, router, port), listed)
        else:
            listed = _list(engine, engine.port[-1 - queue].router, ALL, listed)
    for i in range(listed):
        touched = _arbitrate(engine, rules, candidates, view, engine.new[i], touched)
    return touched


@always_inlined
def _enter(engine, rules, queue, listed):
    """Enter a new head into its router's waiting list; return the new length of the list of routers."""
    router = engine.port[port_of(rules, queue)].router
    place = engine.router[router].first_port * rules.channels + engine.router[router].waiting
    wait(engine, rules, place, queue, ALL, MIXED)
    engine.router[router].waiting += 1
    return _list(engine, router, ALL, listed)


@always_inlined
def _list(engine, router, ports, listed):
    """Mark the ports of a router where a queue was freed; return the new length of the list of routers."""
    if engine.router[router].ready == 0:
        engine.new[listed] = router
        listed += 1
    engine.router[router].ready |= ports
    return listed


@always_inlined
def _arbitrate(engine, rules, candidates, view, router, touched):
    """Let the waiting heads of a router request round robin or by age; return the new length of `touched`."""
    base = engine.router[router].first_port * rules.channels
    queues = engine.router[router + 1].first_port * rules.channels - base
    ready = engine.router[router].ready
    engine.router[router].ready = 0
    turn = engine.router[router].turn
    last = -1
    served = False
    while True:
        lowest = np.int64(2) ** 62
        place = NONE
        for i in range(base, base + engine.router[router].waiting):
            if engine.waiting[i].ports & ready:
                queue = np.int64(engine.waiting[i].queue)
                key = (queue - base - turn + queues) % queues
                if rules.arbitration == AGE:
                    key += engine.packet[engine.input[queue].head].created * np.int64(queues)
                if last < key < lowest:
                    lowest = key
                    place = i
        if place == NONE:
            return touched
        last = lowest
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


@always_inlined
def _serve_port(engine, rules, candidates, view, port, touched):
    """Let heads of an input port with free speed-up request outputs; return the new length of `touched`."""
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
                # The last entry moved here and has not been considered, unless the search began behind it.
                if place == base + engine.router[router].waiting:
                    place = base
                continue
        place = place + 1 if place + 1 < base + engine.router[router].waiting else base
    return touched
