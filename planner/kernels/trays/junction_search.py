"""Cheapest cable route over trays, from junction to junction.

Nearly all nodes of a room have degree two: slots along a tray. A path between two other nodes is a
*chain*. A search over junctions costs a fraction of one over segments, and chain costs are cached until
a route on them is added or removed. It determines the chains on cheapest routes; the search over
segments then chooses among these few, so that ties are broken as without chains.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import uncounted
from planner.kernels.heap import Heap, pop, push
from planner.kernels.trays.segment_search import ahead, find

_ROUNDING = 1e-12
"""Relative tolerance of equal costs: sums of up to a few thousand float64."""

Chains = namedtuple(
    "Chains",
    "junction node indptr other chain within place ends start segment carries of ahead_mm floor removed cost stamp key costed"
    " reached seen settled waits half heap",
)
"""Trays contracted to junctions, and scratch.

junction
    Junction number of a node, or -1, int32 (V,); `node` is the inverse, int32 (J,).
indptr, other, chain
    For each junction the far ends of its chains, and the chains; CSR, int64 (J + 1,), int32 twice; no chains
    from a junction to itself.
within, place
    Chain of every other node and its distance from the first end in segments, int32 (V,); -1 and 0 for a junction.
ends
    Junctions at both ends, int32 (C, 2).
start, segment
    Segments of each chain from its first end to its second, CSR, int64 (C + 1,), int32.
carries
    Medium classes carried by all segments of a chain, uint8 (C,).
of
    Chain of each segment, int32 (K,).
ahead_mm
    As `Search.ahead_mm`, of junctions only, float64 (rows + 1, J): small enough for the cache. The last row is filled by `guide`,
    with lower bounds of the chains' costs in `floor`, float64 (C,), for a given maximum loss of each segment's use, `removed`,
    int64 (K,).
cost, stamp, key, costed
    Cost of each chain, float64 (C,), valid where `stamp` (int64, C) equals `key` (int64, 1), for the cables and pressure in
    `costed`, float64 (3,).
reached, seen, settled, waits, half, heap
    Scratch: float64, int64, int64, int32, all (J,), float64 (2, 2), a heap.

