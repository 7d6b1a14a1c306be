"""Flows of all pairs over minimal ports: to each target, from the farthest routers inward."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted
from planner.kernels.fluid.arrays import CHOICES, EVEN, ONE
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.routing.steps import hashed


@uncounted
def walk(graph, demand, targets, weights, rule, adaptive, drawn, flows, scratch):
    """Add the flows to some targets to `flows`.

    `weights` (float32, channel x port) divides flow among minimal ports; empty: evenly. With `adaptive` a packet takes any
    port, otherwise it waits for the one drawn. Turns, options and choices are those of `drawn` targets (uint8, router). At each
    distance either routers with flow examine their ports, or the next nearer routers do, whichever are fewer [1]_: most routers
    are at one of the largest distances. Return 0.

    References
    ----------
    .. [1] S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
    """
    for target in targets:
        row = graph.distance[target]
        last = _sort(row, scratch)
        _begin(demand, graph, target, row, scratch)
        for distance in range(last, 0, -1):
            used = min(len(scratch.rate), len(scratch.begun) + last - distance)
            senders = _start(distance, used, scratch)
            first, middle = scratch.first[distance - 1], scratch.first[distance]
            # By the rule ONE the port is that of the sender.
            if senders <= middle - first or rule == ONE:
                for number in range(senders):
                    router = np.int64(scratch.senders[number])
                    _send(graph, target, router, row, used, weights, rule, adaptive, drawn[target], flows, scratch)
                continue
            _count(graph, row, first, middle, used, weights, scratch)
            for number in range(senders):
                _divide(np.int64(scratch.senders[number]), used, weights, adaptive, drawn[target], flows, scratch)
            for place in range(first, middle):
                _receive(
                    graph, target, np.int64(scratch.order[place]), row, used, weights, adaptive, drawn[target], flows, scratch
                )
    return 0


@always_inlined
def _sort(row, scratch):
    """Sort routers by distance; return the largest. Those that cannot be reached are left out."""
    first, order, last = scratch.first, scratch.order, 0
    for distance in range(len(first)):
        first[distance] = 0
    for router in range(len(row)):
        first[np.int64(row[router]) + 1] += 1
    for distance in range(UNREACHED):
        if first[distance + 1]:
            last = distance
        first[distance + 1] += first[distance]
    for router in range(len(row)):
        distance = np.int64(row[router])
        if distance != UNREACHED:
            order[first[distance]] = router
            first[distance] += 1
    for distance in range(last + 1, 0, -1):
        first[distance] = first[distance - 1]
    first[0] = 0
    return last


@always_inlined
def _begin(demand, graph, target, row, scratch):
    """Fill the flow that starts at each router on each channel; nothing has arrived yet."""
    begun, rate, starts = scratch.begun, scratch.rate, len(scratch.begun)
    for channel in range(len(rate)):
        for router in range(len(row)):
            rate[channel, router] = 0.0
    for channel in range(starts):
        for router in range(len(row)):
            begun[channel, router] = 0.0
        for term in range(len(demand.received) if channel < len(demand.sent) else 0):
            received = demand.received[term, target]
            for router in range(len(row)):
                begun[channel, router] += demand.sent[channel, term, router] * received
    for router in range(len(demand.less[0])):
        if demand.less[0, router] != 0.0 and row[router] < starts:
            begun[row[router], router] -= demand.less[0, router] * demand.less[1, target]
    for entry in range(demand.first[target], demand.first[target + 1]):
        source, amount = demand.source[entry], demand.amount[entry]
        if len(demand.via) == 0:
            begun[0, source] += amount
        else:
            for router in range(len(row)):
                distance = np.int64(graph.distance[source, router])
                if router != source and distance < starts:
                    begun[distance, router] += amount * demand.via[router]


@always_inlined
def _start(distance, used, scratch):
    """Add what starts to what has arrived at routers of a distance; list those with flow and return their number."""
    count = 0
    for place in range(scratch.first[distance], scratch.first[distance + 1]):
        router = np.int64(scratch.order[place])
        sends = False
        for channel in range(used):
            if channel < len(scratch.begun):
                scratch.rate[channel, router] += scratch.begun[channel, router]
            sends |= scratch.rate[channel, router] > 0.0
        scratch.senders[count] = router
        count += np.int64(sends)
    return count


@always_inlined
def _list(graph, router, row, distance, scratch):
    """List the ports of a router to those at a distance; return their number."""
    start, count = graph.indptr[router], 0
    for port in range(start, graph.indptr[router + 1]):
        beyond = np.int64(graph.indices[port])
        scratch.place[count] = port - start
        scratch.beyond[count] = beyond
        count += np.int64(row[beyond] == distance)
    return count


@always_inlined
def _count(graph, row, first, middle, used, weights, scratch):
    """Fill the number of minimal ports of all next farther routers, and the sum of their weights."""
    ports, whole = scratch.ports, scratch.whole
    distance = np.int64(row[scratch.order[first]]) + 1
    for place in range(scratch.first[distance], scratch.first[distance + 1]):
        ports[scratch.order[place]] = 0
        for channel in range(used if len(weights) else 0):
            whole[channel, scratch.order[place]] = 0.0
    for place in range(first, middle):
        router = np.int64(scratch.order[place])
        start = graph.indptr[router]
        for number in range(_list(graph, router, row, distance, scratch)):
            far = np.int64(scratch.beyond[number])
            ports[far] += np.uint16(1)
            if len(weights):
                queue = graph.reverse[start + scratch.place[number]]
                for channel in range(used):
                    whole[channel, far] += weights[channel, queue]


@always_inlined
def _divide(router, used, weights, adaptive, drawn, flows, scratch):
    """Divide the flow at a router by the sum of the weights of its minimal ports."""
    ports = np.int64(scratch.ports[router])
    part = np.float32(1.0) / np.float32(ports)
    for channel in range(used):
        if len(weights):
            part = np.float32(1.0) / scratch.whole[channel, router]
        scratch.rate[channel, router] = max(np.float32(0.0), scratch.rate[channel, router]) * part
    # What starts on the first channel alone is not needed further.
    for channel in range(min(used, len(scratch.begun)) if drawn or len(scratch.begun) > 1 else 0):
        if drawn:
            options = min(ports, CHOICES) - 1 if adaptive else 0
            flows.first_options[channel, options, router] += scratch.begun[channel, router]
        if len(weights):
            part = np.float32(1.0) / scratch.whole[channel, router]
        scratch.begun[channel, router] *= part


@always_inlined
def _receive(graph, target, router, row, used, weights, adaptive, drawn, flows, scratch):
    """Add up what a router receives from its farther neighbors, and the turns of that."""
    start, distance, carried = graph.indptr[router], np.int64(row[router]) + 1, False
    count = _list(graph, router, row, distance, scratch)
    for channel in range(used):
        rate, moved, flow = scratch.rate[channel], scratch.moved[channel], flows.flow[channel]
        total = np.float32(0.0)
        for number in range(count):
            amount = rate[scratch.beyond[number]]
            if len(weights):
                amount *= weights[channel, graph.reverse[start + scratch.place[number]]]
            moved[number] = amount
            total += amount
        if total == 0.0:
            continue
        carried = True
        for number in range(count):
            flow[start + scratch.place[number]] += moved[number]
        for number in range(count if drawn and adaptive else 0):
            ports = np.float32(scratch.ports[scratch.beyond[number]])
            flows.chosen[start + scratch.place[number]] += moved[number] * (ports - 1) / ports
        if distance == 1:
            for number in range(count):
                flows.ejected[channel, start + scratch.place[number]] += moved[number]
        elif channel + 1 < len(scratch.rate):
            scratch.rate[channel + 1, router] += total
        if 0 < channel < len(scratch.begun):
            for number in range(count):
                port = start + scratch.place[number]
                weight = weights[channel, graph.reverse[port]] if len(weights) else np.float32(1.0)
                flows.begun[channel, port] += scratch.begun[channel, scratch.beyond[number]] * weight
    if drawn and distance > 1 and carried:
        _turn(graph, target, router, row, used, scratch.place[:count], scratch.moved, weights, EVEN, adaptive, flows, scratch)


@always_inlined
def _onward(graph, target, router, row, used, weights, rule, scratch):
    """List the minimal ports of a router that flow takes, and the share of each; return the number to choose from."""
    start, nearer, ports = graph.indptr[router], np.int64(row[router]) - 1, 0
    onward, parts = scratch.onward, scratch.parts
    for port in range(start, graph.indptr[router + 1]):
        onward[ports] = port
        ports += np.int64(row[graph.indices[port]] == nearer)
    if rule == ONE:
        onward[0] = onward[hashed(router, target, 0, ports)]
    for channel in range(used):
        whole = np.float32(1 if rule == ONE else ports)
        if len(weights) and rule != ONE:
            whole = np.float32(0.0)
            for number in range(ports):
                whole += weights[channel, onward[number]]
        for number in range(ports):
            weight = weights[channel, onward[number]] if len(weights) and rule != ONE else np.float32(1.0)
            parts[channel, number] = weight / whole
    return ports


@always_inlined
def _send(graph, target, router, row, used, weights, rule, adaptive, drawn, flows, scratch):
    """Move the flow of a router to its minimal ports, and add up the turns of what arrives there."""
    ports, place = _onward(graph, target, router, row, used, weights, rule, scratch), scratch.place_of_one
    if drawn:
        options = min(ports, CHOICES) - 1 if adaptive else 0
        for channel in range(min(used, len(scratch.begun))):
            flows.first_options[channel, options, router] += scratch.begun[channel, router]
    taken = 1 if rule == ONE else ports
    others = np.float32(taken - 1) / np.float32(taken) if adaptive else np.float32(0.0)
    for number in range(taken):
        port = np.int64(graph.reverse[scratch.onward[number]])
        scratch.place[number], scratch.beyond[number] = port, graph.indices[scratch.onward[number]]
        for channel in range(used):
            amount = max(np.float32(0.0), scratch.rate[channel, router]) * scratch.parts[channel, number]
            scratch.moved[channel, number] = amount
            flows.flow[channel, port] += amount
            if drawn:
                flows.chosen[port] += amount * others
            if row[router] == 1:
                flows.ejected[channel, port] += amount
            elif channel + 1 < len(scratch.rate):
                scratch.rate[channel + 1, scratch.beyond[number]] += amount
            if 0 < channel < len(scratch.begun):
                flows.begun[channel, port] += scratch.begun[channel, router] * scratch.parts[channel, number]
    for number in range(taken if drawn and row[router] > 1 else 0):
        near = np.int64(scratch.beyond[number])
        place[0] = scratch.place[number] - graph.indptr[near]
        for channel in range(used):
            scratch.moved_of_one[channel, 0] = scratch.moved[channel, number]
        _turn(graph, target, near, row, used, place, scratch.moved_of_one, weights, rule, adaptive, flows, scratch)


@always_inlined
def _turn(graph, target, router, row, used, places, moved, weights, rule, adaptive, flows, scratch):
    """Add the turns from the queues of a router where flow has arrived, `moved` at `places`, to its minimal ports."""
    start, used = graph.indptr[router], min(used, len(flows.turn))
    degree = graph.indptr[router + 1] - start
    ports = _onward(graph, target, router, row, used + 1, weights, rule, scratch)
    for channel in range(used):
        options = flows.options[channel, min(ports, CHOICES) - 1 if adaptive else 0]
        turn = flows.turn[channel]
        for number in range(len(places)):
            options[start + places[number]] += moved[channel, number]
        for taken in range(1 if rule == ONE else ports):
            first = graph.pairs[router] + (scratch.onward[taken] - start) * degree
            part = scratch.parts[channel + 1, taken]
            squares = np.float32(0.0)
            for number in range(len(places)):
                amount = part * moved[channel, number]
                turn[first + places[number]] += amount
                squares += amount * amount
            flows.squares[channel + 1, scratch.onward[taken]] += squares


@uncounted
def squares(graph, demand, senders, weights, rule, out):
    """Add to `out` (float64, port) the squares of the flow of each sending endpoint through each port on the first channel.

    `weights` as in `walk`. `senders` (float64, entry): endpoints that send an entry of the demand. Return 0.
    """
    for target in range(len(demand.first) - 1):
        row = graph.distance[target]
        for entry in range(demand.first[target], demand.first[target + 1]):
            router, count, whole = demand.source[entry], 0, 0.0
            start, end = graph.indptr[router], graph.indptr[router + 1]
            for port in range(start, end):
                if row[graph.indices[port]] + 1 == row[router]:
                    whole += weights[0, port] if len(weights) else 1.0
                    count += 1
            taken, number = hashed(router, target, 0, count) if rule == ONE else -1, 0
            for port in range(start, end):
                if row[graph.indices[port]] + 1 == row[router]:
                    weight = weights[0, port] if len(weights) else 1.0
                    share = weight / whole if taken < 0 else 1.0 if number == taken else 0.0
                    out[port] += (demand.amount[entry] * share) ** 2 / senders[entry]
                    number += 1
    return 0
