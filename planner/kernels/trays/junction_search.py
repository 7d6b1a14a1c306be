"""The cheapest way of some cables over trays, from junction to junction.

Most nodes of a room pass on what comes: slots along a tray. What lies between two nodes that do not is a
*chain*. A search over junctions costs a fraction of one over segments, and what chains cost is held until
something is laid on them or taken up. It finds which chains lie on cheapest ways; among these, few, the search over
segments picks the way, so that of equal ways the same one wins as without chains.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import bare
from planner.kernels.heap import Heap, pop, push
from planner.kernels.trays.segment_search import ahead, find

_ROUNDING = 1e-12
"""Costs that differ by less, as a share, may be equal: sums of up to a few thousand float64."""

Chains = namedtuple(
    "Chains",
    "junction node indptr other chain within place ends start segment carries of ahead_mm cost stamp key asked"
    " reached seen settled waits half heap",
)
"""Trays contracted to junctions, and scratch.

junction
    Number of a node among the junctions, or -1, int32 (V,); `node` turns it round, int32 (J,).
indptr, other, chain
    From each junction the junctions at the far ends of its chains, and these; CSR, int64 (J + 1,), int32 twice; no chains
    that end where they start.
within, place
    Of every other node its chain and how many segments it stands from the first end, int32 (V,); -1 and 0 of a junction.
ends
    Junctions at both ends, int32 (C, 2).
start, segment
    Segments of each chain from its first end to its second, CSR, int64 (C + 1,), int32.
carries
    What all segments of a chain carry, uint8 (C,).
of
    Chain of each segment, int32 (K,).
ahead_mm
    As `Search.ahead_mm`, of junctions only, float64 (rows, J): few enough to stay in the processor's cache.
cost, stamp, key, asked
    What each chain costs, float64 (C,), valid where `stamp` (int64, C) is `key` (int64, 1), for cables, prices and pressure as
    in `asked`, float64 (3,).
reached, seen, settled, waits, half, heap
    Scratch: float64, int64, int64, int32, all (J,), float64 (2, 2), a heap.

Without junctions ways are searched from segment to segment.
"""


@bare
def forget(chains):
    """Prices have changed: no cost of a chain is valid."""
    chains.key[0] += 1


@bare
def find_route(trays, chains, pulls, search, laid, pull, cables, pressure, strict):
    """Do as `planner.kernels.trays.segment_search.find`, over junctions where there are any."""
    # Where nothing but length counts the exact length to the target leads straight there.
    if len(chains.node) == 0 or (pressure == 0.0 and not strict):
        return find(trays, pulls, search, laid, pull, cables, pressure, strict, 0)
    search.turn[0] += 1
    _ask(chains, pulls.cable_um2[pull], pulls.cable_um2[pull] * cables, -1.0 if strict else pressure)
    best, direct = _spread(trays, chains, pulls, search, laid, pull)
    if best == np.inf:
        return -1
    mark = search.turn[0]
    count = _mark(trays, chains, pulls, search, laid, pull, best, direct)
    return count if count >= 0 else find(trays, pulls, search, laid, pull, cables, pressure, strict, mark)


@bare
def _ask(chains, cable, area, pressure):
    """Set for which cables costs are asked: cross-section of one and of all, and pressure, -1 where only room counts."""
    asked = chains.asked
    if asked[0] != cable or asked[1] != area or asked[2] != pressure:
        asked[0], asked[1], asked[2] = cable, area, pressure
        chains.key[0] += 1


@bare
def _part(trays, chains, laid, chain, low, high, kind):
    """Return what the segments from `low` to `high` of a chain cost; infinite where they do not lead through."""
    cable, area, pressure = chains.asked[0], chains.asked[1], chains.asked[2]
    total = 0.0
    for position in range(chains.start[chain] + low, chains.start[chain] + high):
        segment = chains.segment[position]
        if not trays.carries[segment] & kind:
            return np.inf
        total += trays.length_mm[segment]
        over = laid.use_um2[segment] + area - trays.room_um2[segment]
        if pressure >= 0.0:
            total += laid.price[segment] * cable
        if over > 0.0 and area > 0.0:
            if pressure < 0.0:
                return np.inf
            total += pressure * cable * min(1.0, over / area)
    return total


@bare
def _whole(trays, chains, laid, chain, kind):
    """Return what a chain costs from end to end."""
    if not chains.carries[chain] & kind:
        return np.inf
    if chains.stamp[chain] != chains.key[0]:
        chains.cost[chain] = _part(trays, chains, laid, chain, 0, chains.start[chain + 1] - chains.start[chain], kind)
        chains.stamp[chain] = chains.key[0]
    return chains.cost[chain]


@bare
def _halves(trays, chains, laid, node, kind, half):
    """Write what it costs from a node within a chain to the chain's ends."""
    chain, place = chains.within[node], chains.place[node]
    half[0] = _part(trays, chains, laid, chain, 0, place, kind)
    half[1] = _part(trays, chains, laid, chain, place, chains.start[chain + 1] - chains.start[chain], kind)


