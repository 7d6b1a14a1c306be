"""Flows of all pairs over minimal ports: from the farthest routers of each target inward."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import bare, compiled, inlined
from planner.kernels.routing.steps import hashed

EVEN, ONE = range(2)
"""Rule for several minimal ports: all of them, in proportion to weights; one, by the hash of the routing `single_path`."""

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
    senders: Annotated[np.ndarray, np.float64, 1]
    """Endpoints that send an entry; 0 if every endpoint of the router sends to many targets."""
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
    squares: Annotated[np.ndarray, np.float64, 1]
    """Sum over sending endpoints of their flow through a port squared; entries with senders only."""
    chosen: Annotated[np.ndarray, np.float64, 1]
    """Sum of flow through a port times (m - 1) / m, m the number of ports that it could have taken."""
    options: Annotated[np.ndarray, np.float32, 3]
    """Flow of a queue by number of ports to choose from: port, channel, number less 1."""
    first_options: Annotated[np.ndarray, np.float64, 3]
    """Same for flow that starts: router, channel, number less 1."""


class Scratch(NamedTuple):
    """Arrays of the walk to one target."""

    begun: Annotated[np.ndarray, np.float64, 2]
    """Flow that starts: router, channel."""
    senders: Annotated[np.ndarray, np.float64, 1]
    arrived: Annotated[np.ndarray, np.float64, 2]
    """Flow of each port and channel that goes on, 0 before and after."""
    outputs: Annotated[np.ndarray, np.int64, 1]
    inputs: Annotated[np.ndarray, np.int64, 1]
    share: Annotated[np.ndarray, np.float64, 1]
    total: Annotated[np.ndarray, np.float64, 1]
    order: Annotated[np.ndarray, np.int64, 1]
    count: Annotated[np.ndarray, np.int64, 1]


def scratch(routers: int, ports: int, channels: int, degree: int) -> Scratch:
    """Return the arrays for a network."""
    numbers = (np.empty(size, np.int64) for size in (degree, degree, routers, 257))
    outputs, inputs, order, count = numbers
    begun, arrived = np.zeros((routers, channels)), np.zeros((ports, channels))
    share, total = np.empty(degree), np.empty(channels)
    return Scratch(begun, np.zeros(routers), arrived, outputs, inputs, share, total, order, count)


@inlined
def _start(demand, graph, target, begun, senders):
    """Fill the flow that starts at each router for a target, and the endpoints that send it."""
    begun[:] = 0.0
    senders[:] = 0.0
    routers = len(begun)
    row = graph.distance[target]
    for term in range(len(demand.received)):
        share = demand.received[term, target]
        if share != 0.0:
            for router in range(routers):
                for channel in range(demand.sent.shape[2]):
                    begun[router, channel] += demand.sent[term, router, channel] * share
    if demand.less[1, target] != 0.0:
        for router in range(routers):
            if router != target and demand.less[0, router] != 0.0:
                begun[router, row[router]] -= demand.less[0, router] * demand.less[1, target]
    for entry in range(demand.first[target], demand.first[target + 1]):
        source = demand.source[entry]
        if len(demand.via) == 0:
            begun[source, 0] += demand.amount[entry]
            senders[source] += demand.senders[entry]
        else:
            for router in range(routers):
                if router != source and demand.via[router] > 0.0:
                    begun[router, graph.distance[source, router]] += demand.amount[entry] * demand.via[router]


@bare
def walk(graph, demand, targets, weights, rule, adaptive, flows, scratch):
    """Add the flows to some targets to `flows`.

    `weights` (float64, port x channel) divides flow among minimal ports; empty: evenly. With `adaptive` a packet takes any
    port, otherwise it waits for the one drawn. `turn` and `options` are numbered by the port at which a queue's packets enter, so
    that the queues of a router are neighbors in memory. Return 0.
    """
    channels = flows.flow.shape[1]
    begun, senders, arrived = scratch.begun, scratch.senders, scratch.arrived
    outputs, inputs, share, total = scratch.outputs, scratch.inputs, scratch.share, scratch.total
    order, count = scratch.order, scratch.count
    for index in range(len(targets)):
        target = targets[index]
        _start(demand, graph, target, begun, senders)
        row = graph.distance[target]
        last = _by_distance(row, order, count)
        for place in range(last - 1, -1, -1):
            router = order[place]
            left, first = row[router], graph.indptr[router]
            leaving, entering = 0, 0
            for port in range(first, graph.indptr[router + 1]):
                beyond = row[graph.indices[port]]
                if beyond + 1 == left:
                    outputs[leaving] = port
                    leaving += 1
                elif beyond == left + 1:
                    inputs[entering] = port
                    entering += 1
            for channel in range(channels):
                total[channel] = begun[router, channel]
            for number in range(entering):
                for channel in range(channels - 1):
                    total[channel + 1] += arrived[inputs[number], channel]
            for channel in range(channels):
                if total[channel] <= 0.0:
                    continue
                _shares(outputs, leaving, channel, weights, rule, router, target, share)
                open_ports = leaving if adaptive else 1
                options = min(open_ports, CHOICES) - 1
                fresh = begun[router, channel]
                flows.first_options[router, channel, options] += fresh
                for number in range(leaving):
                    port, part = outputs[number], share[number]
                    if part == 0.0:
                        continue
                    moved = total[channel] * part
                    flows.flow[port, channel] += moved
                    flows.chosen[port] += moved * (open_ports - 1) / open_ports
                    if channel > 0:
                        flows.injected[port, channel] += fresh * part
                    if senders[router] > 0.0:
                        flows.squares[port] += (fresh * part) ** 2 / senders[router]
                    if left == 1:
                        flows.ejected[port, channel] += moved
                    else:
                        arrived[graph.reverse[port], channel] += moved
                if channel > 0:
                    for number in range(entering):
                        queue = inputs[number]
                        amount = arrived[queue, channel - 1]
                        if amount > 0.0:
                            flows.options[queue, channel - 1, options] += amount
                            for number_out in range(leaving):
                                entry = outputs[number_out] - first
                                flows.turn[queue, channel - 1, entry] += amount * share[number_out]
            for number in range(entering):
                for channel in range(channels):
                    arrived[inputs[number], channel] = 0.0
    return 0


@inlined
def _by_distance(row, order, count):
    """Fill `order` with the routers reachable from a target, nearest first, without the target; return their number."""
    count[:] = 0
    for router in range(len(row)):
        count[row[router] + 1] += 1
    reached = count[1:256].sum() - count[1]
    count[1] = 0
    for hops in range(1, 257):
        count[hops] += count[hops - 1]
    for router in range(len(row)):
        hops = row[router]
        if 0 < hops < 255:
            order[count[hops]] = router
            count[hops] += 1
    return reached


@inlined
def _shares(outputs, leaving, channel, weights, rule, router, target, share):
    """Fill the share of each minimal port."""
    if rule == ONE:
        for number in range(leaving):
            share[number] = 0.0
        share[hashed(router, target, 0, leaving)] = 1.0
    elif len(weights) == 0:
        for number in range(leaving):
            share[number] = 1.0 / leaving
    else:
        whole = 0.0
        for number in range(leaving):
            whole += weights[outputs[number], channel]
        for number in range(leaving):
            share[number] = weights[outputs[number], channel] / whole


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
