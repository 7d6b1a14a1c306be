"""Filling of cabinets with items in a given order."""

from __future__ import annotations

import numpy as np

from planner.placement.packing._capacity import Capacity


def fill(content: np.ndarray, capacity: Capacity, bound: np.ndarray | None = None) -> np.ndarray:
    """Let consecutive items share a cabinet as long as they fit.

    Parameters
    ----------
    content
        Content of each item, int64 (n, 3).
    bound
        First item that may not share a cabinet with each item, int64 (n,); by default n.

    Returns
    -------
    First item of each cabinet, int64 (C,). An item that does not fit alone gets its own cabinet.
    """
    count = len(content)
    total = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(content, axis=0)])
    first = np.arange(count)
    low = first + 1
    high = np.full(count, count) if bound is None else bound.copy()
    # Needs grow with the number of items: bisect the end of the cabinet that starts at each item, for all at once.
    while (low < high).any():
        middle = (low + high + 1) // 2
        fits = capacity.fits(total[middle] - total[first])
        low, high = np.where(fits, middle, low), np.where(fits, high, np.maximum(middle - 1, low))
    starts, place, end = [], 0, low.tolist()
    while place < count:
        starts.append(place)
        place = end[place]
    return np.array(starts, np.int64)
