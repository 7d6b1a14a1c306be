"""Steps shared by routings: draws per packet, ports of a mask, queue occupancy, paths via an intermediate target.

A *target* is a router, or a group, numbered after the routers. For each router
the table `wide` holds a mask of ports for every target, ``numbers[WORDS]`` words each, then its group,
its rank among the routers with endpoints, its first port, and the neighbor at each port. The table
`small` holds the kind of each port, then the hops to every target.

A label contains the intermediate target plus 1, 0 for none; a flag set once it is reached or none is used; and
the number of global hops so far.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.bits import lowest_bit
from planner.kernels.cache_lines import prefetch

VIA = (1 << 20) - 1
REACHED = 1 << 20
CROSSING = 1 << 21
"""Fields of a label; global hops count in units of `CROSSING`."""

LOCAL, GLOBAL, DOWN = range(3)
"""Kinds of ports: inside a group, between groups, from a spine to a leaf."""

BY_HOPS, BY_CROSSINGS, PROGRESSIVE = range(3)
"""Rule for the virtual channel: hops so far; global hops so far; the same with an extra channel for a second local hop."""

WORDS, LADDER, ROUTERS, GROUPS, DEGREE, MEMBERS, SAMPLES, THRESHOLD, WHOLE_PATH, POOL = range(10)
"""Indices in `numbers`; from `POOL` on the routers with endpoints."""

PACKET_PHITS, INPUT_PACKETS, OUTPUT_PACKETS = -3, -2, -1
"""Indices in `numbers` of values that the engine appends."""

_CREATED = np.uint64(0x9E3779B97F4A7C15)
_SOURCE = np.uint64(0xD1B54A32D192ED03)
_SALT = np.uint64(0x8CB92BA72F3D8DD7)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@inlined
def hashed(a, b, c, bound):
    """Return a hash of three numbers below `bound` (finalizer of SplitMix64)."""
    z = np.uint64(a) * _CREATED + np.uint64(b) * _SOURCE + np.uint64(c + 1) * _SALT
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@inlined
def draw(packet, p, salt, bound):
    """Return a random number below `bound`; repeated draws of a packet with the same salt are equal."""
    return hashed(np.int64(packet[p].created), np.int64(packet[p].source), np.int64(salt), bound)


@inlined
def offer(rows, count, port, channel, penalty, label):
    """Write one candidate; return the new number of candidates."""
    rows[count, 0] = port
    rows[count, 1] = channel
    rows[count, 2] = penalty
    rows[count, 3] = label
    return count + 1


@inlined
def keep(rows, row):
    """Keep a single candidate; return 1."""
    for field in range(4):
        rows[0, field] = rows[row, field]
    return 1


@inlined
def toward(router, target, hops, label, wide, small, numbers, rows):
    """Write the ports toward a target; return their number."""
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
            count = offer(rows, count, port, channel, 0, after)
    return count


@inlined
def occupied(output, queue, numbers):
    """Return the packets in an output queue and in the input queue at the other end, by credits not yet returned."""
    free = np.int64(output[queue].space) + np.int64(output[queue].credit)
    return numbers[INPUT_PACKETS] + numbers[OUTPUT_PACKETS] - free


@inlined
def emptiest_port(router, first_queue, target, channels, output, wide, numbers):
    """Return the port toward a target with the minimum number of packets on all virtual channels, and their number."""
    words = numbers[WORDS]
    best, packets_there = 0, 1 << 40
    for word in range(words):
        mask = np.int64(wide[router, target * words + word])
        while mask:
            port = word * 32 + lowest_bit(mask)
            mask &= mask - 1
            packets = 0
            for queue in range(first_queue + port * channels, first_queue + port * channels + channels):
                packets += occupied(output, queue, numbers)
            if packets < packets_there:
                best, packets_there = port, packets
    return best, packets_there


@inlined
def at_target(router, target, wide, numbers):
    """Return whether a router is a target or belongs to it."""
    routers = numbers[ROUTERS]
    group = (routers + numbers[GROUPS]) * numbers[WORDS]
    return router == target if target < routers else np.int64(wide[router, group]) == target - routers


@inlined
def queued(router, target, channels, output, wide, numbers):
    """Return the packets queued on the path to a target via the emptiest ports, and its last router."""
    base = (numbers[ROUTERS] + numbers[GROUPS]) * numbers[WORDS]
    total = 0
    while not at_target(router, target, wide, numbers):
        first_queue = np.int64(wide[router, base + 2]) * channels
        port, packets = emptiest_port(router, first_queue, target, channels, output, wide, numbers)
        total += packets
        router = np.int64(wide[router, base + 3 + port])
    return total, router


@inlined
def hops_via(via, target, router, wide, small, numbers):
    """Return the hops via an intermediate target to the target; direct hops if both are the same."""
    degree = numbers[DEGREE]
    hops = np.int64(small[router, degree + via])
    if via != target:
        # The hops from a group equal those to it; crossing it adds one.
        hops += np.int64(small[target, degree + via])
        if via >= numbers[ROUTERS]:
            hops += 1
    return hops


@inlined
def cost(router, first_queue, via, target, hops, channels, output, wide, numbers):
    """Return the cost of the path via `via` (minimal path if equal to the target): packets times hops, or all packets."""
    if numbers[WHOLE_PATH]:
        packets, end = queued(router, via, channels, output, wide, numbers)
        return packets + queued(end, target, channels, output, wide, numbers)[0]
    return emptiest_port(router, first_queue, via, channels, output, wide, numbers)[1] * hops


@inlined
def intermediate(packet, p, salt, wide, numbers):
    """Return an intermediate target other than the packet's ends and groups, drawn uniformly; -1 if there is none."""
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
def cheapest_intermediate(router, first_queue, channels, p, packet, output, wide, small, numbers, rows):
    """Return the label of the cheapest intermediate target, 0 if the minimal path costs at most that plus the threshold."""
    target = np.int64(packet[p].target_router)
    # Tables are read before queues, so that their cache misses overlap.
    for sample in range(numbers[SAMPLES]):
        via = intermediate(packet, p, sample, wide, numbers)
        if via >= 0 and at_target(router, via, wide, numbers):
            via = -1
        rows[sample, 0] = via
        if via >= 0:
            rows[sample, 1] = hops_via(via, target, router, wide, small, numbers)
            prefetch(wide, router * wide.shape[1] + via * numbers[WORDS])
    hops = hops_via(target, target, router, wide, small, numbers)
    direct = cost(router, first_queue, target, target, hops, channels, output, wide, numbers)
    chosen, lowest = 0, 1 << 40
    for sample in range(numbers[SAMPLES]):
        via = np.int64(rows[sample, 0])
        if via >= 0:
            price = cost(router, first_queue, via, target, np.int64(rows[sample, 1]), channels, output, wide, numbers)
            if price < lowest:
                chosen, lowest = via + 1, price
    return 0 if direct <= lowest + numbers[THRESHOLD] else chosen


@inlined
def onward(router, label, p, packet, wide, small, numbers, rows):
    """Write the ports toward the intermediate target, or toward the final one once it is reached; return their number."""
    target = np.int64(packet[p].target_router)
    if label & REACHED == 0:
        via = (label & VIA) - 1
        if at_target(router, via, wide, numbers):
            label += REACHED
        else:
            target = via
    return toward(router, target, np.int64(packet[p].hops), label, wide, small, numbers, rows)


@inlined
def along(p, packet, small, numbers, rows):
    """Write the next port of a path drawn at the source; return 1, or 0 for a path of a replaced table.

    Row s of `small` holds, for each target of source s, the number of paths, then the ports of up to
    ``numbers[0]`` paths with ``numbers[1]`` entries each. The label is the path number plus 1, plus 256 times
    the table's mark ``numbers[2]``, which changes with each fault.
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
    return offer(rows, 0, np.int64(small[source, start + 1 + (label % 256 - 1) * longest + hops]), hops, 0, label)
