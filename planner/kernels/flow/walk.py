"""Flows of all pairs over minimal ports, channel by channel, for a block of targets at once."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import bare, compiled, inlined, summed
from planner.kernels.routing.steps import hashed

EVEN, ONE = range(2)
"""Rule for several minimal ports: all of them, in proportion to weights; one, by the hash of the routing `single_path`."""

BLOCK = 256
"""Targets of a block: rows of them fit in the cache next to the turns of a router."""

CHOICES = 8
"""Numbers of minimal ports that are distinguished; more count as this many."""


class Graph(NamedTuple):
    """Ports of all routers: entries of the topology's rows."""

    indptr: Annotated[np.ndarray, np.int64, 1]
    indices: Annotated[np.ndarray, np.int64, 1]
    reverse: Annotated[np.ndarray, np.int64, 1]
    """Port at the other end of each port's link."""
    distance: Annotated[np.ndarray, np.uint8, 2]


class Demand(NamedTuple):
    """Flow from routers to targets by first channel: products, less a correction, plus single entries."""

    sent: Annotated[np.ndarray, np.float64, 3]
    """Term, router, channel."""
    received: Annotated[np.ndarray, np.float64, 2]
    """Term, target."""
    less: Annotated[np.ndarray, np.float64, 2]
    """Subtracted from router r to target t on channel d(r, t): the product ``less[0, r] * less[1, t]``."""
    first: Annotated[np.ndarray, np.int64, 1]
    """First single entry of each target, and the end."""
    source: Annotated[np.ndarray, np.int64, 1]
    amount: Annotated[np.ndarray, np.float64, 1]
    via: Annotated[np.ndarray, np.float64, 1]
    """Empty, or the share of each router as an intermediate: entries then start at all of them, on channel d(source, router)."""


class Flows(NamedTuple):
    """Sums over targets; float32 where arrays are large."""

    flow: Annotated[np.ndarray, np.float64, 2]
    """Port, channel."""
    turn: Annotated[np.ndarray, np.float32, 3]
    """From the queue that a port and channel leads to, on to each port of the router there: port, channel, entry of its row."""
    ejected: Annotated[np.ndarray, np.float64, 2]
    """Flow of that queue that ends at the router: port, channel."""
    injected: Annotated[np.ndarray, np.float64, 2]
    """Flow that starts at a port, and its first channel; not filled for channel 0, where all flow starts."""
    chosen: Annotated[np.ndarray, np.float64, 1]
    """Sum of flow through a port times (m - 1) / m, m the number of ports that it could have taken."""
    options: Annotated[np.ndarray, np.float32, 3]
    """Flow of a queue by number of ports to choose from: port, channel, number less 1."""
    first_options: Annotated[np.ndarray, np.float64, 3]
    """Same for flow that starts: router, channel, number less 1."""


class Scratch(NamedTuple):
    """Arrays of the walk to a block of targets: rows of routers, a column for each target."""

    here: Annotated[np.ndarray, np.uint8, 2]
    """Distances to the targets."""
    ports: Annotated[np.ndarray, np.uint16, 2]
    """Number of minimal ports."""
    others: Annotated[np.ndarray, np.float32, 2]
    """(m - 1) / m for m ports to choose from."""
    chosen: Annotated[np.ndarray, np.uint16, 2]
    """Port that is taken, by the rule `ONE`."""
    begun: Annotated[np.ndarray, np.float64, 2]
    """Flow that starts on the channel."""
    before: Annotated[np.ndarray, np.float64, 2]
    """Flow on the channel before, divided by the sum of the weights of minimal ports."""
    now: Annotated[np.ndarray, np.float64, 2]
    """Same on the channel."""
    active: Annotated[np.ndarray, np.uint8, 2]
    """Whether a router sends on the channel before, and on the channel."""
    arrived: Annotated[np.ndarray, np.float64, 1]
    whole: Annotated[np.ndarray, np.float64, 1]
    outputs: Annotated[np.ndarray, np.int64, 1]
    inputs: Annotated[np.ndarray, np.int64, 1]
    amounts: Annotated[np.ndarray, np.float64, 1]


def scratch(routers: int, degree: int, rule: int) -> Scratch:
    """Return the arrays for a network."""
    block = min(BLOCK, routers)
    table = (routers, block)
    return Scratch(
        np.empty(table, np.uint8), np.empty(table, np.uint16), np.empty(table, np.float32),
        np.empty(table if rule == ONE else (0, 0), np.uint16),
        np.empty(table), np.empty(table), np.empty(table), np.empty((2, routers), np.uint8),
        np.empty(block), np.empty(block), np.empty(degree, np.int64), np.empty(degree, np.int64), np.empty(degree),
    )  # fmt: skip