@bare
def _spread(trays, chains, pulls, search, laid, pull):
    """Reach all junctions on cheapest ways; return what these cost, and what the way within one chain costs."""
    first, last, kind, row = pulls.first[pull], pulls.last[pull], pulls.kind[pull], pulls.row[pull]
    turn = search.turn[0]
    from_chain, to_chain = chains.within[first], chains.within[last]
    best = direct = np.inf
    waiting = 0
    if to_chain >= 0:
        _halves(trays, chains, laid, last, kind, chains.half[1])
    if from_chain < 0:
        start = chains.junction[first]
        chains.reached[start] = 0.0
        chains.seen[start] = turn
        waiting = push(chains.heap, waiting, 0.0, 0.0, start)
    else:
        _halves(trays, chains, laid, first, kind, chains.half[0])
        if from_chain == to_chain:
            low, high = chains.place[first], chains.place[last]
            best = direct = _part(trays, chains, laid, from_chain, min(low, high), max(low, high), kind)
        for side in range(2):
            near = chains.ends[from_chain, side]
            cost = chains.half[0, side]
            if cost < np.inf and (chains.seen[near] != turn or cost < chains.reached[near]):
                waiting, best = _reach(chains, search, row, last, near, cost, best, waiting)
    while waiting > 0 and chains.heap.key[0] <= best * (1.0 + _ROUNDING):
        junction = chains.heap.node[0]
        waiting = pop(chains.heap, waiting)
        if chains.settled[junction] == turn:
            continue
        chains.settled[junction] = turn
        if to_chain >= 0:
            for side in range(2):
                if chains.ends[to_chain, side] == junction:
                    best = min(best, chains.reached[junction] + chains.half[1, side])
        for position in range(chains.indptr[junction], chains.indptr[junction + 1]):
            near = chains.other[position]
            if chains.settled[near] == turn:
                continue
            cost = chains.reached[junction] + _whole(trays, chains, laid, chains.chain[position], kind)
            if cost < np.inf and (chains.seen[near] != turn or cost < chains.reached[near]):
                waiting, best = _reach(chains, search, row, last, near, cost, best, waiting)
    return best, direct


@bare
def _reach(chains, search, row, last, near, cost, best, waiting):
    """A junction can be reached at this cost; return how many wait then, and the least cost of a whole way known so far."""
    node = chains.node[near]
    left = chains.ahead_mm[row, near] if row >= 0 else ahead(search, row, node, last)
    if not cost + left <= best * (1.0 + _ROUNDING) or left == np.inf:
        return waiting, best
    chains.seen[near] = search.turn[0]
    chains.reached[near] = cost
    if node == last:
        best = min(best, cost)
    return push(chains.heap, waiting, cost + left, left, near), best


