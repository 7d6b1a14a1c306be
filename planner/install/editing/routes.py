"""The routes over trays of a placement that is being edited: each distinct route has one number, which is never given up."""

from __future__ import annotations

from itertools import count, pairwise

import numpy as np

from planner.domain.model import CablePlan

NO_ROUTE = -1
"""The number of rows inside a cabinet."""

_SEGMENT = np.dtype(np.int32)


class KnownRoutes:
    """Routes by number; those over the same segments in the same order have the same one."""

    def __init__(self) -> None:
        # As bytes: these are found again and joined many times faster than arrays.
        self._number: dict[bytes, int] = {}
        self._segments: list[bytes] = []

    def numbers(self, cables: CablePlan) -> np.ndarray:
        """Return the route of each row of a cable plan, int64 (W,); new routes get the next numbers."""
        text = cables.route_segments.astype(_SEGMENT, copy=False).tobytes()
        each = [text[start:stop] for start, stop in pairwise((_SEGMENT.itemsize * cables.route_indptr.astype(np.int64)).tolist())]
        new = [segments for segments in dict.fromkeys(each) if segments not in self._number]
        self._number.update(zip(new, count(len(self._segments)), strict=False))
        self._segments += new
        # The last one is for rows without a route.
        number = np.array([*map(self._number.__getitem__, each), NO_ROUTE], np.int64)
        return number[cables.route]

    def segments(self, route: int) -> np.ndarray:
        """Return the tray segments of a route in order, int32; none for `NO_ROUTE`."""
        return np.frombuffer(b"" if route == NO_ROUTE else self._segments[route], _SEGMENT)

    def listed(self, route: int) -> tuple[int, ...]:
        """Return the tray segments of a route in order, as numbers."""
        return () if route == NO_ROUTE else tuple(memoryview(self._segments[route]).cast("i"))

    def fill_um2(self, route: np.ndarray, area_um2: np.ndarray, segments: int) -> np.ndarray:
        """Return the cross-section of some rows in each segment, int64 (segments,).

        Parameters
        ----------
        route, area_um2
            Route of each row, and the cross-section that it takes, int64 (R,).
        """
        on_tray = route != NO_ROUTE
        known, kind = np.unique(route[on_tray], return_inverse=True)
        each = [self._segments[number] for number in known.tolist()]
        per_route = np.zeros(len(each), np.int64)
        np.add.at(per_route, kind.ravel(), area_um2[on_tray])
        fill = np.zeros(segments, np.int64)
        length = np.array([len(segments) for segments in each], np.int64) // _SEGMENT.itemsize
        np.add.at(fill, np.frombuffer(b"".join(each), _SEGMENT), np.repeat(per_route, length))
        return fill