@summed
def _arriving(there, here, rate, others, weight, arrived):
    """Add the flow over a port to the targets that it leads nearer to; return its sum, and that of its share with a choice."""
    total, eased = 0.0, 0.0
    for target in range(len(arrived)):
        moved = weight * rate[target] if there[target] == here[target] + 1 else 0.0
        arrived[target] += moved
        total += moved
        eased += moved * others[target]
    return total, eased


@summed
def _arriving_one(chosen, port, rate, arrived):
    """As `_arriving`, for the port that is taken; without a choice."""
    total = 0.0
    for target in range(len(arrived)):
        moved = rate[target] if chosen[target] == port else 0.0
        arrived[target] += moved
        total += moved
    return total


@summed
def _starting(there, here, rate, weight):
    """Return the flow that starts over a port."""
    total = 0.0
    for target in range(len(rate)):
        total += rate[target] if there[target] + 1 == here[target] else 0.0
    return weight * total


@summed
def _weighted(there, here, weight, whole):
    """Add the weight of a port where it leads nearer."""
    for target in range(len(whole)):
        whole[target] += weight if there[target] + 1 == here[target] else 0.0
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
def walk(graph, demand, blocks, weights, rule, adaptive, flows, scratch):
    """Add the flows to the targets of some blocks of `BLOCK` to `flows`.

    `weights` (float64, port x channel) divides flow among minimal ports; empty: evenly. With `adaptive` a packet takes any
    port, otherwise it waits for the one drawn. Channel by channel every router adds up what its neighbors send, for all
    targets of a block at once, since these are neighbors in memory. Return 0.
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
        for target in range(width):
            if arrived[target] > 0.0:
                options = min(ports[target], CHOICES) - 1 if adaptive else 0
                _turn(graph, channel, router, target, options, weights, rule, before, flows, scratch)
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
def _turn(graph, channel, router, target, options, weights, rule, before, flows, scratch):
    """Add the turns from the input queues of a router to its minimal ports for a target."""
    here, whole = scratch.here[router, target], scratch.whole[target]
    inputs, outputs, amounts = scratch.inputs, scratch.outputs, scratch.amounts
    start = graph.indptr[router]
    leaving, entering = 0, 0
    for port in range(start, graph.indptr[router + 1]):
        near = graph.indices[port]
        there = scratch.here[near, target]
        if there + 1 == here:
            if rule != ONE or scratch.chosen[router, target] == port - start:
                outputs[leaving] = port
                leaving += 1
        elif there == here + 1 and scratch.active[0, near] and before[near, target] > 0.0:
            queue = graph.reverse[port]
            if rule != ONE or scratch.chosen[near, target] == queue - graph.indptr[near]:
                inputs[entering] = queue
                amounts[entering] = before[near, target] * (weights[queue, channel - 1] if len(weights) else 1.0)
                entering += 1
    for number in range(entering):
        queue, amount = inputs[number], amounts[number]
        flows.options[queue, channel - 1, options] += amount
        amount /= whole
        for place in range(leaving):
            port = outputs[place]
            weight = weights[port, channel] if len(weights) else 1.0
            flows.turn[queue, channel - 1, port - start] += amount * weight


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


@compiled
def contention(turn, head, by_port, by_channel):
    """Add the squares of the flow from each queue to each port: `by_port` with the channels of an input port together.

    `head` (int64, port): first port of the router that a port leads to. `by_port` (float64, port), `by_channel` (float64, port x
    channel): the port, and the channel taken next. Return 0.
    """
    ports, channels, widest = turn.shape
    for port in range(ports):
        for entry in range(widest):
            whole = 0.0
            for channel in range(channels - 1):
                amount = np.float64(turn[port, channel, entry])
                if amount > 0.0:
                    whole += amount
                    by_channel[head[port] + entry, channel + 1] += amount * amount
            if whole > 0.0:
                by_port[head[port] + entry] += whole * whole
    return 0


@compiled
def wait_of_heads(turn, channel, head, wait, link, load, out):
    """Fill the mean wait over the turns of the queue of each port on a channel; 0 without turns. Return 0.

    `wait` and `link` (float64, port) are the wait for a port, and its load. A queue waits no longer than if it always had a
    packet for the port and received the part of the link that other queues leave.
    """
    for port in range(len(out)):
        whole, total = 0.0, 0.0
        for entry in range(turn.shape[2]):
            amount = np.float64(turn[port, channel, entry])
            if amount > 0.0:
                place = head[port] + entry
                others = max(0.0, link[place] - amount * load)
                longest = others / (1.0 - others) if others < 1.0 else wait[place]
                whole += amount
                total += amount * min(wait[place], longest)
        out[port] = total / whole if whole > 0.0 else 0.0
    return 0
