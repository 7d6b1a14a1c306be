"""Negotiated cable routing over trays with fill limits: rip-up and reroute at prices.

A demand is a number of equal cables between two nodes. Its routes are one *block* of the pool: for
each strand the number of its cables, the number of its segments, and these in order. All cables of a
strand have the same route.

Differs from [1]_: price and pressure are added to the length instead of multiplied with it, only demands on overfull segments are
routed again, and a demand may be split.

References
----------
.. [1] L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs", FPGA 1995.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import uncounted
from planner.kernels.trays.junction_search import find_route, forget, guide
from planner.kernels.trays.segment_search import find

UNLIMITED_UM2 = 2**62
"""Capacity of a segment without a limit."""

STRANDS = 32
"""Maximum strands of one demand."""

UNGUIDED = 4
"""Searches for demands alike after which lower bounds are computed for the rest of them: one takes as long as some searches."""

Demands = namedtuple("Demands", "first last kind cable_um2 cables row")
"""Both nodes, int32; the required bit of `Trays.carries`, uint8; cross-section of one cable and their number, int64;
the row of `Search.ahead_mm` or -1, int32. All (N,)."""

Routed = namedtuple("Routed", "use_um2 price at size pool end")
"""Routes: cross-section in use of each segment, int64 (K,); price of a segment in mm per µm², float64 (K,); start and
size of each demand's block, int64 (N,); the pool, int32; its used length, int64 (1,)."""


@uncounted
def route_shortest(trays, demands, search, routed, order, start):
    """Route the demands of `order` from `start` on over their shortest routes; return the position reached, as `reroute`.

    Rooms whose trays are nowhere overfull need no other search.
    """
    for place in range(start, len(order)):
        demand = order[place]
        if not _has_space(trays, routed):
            return place
        count = find(trays, demands, search, routed, demand, demands.cables[demand], 0.0, False, 0)
        at = routed.end[0]
        routed.pool[at] = demands.cables[demand]
        routed.pool[at + 1] = count
        for step in range(count):
            segment = search.path[step]
            routed.pool[at + 2 + step] = segment
            routed.use_um2[segment] += demands.cables[demand] * demands.cable_um2[demand]
        routed.at[demand] = at
        routed.size[demand] = count + 2
        routed.end[0] += count + 2
    return len(order)


@uncounted
def reroute(trays, chains, demands, search, routed, order, start, pressure, strands):
    """Reroute the demands of `order` from `start` on that share an overfull segment.

    Parameters
    ----------
    pressure
        Price in mm per µm² of overflow, in addition to the segment's own.
    strands
        Maximum strands of a demand; all remaining cables share the last one.

    Returns
    -------
    int
        The position reached in `order`; before its end if the pool is full.
    """
    forget(chains)
    leader, searches = order[start], 0
    for place in range(start, len(order)):
        demand = order[place]
        if not _has_space(trays, routed):
            return place
        if not _shares_over_full(trays, routed, demand):
            continue
        if not _are_alike(demands, leader, demand):
            leader, searches = demand, 0
        searches += 1
        if searches == UNGUIDED and len(chains.node) > 0:
            _set_removed(chains, demands, routed, order, place)
            guide(trays, chains, demands, routed, demand, pressure)
        _count(trays, chains, demands, routed, demand, routed.at[demand], routed.size[demand], -1)
        at = routed.end[0]
        guided = searches >= UNGUIDED
        size = _compose(trays, chains, demands, search, routed, demand, at, pressure, strands, False, guided)
        _count(trays, chains, demands, routed, demand, at, size, 1)
        routed.at[demand] = at
        routed.size[demand] = size
        routed.end[0] += size
    return len(order)


@uncounted
def _are_alike(demands, one, other):
    """Return whether two demands have the first node, the medium class and the cable in common."""
    same = demands.first[one] == demands.first[other] and demands.kind[one] == demands.kind[other]
    return same and demands.cable_um2[one] == demands.cable_um2[other]


