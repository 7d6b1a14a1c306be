"""Hop distances between all routers, and minimal ports, by breadth-first search."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

UNREACHED = 255
"""Distance of disconnected routers; finite distances are at most 254 hops."""


@compiled
def hop_distances(indptr, indices, distance):
    """Fill `distance` (uint8, routers x routers) with hops; return the largest finite one, or -1 if one exceeds 254."""
    count = len(indptr) - 1
    queue = np.empty(count, np.int32)
    largest = 0
    for start in range(count):
        row = distance[start]
        row[:] = UNREACHED
        row[start] = 0
        queue[0] = start
        first, last = 0, 1
        while first < last:
            router = queue[first]
            first += 1
            hops = int(row[router]) + 1
            for position in range(indptr[router], indptr[router + 1]):
                neighbor = indices[position]
                if row[neighbor] == UNREACHED:
                    if hops == UNREACHED:
                        return -1
                    row[neighbor] = hops
                    queue[last] = neighbor
                    last += 1
                    largest = max(largest, hops)
    return largest


@compiled
def minimal_ports(indptr, indices, distance, masks):
    """Fill `masks` (uint32, routers x targets x words): bit p % 32 of word p // 32 is set when port p leads nearer."""
    count = len(indptr) - 1
    masks[:] = 0
    for router in range(count):
        for position in range(indptr[router], indptr[router + 1]):
            port = position - indptr[router]
            word = port >> 5
            bit = np.uint32(1 << (port & 31))
            nearer = distance[indices[position]]
            here = distance[router]
            for target in range(count):
                if nearer[target] < here[target]:
                    masks[router, target, word] |= bit
