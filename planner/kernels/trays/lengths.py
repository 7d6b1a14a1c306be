"""Route lengths over trays contracted to their junctions.

A slot is on a chain of trays between two junctions; `end` (int32, slots x 2) are the junctions,
`to_end_mm` (int32, slots x 2) the lengths to them, `chain` (int32, slots) the chain's number, or -1 at
a junction, which is then both ends. `between_mm` (int32, junctions x junctions) are shortest lengths.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled


@compiled
def _length_mm(a, b, end, to_end_mm, chain, between_mm):
    """Return the shortest length from slot to slot: through one end of either chain, or along the chain they share."""
    best = np.int64(2**62)
    for i in range(2):
        row = between_mm[end[a, i]]
        start = np.int64(to_end_mm[a, i])
        for k in range(2):
            best = min(best, start + np.int64(row[end[b, k]]) + np.int64(to_end_mm[b, k]))
    if chain[a] >= 0 and chain[a] == chain[b]:
        best = min(best, abs(np.int64(to_end_mm[a, 0]) - np.int64(to_end_mm[b, 0])))
    return best


@compiled
def rows(slots, end, to_end_mm, chain, between_mm, length_mm):
    """Fill `length_mm` (int32, given slots x all slots) with the lengths from the given slots."""
    for position in range(len(slots)):
        row = length_mm[position]
        for other in range(len(end)):
            row[other] = _length_mm(slots[position], other, end, to_end_mm, chain, between_mm)


@compiled
def pairs(a, b, end, to_end_mm, chain, between_mm, length_mm):
    """Fill `length_mm` (int32) with the lengths between the slots of `a` and `b`."""
    for position in range(len(a)):
        length_mm[position] = _length_mm(a[position], b[position], end, to_end_mm, chain, between_mm)