@uncounted
def _set_removed(chains, demands, routed, order, place):
    """Fill `chains.removed` with the use of each segment by a demand and those like it that follow in `order`."""
    for segment in range(len(chains.removed)):
        chains.removed[segment] = 0
    for later in range(place, len(order)):
        demand = order[later]
        if not _are_alike(demands, order[place], demand):
            break
        position = routed.at[demand]
        end = position + routed.size[demand]
        while position < end:
            stop = position + 2 + routed.pool[position + 1]
            for step in range(position + 2, stop):
                chains.removed[routed.pool[step]] += routed.pool[position] * demands.cable_um2[demand]
            position = stop


@uncounted
def shorten(trays, chains, demands, search, routed, shortest_mm, order, start, strands):
    """Reroute demands of `order` on shorter routes with space, or in fewer strands on routes of equal length.

    `shortest_mm` (int64, N) is the length of each demand's shortest route. Return the position reached, as `reroute`.
    """
    forget(chains)
    for place in range(start, len(order)):
        demand = order[place]
        if not _has_space(trays, routed):
            return place
        at, size = routed.at[demand], routed.size[demand]
        now_mm, now_strands = _measure(trays, routed, at, size)
        minimum = shortest_mm[demand] * demands.cables[demand]
        if now_mm == minimum and now_strands == 1:
            continue
        _count(trays, chains, demands, routed, demand, at, size, -1)
        for limit in (1, strands):
            if limit > 1 and (now_mm == minimum or demands.cables[demand] == 1):
                break
            trial = routed.end[0]
            found = _compose(trays, chains, demands, search, routed, demand, trial, 0.0, limit, True, False)
            if found > 0:
                mm, trial_strands = _measure(trays, routed, trial, found)
                if mm < now_mm or (mm == now_mm and trial_strands < now_strands):
                    now_mm, now_strands = mm, trial_strands
                    at, size = trial, found
                    routed.end[0] += found
        _count(trays, chains, demands, routed, demand, at, size, 1)
        routed.at[demand] = at
        routed.size[demand] = size
    return len(order)


@uncounted
def lengths_mm(trays, routed, length_mm):
    """Fill `length_mm` (int64, N) with the total routed length of the cables of each demand."""
    for demand in range(len(routed.at)):
        length_mm[demand] = _measure(trays, routed, routed.at[demand], routed.size[demand])[0]


@uncounted
def recount(trays, chains, demands, routed):
    """Recompute the use of all segments."""
    for segment in range(len(routed.use_um2)):
        routed.use_um2[segment] = 0
    for demand in range(len(routed.at)):
        _count(trays, chains, demands, routed, demand, routed.at[demand], routed.size[demand], 1)


@uncounted
def gather(order, routed, pool):
    """Copy the blocks of the demands of `order` consecutively to another pool; return their total size."""
    end = np.int64(0)
    for place in range(len(order)):
        demand = order[place]
        at, size = routed.at[demand], routed.size[demand]
        for position in range(size):
            pool[end + position] = routed.pool[at + position]
        routed.at[demand] = end
        end += size
    return end


@uncounted
def unpack(routed, backwards, demand, cables, indptr, segments):
    """Fill the strands of all demands: demand and cables of each, int32 (S,), and the segments, CSR, int64 (S + 1,), int32.

    Where `backwards` (bool, N) the segments are turned round. Return the number of strands; with an empty `demand` nothing is
    filled.
    """
    strand = 0
    for number in range(len(routed.at)):
        position = routed.at[number]
        end = position + routed.size[number]
        while position < end:
            count = routed.pool[position + 1]
            if len(demand) > 0:
                demand[strand] = number
                cables[strand] = routed.pool[position]
                start = indptr[strand]
                indptr[strand + 1] = start + count
                for step in range(count):
                    place = count - 1 - step if backwards[number] else step
                    segments[start + step] = routed.pool[position + 2 + place]
            strand += 1
            position += 2 + count
    return strand


