"""Flows of all pairs over minimal ports, channel by channel, for a block of targets at once."""

from __future__ import annotations

import numpy as np

from planner.kernels import bare, inlined, summed
from planner.kernels.flow.arrays import BLOCK, CHOICES, ONE
from planner.kernels.routing.steps import hashed


@summed
def _arriving(there, here, rate, others, weight, arrived):
    """Add the flow over a port to the targets that it leads nearer to; return its sum, and that of its share with a choice."""
    total, eased, nothing = np.float32(0), np.float32(0), np.float32(0)
    weight = np.float32(weight)
    for target in range(len(arrived)):
        moved = weight * rate[target] if there[target] == here[target] + 1 else nothing
        arrived[target] += moved
        total += moved
        eased += moved * others[target]
    return total, eased


@summed
def _arriving_one(chosen, port, rate, arrived):
    """As `_arriving`, for the port that is taken; without a choice."""
    total, nothing = np.float32(0), np.float32(0)
    for target in range(len(arrived)):
        moved = rate[target] if chosen[target] == port else nothing
        arrived[target] += moved
        total += moved
    return total


@summed
def _starting(there, here, rate, weight):
    """Return the flow that starts over a port."""
    total, nothing = np.float32(0), np.float32(0)
    for target in range(len(rate)):
        total += rate[target] if there[target] + 1 == here[target] else nothing
    return weight * total


@summed
def _weighted(there, here, weight, whole):
    """Add the weight of a port where it leads nearer."""
    weight, nothing = np.float32(weight), np.float32(0)
    for target in range(len(whole)):
        whole[target] += weight if there[target] + 1 == here[target] else nothing
    return 0


@summed
def _counted(there, here, ports):
    """Add 1 where a port leads nearer."""
    for target in range(len(ports)):
        ports[target] += np.uint16(there[target] + 1 == here[target])
    return 0


@inlined
def _prepare(graph, first, width, rule, adaptive, scratch):
    """Fill distances to a block of targets, and the number of minimal ports."""
    here, ports = scratch.here, scratch.ports
    for router in range(len(here)):
        for target in range(width):
            here[router, target] = graph.distance[router, first + target]
            ports[router, target] = 0
        scratch.active[0, router] = 0
    for router in range(len(here)):
        mine, counts = here[router, :width], ports[router, :width]
        for port in range(graph.indptr[router], graph.indptr[router + 1]):
            _counted(here[graph.indices[port], :width], mine, counts)
        for target in range(width):
            if rule == ONE:
                taken = 0xFFFF
                if mine[target] != 0 and counts[target] != 0:
                    left = hashed(router, first + target, 0, counts[target])
                    for port in range(graph.indptr[router], graph.indptr[router + 1]):
                        if here[graph.indices[port], target] + 1 == mine[target]:
                            if left == 0:
                                taken = port - graph.indptr[router]
                            left -= 1
                scratch.chosen[router, target] = taken
            count = max(1, counts[target]) if adaptive else 1
            scratch.others[router, target] = (count - 1) / count


@inlined
def _begin(demand, graph, first, width, channel, scratch):
    """Fill the flow that starts on a channel at each router for a block of targets."""
    begun = scratch.begun
    for router in range(len(begun)):
        for target in range(width):
            begun[router, target] = 0.0
    if channel < demand.sent.shape[2]:
        for term in range(len(demand.received)):
            for router in range(len(begun)):
                sent = demand.sent[term, router, channel]
                if sent != 0.0:
                    for target in range(width):
                        begun[router, target] += sent * demand.received[term, first + target]
    for router in range(len(begun)):
        if demand.less[0, router] != 0.0:
            for target in range(width):
                if scratch.here[router, target] == channel:
                    begun[router, target] -= demand.less[0, router] * demand.less[1, first + target]
    for target in range(width):
        for entry in range(demand.first[first + target], demand.first[first + target + 1]):
            source, amount = demand.source[entry], demand.amount[entry]
            if len(demand.via) == 0:
                if channel == 0:
                    begun[source, target] += amount
            else:
                for router in range(len(begun)):
                    if router != source and graph.distance[source, router] == channel:
                        begun[router, target] += amount * demand.via[router]
        begun[first + target, target] = 0.0


