"""Cables over trays of limited room: ways at prices, laid, taken up and laid again.

A pull is some equal cables between two nodes. What is laid of it is one *block* of the pool: for
each strand the number of its cables, the number of its segments, and these in order. In one strand
all cables go the same way.

References
----------
.. [1] L. McMurchie, C. Ebeling, "PathFinder: a negotiation-based performance-driven router for FPGAs", FPGA 1995.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import bare, compiled
from planner.kernels.trays.junction_search import find_route, forget

UNLIMITED_UM2 = 2**62
"""Room of a segment without a limit."""

STRANDS = 32
"""Most strands of one pull."""

Demands = namedtuple("Demands", "first last kind cable_um2 cables row")
"""Both nodes, int32; the bit of `Trays.carries` that is needed, uint8; cross-section of one cable and their number, int64;
the row of `Search.ahead_mm` or -1, int32. All (N,)."""

Routed = namedtuple("Routed", "use_um2 price at size pool end")
"""What lies where: cross-section in each segment, int64 (K,); price of a segment in mm per µm², float64 (K,); start and
size of each pull's block, int64 (N,); the pool, int32; how much of it is taken, int64 (1,)."""


@compiled
def reroute(trays, chains, pulls, search, laid, order, start, pressure, strands):
    """Lay the pulls of `order` from `start` on that do not lie yet, and again those that share an over-full segment.

    Parameters
    ----------
    pressure
        Price in mm per µm² of what does not fit, on top of the segment's own.
    strands
        Most strands of a pull; when one is left, all cables go one way.

    Returns
    -------
    int
        The place in `order` that was reached: less than its end when the pool is full.
    """
    forget(chains)
    for place in range(start, len(order)):
        pull = order[place]
        if not _has_space(trays, laid):
            return place
        if laid.size[pull] > 0:
            if not _shares_over_full(trays, laid, pull):
                continue
            _count(chains, pulls, laid, pull, laid.at[pull], laid.size[pull], -1)
        at = laid.end[0]
        size = _compose(trays, chains, pulls, search, laid, pull, at, pressure, strands, False)
        _count(chains, pulls, laid, pull, at, size, 1)
        laid.at[pull] = at
        laid.size[pull] = size
        laid.end[0] += size
    return len(order)


@compiled
def shorten(trays, chains, pulls, search, laid, least_mm, order, start, strands):
    """Lay pulls of `order` again on shorter ways with room for them, or in fewer strands on ways as long.

    `least_mm` (int64, N) is the length of each pull's shortest way. Return the place that was reached, as `reroute`.
    """
    forget(chains)
    for place in range(start, len(order)):
        pull = order[place]
        if not _has_space(trays, laid):
            return place
        at, size = laid.at[pull], laid.size[pull]
        now_mm, now_strands = _measure(trays, laid, at, size)
        least = least_mm[pull] * pulls.cables[pull]
        if now_mm == least and now_strands == 1:
            continue
        _count(chains, pulls, laid, pull, at, size, -1)
        for most in (1, strands):
            if most > 1 and (now_mm == least or pulls.cables[pull] == 1):
                break
            trial = laid.end[0]
            found = _compose(trays, chains, pulls, search, laid, pull, trial, 0.0, most, True)
            if found > 0:
                mm, parts = _measure(trays, laid, trial, found)
                if mm < now_mm or (mm == now_mm and parts < now_strands):
                    now_mm, now_strands = mm, parts
                    at, size = trial, found
                    laid.end[0] += found
        _count(chains, pulls, laid, pull, at, size, 1)
        laid.at[pull] = at
        laid.size[pull] = size
    return len(order)


@compiled
def lengths_mm(trays, laid, length_mm):
    """Fill `length_mm` (int64, N) with the length of all cables of each pull as they lie."""
    for pull in range(len(laid.at)):
        length_mm[pull] = _measure(trays, laid, laid.at[pull], laid.size[pull])[0]


@compiled
def recount(chains, pulls, laid):
    """Count the use of all segments anew."""
    laid.use_um2[:] = 0
    for pull in range(len(laid.at)):
        _count(chains, pulls, laid, pull, laid.at[pull], laid.size[pull], 1)


@compiled
def gather(order, laid, pool):
    """Copy the blocks of the pulls of `order` to another pool, one behind the other; return how much they take."""
    end = np.int64(0)
    for place in range(len(order)):
        pull = order[place]
        at, size = laid.at[pull], laid.size[pull]
        for position in range(size):
            pool[end + position] = laid.pool[at + position]
        laid.at[pull] = end
        end += size
    return end


