"""Planes: the one that all packets of a pair of nodes take."""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, compiled
from planner.kernels.random import mixed

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@always_inlined
def plane_of_pair(source, target, planes):
    """Return the plane of a pair of nodes, below `planes`, by a hash of their numbers."""
    pair = (np.uint64(source) << np.uint64(32)) + np.uint64(target) + np.uint64(1)
    return np.int64(mixed(pair * _GOLDEN) % np.uint64(planes))


@compiled
def fill_planes(source, target, planes, plane):
    """Fill `plane` (int64) with that of each pair; `source` and `target` are int64."""
    for pair in range(len(plane)):
        plane[pair] = plane_of_pair(source[pair], target[pair], planes)