@bare
def _mark(trays, chains, pulls, search, laid, pull, best, direct):
    """Mark the segments of all chains that lie on ways as cheap as `best`, backwards from the last node.

    Where there is one such way, put it into `search.path` and return its number of segments; else return -1.
    """
    first, last, kind = pulls.first[pull], pulls.last[pull], pulls.kind[pull]
    turn, slack = search.turn[0], best * _ROUNDING
    from_chain, to_chain = chains.within[first], chains.within[last]
    count, at, alone = 0, len(search.path), True
    # Junctions that wait have been seen in turn -turn.
    if to_chain < 0:
        count = _visit(chains, chains.junction[last], turn, count)
    else:
        options = 0
        here, size = chains.place[last], chains.start[to_chain + 1] - chains.start[to_chain]
        if direct <= best + slack:
            options += 1
            at = _mark_part(chains, search, from_chain, here, chains.place[first], at)
        for side in range(2):
            end = chains.ends[to_chain, side]
            if abs(chains.seen[end]) == turn and chains.reached[end] + chains.half[1, side] <= best + slack:
                options += 1
                at = _mark_part(chains, search, to_chain, here, side * size, at)
                count = _visit(chains, end, turn, count)
        alone = options == 1
    done = 0
    while done < count:
        junction = chains.waits[done]
        done += 1
        most = chains.reached[junction] + slack
        options = 1 if junction == chains.junction[first] else 0
        if from_chain >= 0:
            size = chains.start[from_chain + 1] - chains.start[from_chain]
            for side in range(2):
                if chains.ends[from_chain, side] == junction and chains.half[0, side] <= most:
                    options += 1
                    at = _mark_part(chains, search, from_chain, side * size, chains.place[first], at)
        for position in range(chains.indptr[junction], chains.indptr[junction + 1]):
            near, chain = chains.other[position], chains.chain[position]
            if abs(chains.seen[near]) != turn:
                continue
            if chains.reached[near] + _whole(trays, chains, laid, chain, kind) <= most:
                options += 1
                size = chains.start[chain + 1] - chains.start[chain]
                side = 1 if chains.ends[chain, 1] == junction else 0
                at = _mark_part(chains, search, chain, side * size, (1 - side) * size, at)
                count = _visit(chains, near, turn, count)
        alone = alone and options == 1
    if not alone:
        return -1
    length = len(search.path) - at
    for step in range(length):
        search.path[step] = search.path[at + step]
    return length


@bare
def _visit(chains, junction, turn, count):
    """Let a junction wait unless it did already; return how many have waited."""
    if chains.seen[junction] == -turn:
        return count
    chains.seen[junction] = -turn
    chains.waits[count] = junction
    return count + 1


@bare
def _mark_part(chains, search, chain, start, stop, at):
    """Mark the segments of a chain from one place to another; put them before `at` of the path and return where they begin.

    When more than one way is marked the path means nothing.
    """
    base, step = chains.start[chain], 1 if start < stop else -1
    for place in range(start, stop, step):
        segment = chains.segment[base + (place if step > 0 else place - 1)]
        search.marked[segment] = search.turn[0]
        if at > 0:
            at -= 1
            search.path[at] = segment
    return at


def scratch(junction, node, indptr, other, chain, within, place, ends, start, segment, trays, ahead_mm):
    """Return `Chains` of these arrays; not compiled."""
    count, chains = len(node), len(start) - 1
    of = np.zeros(len(trays.length_mm), np.int32)
    of[segment] = np.repeat(np.arange(chains, dtype=np.int32), np.diff(start))
    # No chain is empty.
    carries = np.bitwise_and.reduceat(trays.carries[segment], start[:-1]) if chains else np.zeros(0, np.uint8)
    pushes = 2 * chains + 4
    return Chains(
        junction, node, indptr, other, chain, within, place, ends, start, segment, carries, of,
        ahead_mm=np.ascontiguousarray(ahead_mm[:, node]),
        cost=np.empty(chains),
        stamp=np.zeros(chains, np.int64),
        key=np.ones(1, np.int64),
        asked=np.full(3, -1.0),
        reached=np.empty(count),
        seen=np.zeros(count, np.int64),
        settled=np.zeros(count, np.int64),
        waits=np.empty(count, np.int32),
        half=np.empty((2, 2)),
        heap=Heap(np.empty(pushes), np.empty(pushes), np.empty(pushes, np.int32)),
    )  # fmt: skip
