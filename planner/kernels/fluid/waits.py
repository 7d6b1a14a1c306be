"""What queues wait for: turns that share a port. `turn` and `graph` are those of `planner.kernels.fluid.arrays`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined, compiled, vectorized

FULL = 0.999
"""Loads are limited to this in formulas of queues that have no limit at 1."""


class Rates(NamedTuple):
    """What does not depend on the load, at load 1. A queue has the number of the port that sends to it, and a channel."""

    flow: Annotated[np.ndarray, np.float64, 2]
    """Channel, port."""
    ejected: Annotated[np.ndarray, np.float64, 2]
    """Flow of a queue that ends at its router: channel, port."""
    turn: Annotated[np.ndarray, np.float32, 2]
    turned: Annotated[np.ndarray, np.float64, 2]
    """Flow of a queue that turns to another port: channel, port."""
    options: Annotated[np.ndarray, np.float32, 3]
    """Share of that flow by ports to choose from: channel, number less 1, port."""
    apart: Annotated[np.ndarray, np.float64, 2]
    """Contention of the inputs for a port within a channel, to its power: channel, port."""


class Powers(NamedTuple):
    """Constants and sizes: see `planner.simulation.fluid.waits`."""

    full: float
    """Exponent of the chance that an output queue is full."""
    beta: float
    gamma: float
    input_packets: int
    speedup: float


class Queued(NamedTuple):
    """Results: channel, port."""

    head: Annotated[np.ndarray, np.float64, 2]
    blocked: Annotated[np.ndarray, np.float64, 2]
    busy: Annotated[np.ndarray, np.float64, 2]


@always_inlined
def _wait(load):
    """Return the mean wait of an M/D/1 queue."""
    load = min(load, FULL)
    return load / (2 * (1 - load))


@compiled
def fill_waits(graph, rates, load, link, of_link, at_endpoint, powers, out, onward):
    """Fill the waits of all queues at a load, from the last channel on, since a queue waits for the channel after. Return 0.

    `link` (float64, port): load; `of_link`: share of the link's wait that heads of line see; `at_endpoint` (float64, router);
    `onward` (float64, port): room to work.
    """
    channels, gains, never_full = len(rates.flow), _gains(rates.options.shape[1], powers.gamma), 0.0**powers.full
    for channel in range(channels - 1, -1, -1):
        onward[:] = 0.0
        if channel + 1 < channels:
            wait_of_heads(rates.turn[channel], graph, rates.turned[channel], out.head[channel + 1], link, load, onward)
        for port in range(len(link)):
            mine, apart = rates.flow[channel, port] * load, rates.apart[channel, port]
            if mine == 0.0:
                out.head[channel, port] = max(0.0, never_full * of_link[port])
                out.blocked[channel, port] = out.busy[channel, port] = 0.0
                continue
            ends = rates.ejected[channel, port] * load / mine
            wait = _of_several(onward[port], rates.options[channel, :, port], powers.gamma, gains)
            blocked = ends * at_endpoint[graph.indices[port]] + (1 - ends) * wait
            service = 1 / powers.speedup + blocked
            busy = mine * service
            written = apart * _wait(mine / powers.speedup) / powers.speedup
            others = min(link[port] - mine, FULL)
            full = min(mine / (1 - others), 1.0) ** powers.full
            credit = powers.beta * min(busy, 1.0) ** powers.input_packets * service
            out.head[channel, port] = written + full * max(0.0, of_link[port] - written) + credit
            out.blocked[channel, port], out.busy[channel, port] = blocked, busy
    return 0


@compiled
def fill_of_several(waits, options, gamma, out):
    """Fill the wait of heads that take the first of several ports: `_of_several` by row of `options`. Return 0."""
    gains = _gains(options.shape[1], gamma)
    for row in range(len(out)):
        out[row] = _of_several(waits[row], options[row], gamma, gains)
    return 0


@compiled
def _gains(count, gamma):
    """Return 1 / (1 + gamma (m - 1)) for m ports to choose from, float64 (count,)."""
    found = np.empty(count)
    for number in range(count):
        found[number] = 1 / (1 + gamma * number)
    return found


@always_inlined
def _of_several(wait, options, gamma, gains):
    """Return the wait of heads that take the first of several ports with room, from that for one port.

    The chance of no room is T / (1 + T) if blocking is geometric. `options`: share of heads by number of ports, less 1;
    `gains`: see `_gains`.
    """
    if options[0] == 1 or wait == 0.0:
        return options[0] * wait
    step, total = (wait / (1 + wait)) ** gamma, 0.0
    for number in range(len(options) - 1, -1, -1):
        total = total * step + options[number] * gains[number]
    return wait * total


@compiled
def contention(turn, graph, by_port, by_channel):
    """Add the squares of the flow from each queue to each port: `by_port` with the channels of an input port together.

    `by_port` (float64, port), `by_channel` (float64, port x channel): the port, and the channel taken next. Return 0.
    """
    for router in range(len(graph.indptr) - 1):
        start, end = graph.indptr[router], graph.indptr[router + 1]
        pair = graph.pairs[router]
        for port in range(start, end):
            for _ in range(start, end):
                whole = 0.0
                for channel in range(len(turn)):
                    amount = np.float64(turn[channel, pair])
                    whole += amount
                    by_channel[port, channel + 1] += amount * amount
                by_port[port] += whole * whole
                pair += 1
    return 0


@compiled
def totals(turn, graph, out):
    """Fill the flow that turns from each queue (float64, channel x sending port); 0 on the last channel. Return 0."""
    out[:] = 0.0
    for router in range(len(graph.indptr) - 1):
        start, end = graph.indptr[router], graph.indptr[router + 1]
        pair = graph.pairs[router]
        for _ in range(start, end):
            for port in range(start, end):
                for channel in range(len(turn)):
                    out[channel, graph.reverse[port]] += turn[channel, pair]
                pair += 1
    return 0


@compiled
def scale(turn, graph, factor):
    """Multiply the turns from each queue (float64, channel x sending port). Return 0."""
    for router in range(len(graph.indptr) - 1):
        start, end = graph.indptr[router], graph.indptr[router + 1]
        pair = graph.pairs[router]
        for _ in range(start, end):
            for port in range(start, end):
                for channel in range(len(turn)):
                    turn[channel, pair] *= np.float32(factor[channel, graph.reverse[port]])
                pair += 1
    return 0


@compiled
def connect(turn, graph, share, starting):
    """Add turns from what ends in each queue to what starts at its router, on the channel after.

    `share` (float64, channel x sending port): flow from a queue, relative to all that starts at the router; `starting` (same):
    what starts at a port. Return 0.
    """
    for router in range(len(graph.indptr) - 1):
        start, end = graph.indptr[router], graph.indptr[router + 1]
        pair = graph.pairs[router]
        for onward in range(start, end):
            for port in range(start, end):
                for channel in range(len(turn)):
                    turn[channel, pair] += np.float32(share[channel, graph.reverse[port]] * starting[channel + 1, onward])
                pair += 1
    return 0


@vectorized
def _limited(turn, load, wait, link, out):
    """Add the wait for one port to the queues that turn to it."""
    for queue in range(len(out)):
        amount = np.float64(turn[queue])
        others = max(0.0, link - amount * load)
        # A port at its limit leaves nothing: the wait for it is unbounded here, and limited by `wait` alone.
        limit = others / max(1.0 - others, 1e-300)
        out[queue] += amount * min(wait, limit)
    return 0


@compiled
def wait_of_heads(turn, graph, whole, wait, link, load, out):
    """Fill the mean wait over the turns of each queue of a channel, float64 (sending port); 0 without turns. Return 0.

    `turn` is that of the channel, and `whole` (float64, sending port) the flow that turns. `wait` and `link` (float64, port) are
    the wait for a port on the next channel, and its load. A queue waits no longer than if it always had a packet for the port
    and received the part of the link that other queues leave.
    """
    widest = 0
    for router in range(len(graph.indptr) - 1):
        widest = max(widest, graph.indptr[router + 1] - graph.indptr[router])
    sums = np.empty(widest)
    for router in range(len(graph.indptr) - 1):
        start, end = graph.indptr[router], graph.indptr[router + 1]
        degree, pair = end - start, graph.pairs[router]
        for queue in range(degree):
            sums[queue] = 0.0
        for port in range(start, end):
            if wait[port] > 0.0:
                _limited(turn[pair : pair + degree], load, wait[port], link[port], sums[:degree])
            pair += degree
        for queue in range(degree):
            place = graph.reverse[start + queue]
            out[place] = sums[queue] / whole[place] if whole[place] > 0.0 else 0.0
    return 0