@uncounted
def _has_space(trays, routed):
    """Return whether two more blocks of maximum size fit into the pool."""
    return len(routed.pool) - routed.end[0] >= 2 * STRANDS * (len(trays.indptr) + 2)


@uncounted
def _shares_over_full(trays, routed, demand):
    position = routed.at[demand]
    end = position + routed.size[demand]
    while position < end:
        stop = position + 2 + routed.pool[position + 1]
        for place in range(position + 2, stop):
            segment = routed.pool[place]
            if routed.use_um2[segment] > trays.room_um2[segment]:
                return True
        position = stop
    return False


@uncounted
def _count(trays, chains, demands, routed, demand, at, size, sign):
    """Add a block's cross-section to the use of its segments, or subtract it; forget the costs of chains that this changes."""
    area = np.int64(chains.costed[1])
    position = at
    while position < at + size:
        added = sign * routed.pool[position] * demands.cable_um2[demand]
        stop = position + 2 + routed.pool[position + 1]
        for place in range(position + 2, stop):
            segment = routed.pool[place]
            before = routed.use_um2[segment] + area - trays.room_um2[segment]
            routed.use_um2[segment] += added
            # Cached costs depend on the share of the cables that does not fit.
            if min(max(before, 0), area) != min(max(before + added, 0), area) and len(chains.stamp) > 0:
                chains.stamp[chains.of[segment]] = 0
        position = stop


@uncounted
def _measure(trays, routed, at, size):
    """Return the length of all cables of a block in mm, and the number of its strands."""
    total = np.int64(0)
    strands = 0
    position = at
    while position < at + size:
        route_mm = np.int64(0)
        stop = position + 2 + routed.pool[position + 1]
        for place in range(position + 2, stop):
            route_mm += np.int64(trays.length_mm[routed.pool[place]])
        total += route_mm * routed.pool[position]
        strands += 1
        position = stop
    return total, strands


@uncounted
def _compose(trays, chains, demands, search, routed, demand, at, pressure, strands, strict, guided):
    """Write a block of the demand at `at` and return its size, without changing the use of segments.

    If `strict`, routes need space and prices are ignored; 0 if some cables have no route.
    """
    area = demands.cable_um2[demand]
    left = demands.cables[demand]
    size = 0
    while left > 0:
        strands -= 1
        # If strands may split, a strict route needs space for one cable only.
        together = 1 if strict and strands > 0 else left
        count = find_route(trays, chains, demands, search, routed, demand, together, pressure, strict, guided)
        if count < 0:
            _count(trays, chains, demands, routed, demand, at, size, -1)
            return 0
        room = UNLIMITED_UM2
        for step in range(count):
            room = min(room, trays.room_um2[search.path[step]] - routed.use_um2[search.path[step]])
        fits = min(left, room // area) if area > 0 else left
        if fits <= 0 or strands == 0:
            fits = left
        position = at + size
        routed.pool[position] = fits
        routed.pool[position + 1] = count
        for step in range(count):
            routed.pool[position + 2 + step] = search.path[step]
        left -= fits
        # Until the last strand is found, those before it take their space.
        if left > 0:
            _count(trays, chains, demands, routed, demand, position, count + 2, 1)
        else:
            _count(trays, chains, demands, routed, demand, at, size, -1)
        if not _joined(routed, at, position):
            size += count + 2
    return size


@uncounted
def _joined(routed, at, last):
    """Merge the strand at `last` into one of the block with the same route; return whether there is one."""
    position = at
    while position < last:
        count = routed.pool[position + 1]
        same = count == routed.pool[last + 1]
        step = 2
        while same and step < count + 2:
            same = routed.pool[position + step] == routed.pool[last + step]
            step += 1
        if same:
            routed.pool[position] += routed.pool[last]
            return True
        position += count + 2
    return False