@bare
def walk(graph, demand, blocks, weights, rule, adaptive, every, flows, scratch):
    """Add the flows to the targets of some blocks of `BLOCK` to `flows`.

    `weights` (float64, port x channel) divides flow among minimal ports; empty: evenly. With `adaptive` a packet takes any
    port, otherwise it waits for the one drawn. Channel by channel every router adds up what its neighbors send, for all
    targets of a block at once, since these are neighbors in memory. Turns and options are those of one target in `every`,
    drawn. Return 0.
    """
    routers, channels = len(scratch.here), flows.flow.shape[1]
    before, now = scratch.before, scratch.now
    for index in range(len(blocks)):
        first = blocks[index] * BLOCK
        width = min(BLOCK, routers - first)
        _prepare(graph, first, width, rule, adaptive, scratch)
        for channel in range(channels + 1):
            last = channel == channels
            if not last:
                _begin(demand, graph, first, width, channel, scratch)
            for target in range(width):
                scratch.drawn[target] = hashed(first + target, 0, 0, every) == 0
            for router in range(first if last else 0, first + width if last else routers):
                arrived = scratch.arrived[:width]
                for target in range(width):
                    arrived[target] = 0.0
                if channel > 0:
                    _arrive(graph, first, channel, router, weights, rule, before, arrived, flows, scratch)
                if not last:
                    _leave(graph, first, channel, router, weights, rule, adaptive, before, now, arrived, flows, scratch)
            for router in range(routers):
                scratch.active[0, router] = scratch.active[1, router]
            before, now = now, before
    return 0


@inlined
def _arrive(graph, first, channel, router, weights, rule, before, arrived, flows, scratch):
    """Add up the flow from the neighbors of a router, all on the channel before, and remove what ends there."""
    width, ends = len(arrived), router - first
    for port in range(graph.indptr[router], graph.indptr[router + 1]):
        near, queue = graph.indices[port], graph.reverse[port]
        if not scratch.active[0, near]:
            continue
        rate = before[near, :width]
        there = scratch.here[near, :width]
        weight = weights[queue, channel - 1] if len(weights) else 1.0
        if rule == ONE:
            own = queue - graph.indptr[near]
            flows.flow[queue, channel - 1] += _arriving_one(scratch.chosen[near, :width], own, rate, arrived)
            ending = 0 <= ends < width and scratch.chosen[near, ends] == own
        else:
            others = scratch.others[near, :width]
            total, eased = _arriving(there, scratch.here[router, :width], rate, others, weight, arrived)
            flows.flow[queue, channel - 1] += total
            flows.chosen[queue] += eased
            ending = 0 <= ends < width
        if ending:
            flows.ejected[queue, channel - 1] += weight * rate[ends]
    if 0 <= ends < width:
        arrived[ends] = 0.0


@inlined
def _leave(graph, first, channel, router, weights, rule, adaptive, before, now, arrived, flows, scratch):
    """Divide the flow at a router among its minimal ports, and add up turns."""
    width, here, ports = len(arrived), scratch.here[router], scratch.ports[router]
    begun, rate, whole = scratch.begun[router, :width], now[router, :width], scratch.whole[:width]
    start, end = graph.indptr[router], graph.indptr[router + 1]
    for target in range(width):
        whole[target] = 1.0 if rule == ONE else 0.0 if len(weights) else max(1.0, ports[target])
    if len(weights):
        for port in range(start, end):
            _weighted(scratch.here[graph.indices[port], :width], here[:width], weights[port, channel], whole)
    passing, starting, sending = False, False, False
    for target in range(width):
        total = begun[target] + arrived[target]
        passing |= arrived[target] > 0.0
        starting |= begun[target] != 0.0
        sending |= total > 0.0
        rate[target] = total / whole[target] if total > 0.0 else 0.0
    scratch.active[1, router] = sending
    if passing:
        _turn(graph, channel, router, arrived, weights, rule, adaptive, before, flows, scratch)
    if starting:
        for target in range(width):
            if begun[target] != 0.0:
                options = min(ports[target], CHOICES) - 1 if adaptive else 0
                flows.first_options[router, channel, options] += begun[target]
        if channel > 0:
            for target in range(width):
                begun[target] = begun[target] / whole[target] if whole[target] > 0.0 else 0.0
            for port in range(start, end):
                weight = weights[port, channel] if len(weights) else 1.0
                there = scratch.here[graph.indices[port], :width]
                flows.injected[port, channel] += _starting(there, here[:width], begun, weight)


