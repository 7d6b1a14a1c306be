"""Steps shared by routings: draws per packet, ports toward a target, paths via an intermediate target, drawn paths.

A *target* is a router, or a group, numbered after the routers. A label contains the intermediate target plus 1, 0 for none; a
flag set once it is reached or none is used; and the number of global hops so far.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.instructions import lowest_bit, prefetch
from planner.kernels.routing.view import NO_CANDIDATE, occupied_at, offer

VIA = (1 << 20) - 1
REACHED = 1 << 20
CROSSING = 1 << 21
"""Fields of a label; global hops count in units of `CROSSING`."""

LOCAL, GLOBAL, DOWN = range(3)
"""Kinds of ports: inside a group, between groups, from a spine to a leaf."""

BY_HOPS, BY_CROSSINGS, PROGRESSIVE = range(3)
"""Rule for the virtual channel: hops so far; global hops so far; the same with an extra channel for a second local hop."""

_NO_COST = 1 << 40
"""Above every cost."""

_CREATED = np.uint64(0x9E3779B97F4A7C15)
_SOURCE = np.uint64(0xD1B54A32D192ED03)
_SALT = np.uint64(0x8CB92BA72F3D8DD7)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


class Ports(NamedTuple):
    """Ports toward every target."""

    mask: Annotated[np.ndarray, np.uint32, 3]
    """Ports that lead to a target, 32 per word: router, target, word."""
    kind: Annotated[np.ndarray, np.uint8, 2]
    """Kind of each port: router, port."""
    ladder: int
    """Rule for the virtual channel."""


class Detours(NamedTuple):
    """Paths via an intermediate target."""

    ports: Ports
    hops: Annotated[np.ndarray, np.uint8, 2]
    """Hops to every target: router, target."""
    neighbor: Annotated[np.ndarray, np.uint32, 2]
    """Neighbor at each port: router, port."""
    first_port: Annotated[np.ndarray, np.uint32, 1]
    """First port of each router."""
    pool: Annotated[np.ndarray, np.int64, 1]
    """Intermediate targets: all groups, or the routers with endpoints."""
    place: Annotated[np.ndarray, np.uint32, 2]
    """Of each router: position of it or its group among the targets of its plane, the first of these in `pool`, their number."""
    samples: int
    """Number of intermediate targets compared."""
    threshold: int
    """Bias toward the minimal path."""
    whole_path: int
    """Whether queues of the whole path count."""


class Paths(NamedTuple):
    """Paths of every pair of routers."""

    count: Annotated[np.ndarray, np.uint8, 2]
    """Number of paths: source, target."""
    port: Annotated[np.ndarray, np.uint8, 4]
    """Ports: source, target, path, hop."""
    mark: int
    """Number that changes with each fault, below 2**22."""


@always_inlined
def hashed(a, b, c, bound):
    """Return a hash of three numbers below `bound` (finalizer of SplitMix64)."""
    z = np.uint64(a) * _CREATED + np.uint64(b) * _SOURCE + np.uint64(c + 1) * _SALT
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@always_inlined
def draw(packet, salt, bound):
    """Return a random number below `bound`; repeated draws of a packet with the same salt are equal."""
    return hashed(packet.created, packet.source, salt, bound)


@always_inlined
def toward(found, ports, router, target, hops, label=0):
    """Offer the ports toward a target; return their number."""
    crossed = label // CROSSING
    count = 0
    for word in range(ports.mask.shape[2]):
        mask = np.int64(ports.mask[router, target, word])
        while mask:
            port = word * 32 + lowest_bit(mask)
            mask &= mask - 1
            channel = hops
            after = label
            if ports.ladder != BY_HOPS:
                kind = ports.kind[router, port]
                channel = crossed
                if kind == DOWN and crossed > 0:
                    channel = crossed - 1
                if kind == LOCAL and ports.ladder == PROGRESSIVE:
                    channel = crossed + 1 if crossed > 0 else min(hops, 1)
                if kind == GLOBAL:
                    after = label + CROSSING
            count = offer(found, count, port, channel, label=after)
    return count


@always_inlined
def along(found, packet, paths):
    """Offer the next port of the path that the packet draws at its source; return 1, or `NO_CANDIDATE` after a fault.

    The label is the path number plus 1, plus 256 times the mark of the table.
    """
    source, target = packet.source_router, packet.target_router
    label = packet.label
    if label == 0:
        label = 1 + draw(packet, 0, np.int64(paths.count[source, target])) + 256 * paths.mark
    if label // 256 != paths.mark:
        return NO_CANDIDATE
    port = np.int64(paths.port[source, target, label % 256 - 1, packet.hops])
    return offer(found, 0, port, packet.hops, label=label)


@always_inlined
def is_at(router, target, detours):
    """Return whether a router is a target or belongs to it."""
    routers = len(detours.place)
    return router == target if target < routers else np.int64(detours.place[router, 0]) == target - routers


@always_inlined
def emptiest_port(here, router, target, detours):
    """Return the port toward a target with the minimum number of packets on all virtual channels, and that number."""
    first_queue = np.int64(detours.first_port[router]) * here.channels
    best, packets_there = 0, _NO_COST
    for word in range(detours.ports.mask.shape[2]):
        mask = np.int64(detours.ports.mask[router, target, word])
        while mask:
            port = word * 32 + lowest_bit(mask)
            mask &= mask - 1
            packets = occupied_at(here, first_queue, port)
            if packets == 0:
                return port, 0
            if packets < packets_there:
                best, packets_there = port, packets
    return best, packets_there


@always_inlined
def packets_on_path(here, router, target, detours):
    """Return the packets queued on the path to a target via the emptiest ports, and its last router."""
    total = 0
    while not is_at(router, target, detours):
        port, packets = emptiest_port(here, router, target, detours)
        total += packets
        router = np.int64(detours.neighbor[router, port])
    return total, router


@always_inlined
def hops_via(router, via, target, detours):
    """Return the hops via an intermediate target to the target; direct hops if both are the same."""
    hops = np.int64(detours.hops[router, via])
    if via != target:
        # The hops from a group equal those to it; crossing it adds one.
        hops += np.int64(detours.hops[target, via])
        if via >= len(detours.place):
            hops += 1
    return hops


@always_inlined
def cost(here, via, target, hops, detours):
    """Return the cost of the path via `via` (minimal path if equal to the target): packets times hops, or all packets."""
    if detours.whole_path:
        packets, end = packets_on_path(here, here.router, via, detours)
        return packets + packets_on_path(here, end, target, detours)[0]
    return emptiest_port(here, here.router, via, detours)[1] * hops


@always_inlined
def intermediate(packet, salt, detours):
    """Return an intermediate target in the plane other than the packet's ends and groups, drawn uniformly; -1 if none."""
    a, b = np.int64(detours.place[packet.source_router, 0]), np.int64(detours.place[packet.target_router, 0])
    low, high = min(a, b), max(a, b)
    left = np.int64(detours.place[packet.source_router, 2]) - (1 if low == high else 2)
    if left < 1:
        return -1
    drawn = draw(packet, salt, left)
    if drawn >= low:
        drawn += 1
    if low != high and drawn >= high:
        drawn += 1
    return detours.pool[np.int64(detours.place[packet.source_router, 1]) + drawn]


