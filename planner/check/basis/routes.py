"""Sums over the segments of routes, block by block: those of a large plan together take more memory than all its cables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.domain.model import CablePlan, Room

ENTRIES = 1 << 22
"""Number of segments on routes that are examined at once."""


def add_along_routes(taken_um2: np.ndarray, cables: CablePlan, route: np.ndarray, area_um2: np.ndarray) -> None:
    """Add cross-sections, int64 (n,), to `taken_um2`, int64 (K,), over the segments of routes, (n,); those below 0 are none."""
    area = np.zeros(len(cables.route_indptr) - 1, np.int64)
    np.add.at(area, route[route >= 0], area_um2[route >= 0])
    for routes, number, segments in _blocks(cables):
        np.add.at(taken_um2, segments, area[routes][number])


def lengths_mm(cables: CablePlan, room: Room) -> np.ndarray:
    """Return the length of each route, int64."""
    total = np.zeros(len(cables.route_indptr) - 1, np.int64)
    for routes, number, segments in _blocks(cables):
        passed = np.append(0, np.cumsum(room.segment_mm[segments], dtype=np.int64))
        total[routes] = np.diff(passed[np.searchsorted(number, np.arange(routes.stop - routes.start + 1))])
    return total


def _blocks(cables: CablePlan) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
    """Yield some routes, with the number of the route of each of their segments, from 0, and these segments."""
    indptr, first = cables.route_indptr.astype(np.int64), 0
    while first < len(indptr) - 1:
        last = max(int(np.searchsorted(indptr, indptr[first] + ENTRIES, side="right")) - 1, first + 1)
        number = np.repeat(np.arange(last - first), np.diff(indptr[first : last + 1]))
        yield slice(first, last), number, cables.route_segments[indptr[first] : indptr[last]]
        first = last