Without junctions the search is over segments.
"""


@uncounted
def forget(chains):
    """Invalidate all chain costs after a change of prices."""
    chains.key[0] += 1


@uncounted
def find_route(trays, chains, demands, search, routed, demand, cables, pressure, strict, guided):
    """Search as `planner.kernels.trays.segment_search.find`, over junctions if there are any.

    If `guided`, the search is from the last node to the first one, with the lower bounds by `guide`.
    """
    if len(chains.node) == 0:
        return find(trays, demands, search, routed, demand, cables, pressure, strict, 0)
    search.turn[0] += 1
    _set_costed(chains, demands.cable_um2[demand], demands.cable_um2[demand] * cables, -1.0 if strict else pressure)
    start, goal, kind = demands.first[demand], demands.last[demand], demands.kind[demand]
    row = demands.row[demand]
    if guided:
        start, goal, row = goal, start, len(chains.ahead_mm) - 1
    best, direct = _spread(trays, chains, search, routed, start, goal, kind, row)
    if best == np.inf:
        return -1
    mark = search.turn[0]
    count = _mark(trays, chains, search, routed, start, goal, kind, best, direct)
    if guided:
        for step in range(count // 2):
            search.path[step], search.path[count - 1 - step] = search.path[count - 1 - step], search.path[step]
    return count if count >= 0 else find(trays, demands, search, routed, demand, cables, pressure, strict, mark)


@uncounted
def guide(trays, chains, demands, routed, demand, pressure):
    """Fill the last row of `chains.ahead_mm` with lower bounds of the costs to the first node of a demand.

    They hold for all demands of this node, medium class and cable as long as no segment loses more than its `chains.removed`:
    what is overfull without that costs the full pressure.
    """
    first, kind, cable = demands.first[demand], demands.kind[demand], demands.cable_um2[demand]
    left = chains.ahead_mm[len(chains.ahead_mm) - 1]
    for junction in range(len(left)):
        left[junction] = np.inf
    waiting = 0
    if chains.within[first] < 0:
        left[chains.junction[first]] = 0.0
        waiting = push(chains.heap, waiting, 0.0, 0.0, chains.junction[first])
    else:
        chain, place = chains.within[first], chains.place[first]
        for side in range(2):
            low, high = (0, place) if side == 0 else (place, chains.start[chain + 1] - chains.start[chain])
            cost = _floor_cost(trays, chains, routed, chain, low, high, kind, cable, pressure)
            waiting = _approach(chains, left, chains.ends[chain, side], cost, waiting)
    for chain in range(len(chains.floor)):
        high = chains.start[chain + 1] - chains.start[chain]
        chains.floor[chain] = _floor_cost(trays, chains, routed, chain, 0, high, kind, cable, pressure)
    while waiting > 0:
        junction, cost = chains.heap.node[0], chains.heap.key[0]
        waiting = pop(chains.heap, waiting)
        if cost > left[junction]:
            continue
        for position in range(chains.indptr[junction], chains.indptr[junction + 1]):
            waiting = _approach(chains, left, chains.other[position], cost + chains.floor[chains.chain[position]], waiting)


@uncounted
def _approach(chains, left, near, cost, waiting):
    """Lower the bound of a junction to this cost; return the heap size."""
    if cost < left[near]:
        left[near] = cost
        return push(chains.heap, waiting, cost, 0.0, near)
    return waiting


@uncounted
def _floor_cost(trays, chains, routed, chain, low, high, kind, cable, pressure):
    """Return a lower bound of `_section_cost` for `guide`."""
    total = 0.0
    for position in range(chains.start[chain] + low, chains.start[chain] + high):
        segment = chains.segment[position]
        if not trays.carries[segment] & kind:
            return np.inf
        total += trays.length_mm[segment] + routed.price[segment] * cable
        if routed.use_um2[segment] - chains.removed[segment] >= trays.room_um2[segment]:
            total += pressure * cable
    return total


@uncounted
def _set_costed(chains, cable, area, pressure):
    """Set the cables of cached costs: cross-section of one and of all, and pressure, -1 if only space counts."""
    costed = chains.costed
    if costed[0] != cable or costed[1] != area or costed[2] != pressure:
        costed[0], costed[1], costed[2] = cable, area, pressure
        chains.key[0] += 1


@uncounted
def _section_cost(trays, chains, routed, chain, low, high, kind):
    """Return the cost of the segments from `low` to `high` of a chain; infinite if impassable."""
    cable, area, pressure = chains.costed[0], chains.costed[1], chains.costed[2]
    total = 0.0
    for position in range(chains.start[chain] + low, chains.start[chain] + high):
        segment = chains.segment[position]
        if not trays.carries[segment] & kind:
            return np.inf
        total += trays.length_mm[segment]
        over = routed.use_um2[segment] + area - trays.room_um2[segment]
        if pressure >= 0.0:
            total += routed.price[segment] * cable
        if over > 0.0 and area > 0.0:
            if pressure < 0.0:
                return np.inf
            total += pressure * cable * min(1.0, over / area)
    return total


@uncounted
def _chain_cost(trays, chains, routed, chain, kind):
    """Return the cost of a chain from end to end."""
    if not chains.carries[chain] & kind:
        return np.inf
    if chains.stamp[chain] != chains.key[0]:
        chains.cost[chain] = _section_cost(trays, chains, routed, chain, 0, chains.start[chain + 1] - chains.start[chain], kind)
        chains.stamp[chain] = chains.key[0]
    return chains.cost[chain]


@uncounted
def _halves(trays, chains, routed, node, kind, half):
    """Write the costs from a node within a chain to the chain's ends."""
    chain, place = chains.within[node], chains.place[node]
    half[0] = _section_cost(trays, chains, routed, chain, 0, place, kind)
    half[1] = _section_cost(trays, chains, routed, chain, place, chains.start[chain + 1] - chains.start[chain], kind)


@uncounted
def _spread(trays, chains, search, routed, start, goal, kind, row):
    """Search from node to node over junctions; return the minimum cost, and the cost of a direct route within one chain."""
    turn = search.turn[0]
    from_chain, to_chain = chains.within[start], chains.within[goal]
    best = direct = np.inf
    waiting = 0
    if to_chain >= 0:
        _halves(trays, chains, routed, goal, kind, chains.half[1])
    if from_chain < 0:
        junction = chains.junction[start]
        chains.reached[junction] = 0.0
        chains.seen[junction] = turn
        waiting = push(chains.heap, waiting, 0.0, 0.0, junction)
    else:
        _halves(trays, chains, routed, start, kind, chains.half[0])
        if from_chain == to_chain:
            low, high = chains.place[start], chains.place[goal]
            best = direct = _section_cost(trays, chains, routed, from_chain, min(low, high), max(low, high), kind)
        for side in range(2):
            near = chains.ends[from_chain, side]
            cost = chains.half[0, side]
            if cost < np.inf and (chains.seen[near] != turn or cost < chains.reached[near]):
                waiting, best = _relax(chains, search, row, goal, near, cost, best, waiting)
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
            cost = chains.reached[junction] + _chain_cost(trays, chains, routed, chains.chain[position], kind)
            if cost < np.inf and (chains.seen[near] != turn or cost < chains.reached[near]):
                waiting, best = _relax(chains, search, row, goal, near, cost, best, waiting)
    return best, direct


