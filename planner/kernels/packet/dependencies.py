"""Channel dependency graph of a routing, by its own `candidates`.

A channel is one direction of a link on one virtual channel, numbered as the engine's queues: port times channels plus channel.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import uncounted
from planner.kernels.addresses import record_at
from planner.kernels.graph.bfs import ones
from planner.kernels.routing.view import VIEW, call_routing

DONE, TABLE_FULL, STATES_FULL = range(3)
"""Status of `trace`: all pairs traced; dependency table full; too many states of one mark."""

MAX_HOPS = 254
"""Hops after which a packet is followed no further."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


@uncounted
def place_of(seen, nodes, side, count, stamp, router, label):
    """Return the number of a node, a router and a label, of one level; `count` if it is new, after entering it there.

    `seen` is an open-addressing table of rows (stamp, number), a power of two long; rows of other stamps are empty.
    """
    z = (np.uint64(router) * np.uint64(1048573) + np.uint64(label)) * _MIX
    place = np.int64((z ^ (z >> np.uint64(32))) & np.uint64(len(seen) - 1))
    while seen[place, 0] == stamp:
        number = seen[place, 1]
        if nodes[side, number, 0] == router and nodes[side, number, 1] == label:
            return np.int64(number)
        place = (place + 1) & (len(seen) - 1)
    seen[place, 0] = stamp
    seen[place, 1] = count
    nodes[side, count, 0] = router
    nodes[side, count, 1] = label
    return np.int64(count)


@uncounted
def join(row, followers, queue, masks, node, tally):
    """Add the requests of a node to those of a queue; return whether there was room."""
    place = np.int64(row[queue])
    if place == 0:
        if tally[4] == len(followers):
            return False
        tally[4] += 1
        place = tally[4]
        row[queue] = place
    for word in range(masks.shape[1]):
        new = masks[node, word] & ~followers[place - 1, word]
        if new:
            followers[place - 1, word] |= new
            tally[0] += ones(new)
    return True


@uncounted
def trace(candidates, view, first_port, behind, channels, pairs, first, scratch, limits, row, followers, tally):
    """Trace pairs from number `first` on over all candidates, regardless of penalty.

    Packets of a mark are followed hop by hop. All that arrive at a router with the same label have the same candidates, which are
    computed once; each queue by which one arrived then depends on all of them.

    Parameters
    ----------
    view
        Address of a `planner.kernels.routing.view.View` of one packet, whose `created` is set.
    behind
        Neighbor router at each router port, int32.
    pairs
        Source and target router, endpoint at the source, port of the target, mark: int32 (N, 5). Pairs of the same mark are
        consecutive; their candidates do not depend on the source.
    scratch
        Nodes and arrivals of two levels, router and label, queue and node, int32 (2, S, 2) each; requests of the nodes, uint64
        (S, words); `seen` of `place_of`, int32 (power of two above S, 2), initially zero.
    limits
        Limits of all states and of all dependencies: int64 (2,).
    row
        1 plus the row of each queue in `followers`, int32, initially 0.
    followers
        Queues requested by packets that occupy a queue, one bit for each queue of the router behind: uint64 (rows, words).
    tally
        Int64 (6,): dependencies, states visited, unused, pairs traced, rows of `followers` in use, last stamp.

    Returns
    -------
    int
        `DONE` when all pairs were traced or the limit of states was reached, else the reason for stopping at pair ``tally[3]``,
        the first of its mark.
    """
    nodes, arrivals, masks, seen = scratch
    known = record_at(view, VIEW)
    packet, found = known.packet, known.candidates
    limit = len(masks)
    end = first
    while end < len(pairs) and tally[1] < limits[0]:
        tally[3] = end
        if tally[0] >= limits[1]:
            return TABLE_FULL
        source, target, mark = pairs[end, 0], np.int64(pairs[end, 1]), pairs[end, 4]
        packet[0].source_router = source
        packet[0].target_router = target
        packet[0].source = pairs[end, 2]
        packet[0].target = pairs[end, 3]
        side = hops = count = arrived = 0
        while end < len(pairs) and pairs[end, 4] == mark:
            if count == limit:
                return STATES_FULL
            nodes[0, count, 0] = pairs[end, 0]
            nodes[0, count, 1] = 0
            count += 1
            end += 1
        states = count
        while count > 0:
            tally[5] += 1
            next_count = next_arrived = 0
            packet[0].hops = hops
            for node in range(count):
                router = np.int64(nodes[side, node, 0])
                packet[0].label = nodes[side, node, 1]
                for word in range(masks.shape[1]):
                    masks[node, word] = 0
                begin = np.int64(first_port[router]) * channels
                offered = call_routing(candidates, router, begin, channels, 0, view)
                for i in range(offered):
                    if found[i].channel >= channels:
                        continue
                    bit = found[i].port * channels + found[i].channel
                    masks[node, bit >> 6] |= _ONE << np.uint64(bit & 63)
                    to = np.int64(behind[first_port[router] + found[i].port])
                    if to == target or hops >= MAX_HOPS:
                        continue
                    if next_arrived == limit:
                        return STATES_FULL
                    next_node = place_of(seen, nodes, 1 - side, next_count, tally[5], to, found[i].label)
                    next_count = max(next_count, next_node + 1)
                    arrivals[1 - side, next_arrived, 0] = begin + bit
                    arrivals[1 - side, next_arrived, 1] = next_node
                    next_arrived += 1
            for i in range(arrived):
                if not join(row, followers, np.int64(arrivals[side, i, 0]), masks, np.int64(arrivals[side, i, 1]), tally):
                    return TABLE_FULL
            side, hops, count, arrived = 1 - side, hops + 1, next_count, next_arrived
            states += arrived
        tally[1] += states
    tally[3] = end
    return DONE


@uncounted
def listed(row, followers, first_port, behind, channels, found):
    """Fill `found` (int64, D x 2) with the dependencies of `trace`, in ascending order: occupied queue, requested queue."""
    count = 0
    for queue in range(len(row)):
        place = np.int64(row[queue])
        if place == 0:
            continue
        begin = np.int64(first_port[behind[queue // channels]]) * channels
        for word in range(followers.shape[1]):
            left = followers[place - 1, word]
            while left:
                lowest = left & (~left + _ONE)
                left ^= lowest
                found[count, 0] = queue
                found[count, 1] = begin + word * 64 + ones(lowest - _ONE)
                count += 1
