"""What routings share: draws that belong to a packet, ports of a mask, occupied queues, ways over an intermediate target.

A *target* is a router, or a group, whose number follows behind those of the routers. For each router
the table `wide` holds a mask of ports for every target, ``numbers[WORDS]`` words each, then its group,
its rank among the routers with endpoints, its first port, and the neighbor behind each port. The table
`small` holds the kind of each port, then the hops to every target.

A label holds the intermediate target plus 1, 0 for none; whether it was reached, or none is wanted; and
the global hops made so far.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.bits import lowest_bit
from planner.kernels.cache_lines import prefetch

VIA = (1 << 20) - 1
REACHED = 1 << 20
CROSSING = 1 << 21
"""Parts of a label; global hops count in units of `CROSSING`."""

LOCAL, GLOBAL, DOWN = range(3)
"""Kinds of ports: inside a group, between groups, from a spine to a leaf."""

BY_HOPS, BY_CROSSINGS, PROGRESSIVE = range(3)
"""How the virtual channel is found: hops so far; global hops so far; the same with one more channel for a second local hop."""

WORDS, LADDER, ROUTERS, GROUPS, DEGREE, MEMBERS, SAMPLES, THRESHOLD, WHOLE_PATH, POOL = range(10)
"""Places in `numbers`; from `POOL` on the routers with endpoints."""

PACKET_PHITS, INPUT_PACKETS, OUTPUT_PACKETS = -3, -2, -1
"""Places in `numbers` that the engine appends."""

_CREATED = np.uint64(0x9E3779B97F4A7C15)
_SOURCE = np.uint64(0xD1B54A32D192ED03)
_SALT = np.uint64(0x8CB92BA72F3D8DD7)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@inlined
def hashed(a, b, c, bound):
    """Return a number below `bound` that depends on three numbers alone (SplitMix64's finaliser)."""
    z = np.uint64(a) * _CREATED + np.uint64(b) * _SOURCE + np.uint64(c + 1) * _SALT
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@inlined
def draw(packet, p, salt, bound):
    """Return a number below `bound`: the same packet draws the same however often it asks."""
    return hashed(np.int64(packet[p].created), np.int64(packet[p].source), np.int64(salt), bound)


@inlined
def offer(found, count, port, channel, penalty, label):
    """Write one way; return how many there are now."""
    found[count, 0] = port
    found[count, 1] = channel
    found[count, 2] = penalty
    found[count, 3] = label
    return count + 1


@inlined
def keep(found, row):
    """Leave one way of those found; return 1."""
    for field in range(4):
        found[0, field] = found[row, field]
    return 1


@inlined
def toward(router, target, hops, label, wide, small, numbers, found):
    """Write the ports that lead to a target; return how many."""
    words = numbers[WORDS]
    crossed = label // CROSSING
    count = 0
    for word in range(words):
        mask = np.int64(wide[router, target * words + word])
        while mask:
            port = word * 32 + lowest_bit(mask)
            mask &= mask - 1
            channel = hops
            after = label
            if numbers[LADDER] != BY_HOPS:
                kind = small[router, port]
                channel = crossed
                if kind == DOWN and crossed > 0:
                    channel = crossed - 1
                if kind == LOCAL and numbers[LADDER] == PROGRESSIVE:
                    channel = crossed + 1 if crossed > 0 else min(hops, 1)
                if kind == GLOBAL:
                    after = label + CROSSING
            count = offer(found, count, port, channel, 0, after)
    return count


@inlined
def occupied(output, queue, numbers):
    """Return the packets in an output queue and in the input queue at the other end, for which no credit is back."""
    free = np.int64(output[queue].space) + np.int64(output[queue].credit)
    return numbers[INPUT_PACKETS] + numbers[OUTPUT_PACKETS] - free


@inlined
def least_occupied(router, first_queue, target, channels, output, wide, numbers):
    """Return the port to a target with the fewest packets on all its virtual channels, and their number."""
    words = numbers[WORDS]
    best, least = 0, 1 << 40
    for word in range(words):
        mask = np.int64(wide[router, target * words + word])
        while mask:
            port = word * 32 + lowest_bit(mask)
            mask &= mask - 1
            packets = 0
            for queue in range(first_queue + port * channels, first_queue + port * channels + channels):
                packets += occupied(output, queue, numbers)
            if packets < least:
                best, least = port, packets
    return best, least


@inlined
def at_target(router, target, wide, numbers):
    """Return whether a router is a target, or belongs to it."""
    routers = numbers[ROUTERS]
    group = (routers + numbers[GROUPS]) * numbers[WORDS]
    return router == target if target < routers else np.int64(wide[router, group]) == target - routers


@inlined
def queued(router, target, channels, output, wide, numbers):
    """Return the packets on the way to a target by the ports with the fewest, and the router where it ends."""
    base = (numbers[ROUTERS] + numbers[GROUPS]) * numbers[WORDS]
    total = 0
    while not at_target(router, target, wide, numbers):
        first_queue = np.int64(wide[router, base + 2]) * channels
        port, packets = least_occupied(router, first_queue, target, channels, output, wide, numbers)
        total += packets
        router = np.int64(wide[router, base + 3 + port])
    return total, router


@inlined
def hops_over(via, target, router, wide, small, numbers):
    """Return the hops to an intermediate target and from it on to the target; to that alone where both are the same."""
    degree = numbers[DEGREE]
    hops = np.int64(small[router, degree + via])
    if via != target:
        # The hops from a group are those to it, and one inside it where it has several routers.
        hops += np.int64(small[target, degree + via])
        if via >= numbers[ROUTERS]:
            hops += 1
    return hops


@inlined
def cost(router, first_queue, via, target, hops, channels, output, wide, numbers):
    """Return the cost of the way over `via`, of the minimal way where that is the target: packets times hops, or all packets."""
    if numbers[WHOLE_PATH]:
        packets, end = queued(router, via, channels, output, wide, numbers)
        return packets + queued(end, target, channels, output, wide, numbers)[0]
    return least_occupied(router, first_queue, via, channels, output, wide, numbers)[1] * hops


@inlined
def intermediate(packet, p, salt, wide, numbers):
    """Return an intermediate target other than the packet's ends and groups, drawn evenly; -1 when there is none."""
    base = (numbers[ROUTERS] + numbers[GROUPS]) * numbers[WORDS] + 1 - numbers[MEMBERS]
    a = np.int64(wide[np.int64(packet[p].source_router), base])
    b = np.int64(wide[np.int64(packet[p].target_router), base])
    low, high = min(a, b), max(a, b)
    size = numbers[GROUPS] if numbers[MEMBERS] else len(numbers) - POOL + PACKET_PHITS
    left = size - (1 if low == high else 2)
    if left < 1:
        return -1
    drawn = draw(packet, p, salt, left)
    if drawn >= low:
        drawn += 1
    if low != high and drawn >= high:
        drawn += 1
    return numbers[ROUTERS] + drawn if numbers[MEMBERS] else numbers[POOL + drawn]


@inlined
def better(router, first_queue, channels, p, packet, output, wide, small, numbers, found):
    """Return the label of the cheapest intermediate target, 0 when the minimal way costs no more than it and the threshold."""
    target = np.int64(packet[p].target_router)
    # All tables are asked before any queue, so that they are looked up at the same time, not one after the other.
    for sample in range(numbers[SAMPLES]):
        via = intermediate(packet, p, sample, wide, numbers)
        if via >= 0 and at_target(router, via, wide, numbers):
            via = -1
        found[sample, 0] = via
        if via >= 0:
            found[sample, 1] = hops_over(via, target, router, wide, small, numbers)
            prefetch(wide, router * wide.shape[1] + via * numbers[WORDS])
    hops = hops_over(target, target, router, wide, small, numbers)
    direct = cost(router, first_queue, target, target, hops, channels, output, wide, numbers)
    chosen, least = 0, 1 << 40
    for sample in range(numbers[SAMPLES]):
        via = np.int64(found[sample, 0])
        if via >= 0:
            price = cost(router, first_queue, via, target, np.int64(found[sample, 1]), channels, output, wide, numbers)
            if price < least:
                chosen, least = via + 1, price
    return 0 if direct <= least + numbers[THRESHOLD] else chosen


@inlined
def onward(router, label, p, packet, wide, small, numbers, found):
    """Write the ports that lead to the intermediate target, and once that was reached to the packet's own; return how many."""
    target = np.int64(packet[p].target_router)
    if label & REACHED == 0:
        via = (label & VIA) - 1
        if at_target(router, via, wide, numbers):
            label += REACHED
        else:
            target = via
    return toward(router, target, np.int64(packet[p].hops), label, wide, small, numbers, found)


@inlined
def along(p, packet, small, numbers, found):
    """Write the next port of a path drawn at the source; return 1, or 0 for a path of another table.

    A row of `small` belongs to a source. It holds for each target the number of paths, then the ports of up
    to ``numbers[0]`` paths, ``numbers[1]`` places for each. The label is the path's number plus 1, and in
    units of 256 the table's mark ``numbers[2]``: after a fault there is another table.
    """
    paths, longest = numbers[0], numbers[1]
    start = np.int64(packet[p].target_router) * (1 + paths * longest)
    source = np.int64(packet[p].source_router)
    label = np.int64(packet[p].label)
    if label == 0:
        label = 1 + draw(packet, p, 0, np.int64(small[source, start])) + 256 * numbers[2]
    if label // 256 != numbers[2]:
        return 0
    hops = np.int64(packet[p].hops)
    return offer(found, 0, np.int64(small[source, start + 1 + (label % 256 - 1) * longest + hops]), hops, 0, label)