@uncounted
def _relax(chains, search, row, goal, near, cost, best, waiting):
    """Relax a junction at this cost; return the heap size and the lowest known cost of a complete route."""
    node = chains.node[near]
    left = chains.ahead_mm[row, near] if row >= 0 else ahead(search, row, node, goal)
    if not cost + left <= best * (1.0 + _ROUNDING) or left == np.inf:
        return waiting, best
    chains.seen[near] = search.turn[0]
    chains.reached[near] = cost
    if node == goal:
        best = min(best, cost)
    return push(chains.heap, waiting, cost + left, left, near), best


@uncounted
def _mark(trays, chains, search, routed, start, goal, kind, best, direct):
    """Mark the segments of all chains on routes of cost `best`, backwards from the goal.

    If there is only one such route, write it to `search.path` and return its number of segments; else return -1.
    """
    turn, slack = search.turn[0], best * _ROUNDING
    from_chain, to_chain = chains.within[start], chains.within[goal]
    count, at, alone = 0, len(search.path), True
    # Queued junctions have `seen` = -turn.
    if to_chain < 0:
        count = _visit(chains, chains.junction[goal], turn, count)
    else:
        options = 0
        here, size = chains.place[goal], chains.start[to_chain + 1] - chains.start[to_chain]
        if direct <= best + slack:
            options += 1
            at = _mark_section(chains, search, from_chain, here, chains.place[start], at)
        for side in range(2):
            end = chains.ends[to_chain, side]
            if abs(chains.seen[end]) == turn and chains.reached[end] + chains.half[1, side] <= best + slack:
                options += 1
                at = _mark_section(chains, search, to_chain, here, side * size, at)
                count = _visit(chains, end, turn, count)
        alone = options == 1
    done = 0
    while done < count:
        junction = chains.waits[done]
        done += 1
        limit = chains.reached[junction] + slack
        options = 1 if junction == chains.junction[start] else 0
        if from_chain >= 0:
            size = chains.start[from_chain + 1] - chains.start[from_chain]
            for side in range(2):
                if chains.ends[from_chain, side] == junction and chains.half[0, side] <= limit:
                    options += 1
                    at = _mark_section(chains, search, from_chain, side * size, chains.place[start], at)
        for position in range(chains.indptr[junction], chains.indptr[junction + 1]):
            near, chain = chains.other[position], chains.chain[position]
            if abs(chains.seen[near]) != turn:
                continue
            if chains.reached[near] + _chain_cost(trays, chains, routed, chain, kind) <= limit:
                options += 1
                size = chains.start[chain + 1] - chains.start[chain]
                side = 1 if chains.ends[chain, 1] == junction else 0
                at = _mark_section(chains, search, chain, side * size, (1 - side) * size, at)
                count = _visit(chains, near, turn, count)
        alone = alone and options == 1
    if not alone:
        return -1
    length = len(search.path) - at
    for step in range(length):
        search.path[step] = search.path[at + step]
    return length


@uncounted
def _visit(chains, junction, turn, count):
    """Queue a junction unless it was queued already; return the queue length."""
    if chains.seen[junction] == -turn:
        return count
    chains.seen[junction] = -turn
    chains.waits[count] = junction
    return count + 1


@uncounted
def _mark_section(chains, search, chain, start, stop, at):
    """Mark a section of a chain and write its segments before `at` of the path; return the new start.

    The path is meaningless if more than one route is marked.
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
        ahead_mm=np.concatenate([np.ascontiguousarray(ahead_mm[:, node]), np.zeros((1, count))]),
        floor=np.empty(chains),
        removed=np.zeros(len(trays.length_mm), np.int64),
        cost=np.empty(chains),
        stamp=np.zeros(chains, np.int64),
        key=np.ones(1, np.int64),
        costed=np.full(3, -1.0),
        reached=np.empty(count),
        seen=np.zeros(count, np.int64),
        settled=np.zeros(count, np.int64),
        waits=np.empty(count, np.int32),
        half=np.empty((2, 2)),
        heap=Heap(np.empty(pushes), np.empty(pushes), np.empty(pushes, np.int32)),
    )  # fmt: skip