@always_inlined
def cheapest_intermediate(here, packet, detours, found):
    """Return the label of the cheapest intermediate target, 0 if the minimal path costs at most that plus the threshold."""
    target, mask = packet.target_router, detours.ports.mask
    direct = cost(here, target, target, hops_via(here.router, target, target, detours), detours)
    # No path costs less than an empty one.
    if direct == 0:
        return 0
    # Tables are read before queues, so that their cache misses overlap; until then candidates hold the samples.
    for sample in range(detours.samples):
        via = intermediate(packet, sample, detours)
        if via >= 0 and is_at(here.router, via, detours):
            via = -1
        found[sample].label = via
        if via >= 0:
            found[sample].penalty = hops_via(here.router, via, target, detours)
            prefetch(mask, (here.router * mask.shape[1] + via) * mask.shape[2])
    chosen, lowest = 0, _NO_COST
    for sample in range(detours.samples):
        via = found[sample].label
        if via >= 0:
            price = cost(here, via, target, found[sample].penalty, detours)
            if price < lowest:
                chosen, lowest = via + 1, price
            # Nothing costs less.
            if price == 0:
                break
    return 0 if direct <= lowest + detours.threshold else chosen


@always_inlined
def onward(here, packet, label, detours, found):
    """Offer the ports toward the intermediate target, or toward the final one once it is reached; return their number.

    A packet whose intermediate target has failed goes on to the final one.
    """
    target = packet.target_router
    if label & REACHED == 0:
        via = (label & VIA) - 1
        if is_at(here.router, via, detours) or detours.hops[here.router, via] == UNREACHED:
            label += REACHED
        else:
            target = via
    return toward(found, detours.ports, here.router, target, packet.hops, label)