@compiled
def unpack(laid, backwards, pull, cables, indptr, segments):
    """Fill the strands of all pulls: pull and cables of each, int32 (S,), and the segments, CSR, int64 (S + 1,), int32.

    Where `backwards` (bool, N) the segments are turned round. Return the number of strands; with an empty `pull` nothing is
    filled.
    """
    strand = 0
    for number in range(len(laid.at)):
        position = laid.at[number]
        end = position + laid.size[number]
        while position < end:
            count = laid.pool[position + 1]
            if len(pull) > 0:
                pull[strand] = number
                cables[strand] = laid.pool[position]
                start = indptr[strand]
                indptr[strand + 1] = start + count
                for step in range(count):
                    place = count - 1 - step if backwards[number] else step
                    segments[start + step] = laid.pool[position + 2 + place]
            strand += 1
            position += 2 + count
    return strand


@bare
def _has_space(trays, laid):
    """Whether two more blocks of any size fit into the pool."""
    return len(laid.pool) - laid.end[0] >= 2 * STRANDS * (len(trays.indptr) + 2)


@bare
def _shares_over_full(trays, laid, pull):
    position = laid.at[pull]
    end = position + laid.size[pull]
    while position < end:
        stop = position + 2 + laid.pool[position + 1]
        for place in range(position + 2, stop):
            segment = laid.pool[place]
            if laid.use_um2[segment] > trays.room_um2[segment]:
                return True
        position = stop
    return False


@bare
def _count(chains, pulls, laid, pull, at, size, sign):
    """Add a block's cross-section to the segments' use, or take it away."""
    position = at
    while position < at + size:
        area = sign * laid.pool[position] * pulls.cable_um2[pull]
        stop = position + 2 + laid.pool[position + 1]
        for place in range(position + 2, stop):
            segment = laid.pool[place]
            laid.use_um2[segment] += area
            if len(chains.stamp) > 0:
                chains.stamp[chains.of[segment]] = 0
        position = stop


@bare
def _measure(trays, laid, at, size):
    """Return the length of all cables of a block in mm, and the number of its strands."""
    total = np.int64(0)
    strands = 0
    position = at
    while position < at + size:
        way = np.int64(0)
        stop = position + 2 + laid.pool[position + 1]
        for place in range(position + 2, stop):
            way += np.int64(trays.length_mm[laid.pool[place]])
        total += way * laid.pool[position]
        strands += 1
        position = stop
    return total, strands


@bare
def _compose(trays, chains, pulls, search, laid, pull, at, pressure, strands, strict):
    """Write a block of the pull at `at` and return its size; the use of the segments stays as it is.

    When `strict`, ways go only where there is room and prices do not count; 0 when not all cables find one.
    """
    area = pulls.cable_um2[pull]
    left = pulls.cables[pull]
    size = 0
    while left > 0:
        strands -= 1
        # Where strands may part, a strict way needs room for one cable only.
        together = 1 if strict and strands > 0 else left
        count = find_route(trays, chains, pulls, search, laid, pull, together, pressure, strict)
        if count < 0:
            _count(chains, pulls, laid, pull, at, size, -1)
            return 0
        fits = left
        for step in range(count):
            segment = search.path[step]
            if area > 0:
                fits = min(fits, (trays.room_um2[segment] - laid.use_um2[segment]) // area)
        if fits <= 0 or strands == 0:
            fits = left
        position = at + size
        laid.pool[position] = fits
        laid.pool[position + 1] = count
        for step in range(count):
            laid.pool[position + 2 + step] = search.path[step]
        _count(chains, pulls, laid, pull, position, count + 2, 1)
        if not _joined(laid, at, position):
            size += count + 2
        left -= fits
    _count(chains, pulls, laid, pull, at, size, -1)
    return size


@bare
def _joined(laid, at, last):
    """Add the cables of the strand at `last` to one of the block that goes the same way; return whether there was one."""
    position = at
    while position < last:
        count = laid.pool[position + 1]
        same = count == laid.pool[last + 1]
        step = 2
        while same and step < count + 2:
            same = laid.pool[position + step] == laid.pool[last + step]
            step += 1
        if same:
            laid.pool[position] += laid.pool[last]
            return True
        position += count + 2
    return False