@inlined
def _turn(graph, channel, router, arrived, weights, rule, adaptive, before, flows, scratch):
    """Add the turns from the input queues of a router to its minimal ports, for all targets of the flow that passes."""
    passing = _list_minimal(graph, channel, router, arrived, weights, rule, scratch)
    targets, ends, entry, share = scratch.targets, scratch.ends, scratch.entry, scratch.share
    here, ports = scratch.here[router], scratch.ports[router]
    for port in range(graph.indptr[router], graph.indptr[router + 1]):
        near, queue = graph.indices[port], graph.reverse[port]
        if not scratch.active[0, near]:
            continue
        rate, there = before[near], scratch.here[near]
        weight = weights[queue, channel - 1] if len(weights) else 1.0
        turn, options = flows.turn[queue, channel - 1], flows.options[queue, channel - 1]
        first = 0
        for number in range(passing):
            target = targets[number]
            amount = weight * rate[target] if there[target] == here[target] + 1 else 0.0
            if rule == ONE and scratch.chosen[near, target] != queue - graph.indptr[near]:
                amount = 0.0
            options[min(ports[target], CHOICES) - 1 if adaptive else 0] += amount
            for place in range(first, ends[number]):
                turn[entry[place]] += amount * share[place]
            first = ends[number]


@inlined
def _list_minimal(graph, channel, router, arrived, weights, rule, scratch):
    """Fill the targets of the flow that passes a router, and the minimal ports and their shares; return the number of targets."""
    here, whole = scratch.here[router], scratch.whole
    start, passing, end = graph.indptr[router], 0, 0
    for target in range(len(arrived)):
        if arrived[target] <= 0.0 or not scratch.drawn[target]:
            continue
        for port in range(start, graph.indptr[router + 1]):
            nearer = scratch.here[graph.indices[port], target] + 1 == here[target]
            if nearer and (rule != ONE or scratch.chosen[router, target] == port - start):
                scratch.entry[end] = port - start
                scratch.share[end] = (weights[port, channel] if len(weights) else 1.0) / whole[target]
                end += 1
        scratch.targets[passing], scratch.ends[passing] = target, end
        passing += 1
    return passing


@bare
def squares(graph, demand, senders, weights, rule, out):
    """Add to `out` (float64, port) the squares of the flow of each sending endpoint through each port on the first channel.

    `senders` (float64, entry): endpoints that send an entry of the demand. Return 0.
    """
    for target in range(len(demand.first) - 1):
        row = graph.distance[target]
        for entry in range(demand.first[target], demand.first[target + 1]):
            router, count, whole = demand.source[entry], 0, 0.0
            start, end = graph.indptr[router], graph.indptr[router + 1]
            for port in range(start, end):
                if row[graph.indices[port]] + 1 == row[router]:
                    whole += weights[port, 0] if len(weights) else 1.0
                    count += 1
            taken, number = hashed(router, target, 0, count) if rule == ONE else -1, 0
            for port in range(start, end):
                if row[graph.indices[port]] + 1 == row[router]:
                    weight = weights[port, 0] if len(weights) else 1.0
                    share = weight / whole if taken < 0 else 1.0 if number == taken else 0.0
                    out[port] += (demand.amount[entry] * share) ** 2 / senders[entry]
                    number += 1
    return 0
