"""Planes: the one that all packets of a pair of nodes take."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled, inlined

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@inlined
def plane_of_pair(source, target, planes):
    """Return the plane of a pair of nodes, below `planes`, by a hash of their numbers.

    References
    ----------
    .. [1] G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (the hash).
    """
    z = (np.uint64(source) << np.uint64(32)) + np.uint64(target) + np.uint64(1)
    z = z * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    return np.int64((z ^ (z >> np.uint64(31))) % np.uint64(planes))


@compiled
def fill_planes(source, target, planes, plane):
    """Fill `plane` (int64) with that of each pair; `source` and `target` are int64."""
    for pair in range(len(plane)):
        plane[pair] = plane_of_pair(source[pair], target[pair], planes)
