"""Lower bounds of cuts between items, and of the cost of links that cross lines between columns."""

from __future__ import annotations

import numpy as np

from planner.design.placement.bound.relaxation.items import Items

WORK = 20_000_000
STEPS = 16
_PAIRS = 3000


def min_cut(items: Items, gap: float) -> np.ndarray:
    """Return a lower bound of the links that leave s of n items, int64 (n + 1,); not decreasing up to n // 2.

    The higher of the spectral bound and a bound by degrees: s items have at most s (s - 1) / 2 pairs among them.
    """
    n = items.count
    half = np.arange(n // 2 + 1)
    spectral = np.ceil(gap * half * (n - half) / n - 1e-6).astype(np.int64)
    heaviest = int(items.weight.data.max(initial=0))
    ends = np.concatenate([[0], np.cumsum(np.sort(items.degree))])[half]
    cut = np.maximum(np.maximum(spectral, ends - heaviest * half * (half - 1)), 0)
    cut = np.minimum.accumulate(cut[::-1])[::-1]
    return np.concatenate([cut, cut[: n - n // 2][::-1]])


def max_inside(items: Items, cut: np.ndarray) -> int:
    """Return an upper bound of the links between items inside cabinets, by neighbors and by the links that leave cabinets."""
    if items.inside is not None:
        return items.inside - items.within
    neighbors = int(items.sorted_weights()[:, : items.capacity - 1].sum()) // 2
    sizes = np.arange(1, min(items.capacity, items.count) + 1)
    # Minimum number of link ends per item that leave its cabinet; every leaving link has two ends.
    share = (cut[sizes] / sizes).min()
    leaving = int(np.floor(items.count * share * (1 - 1e-12) / 2))
    return max(0, min(neighbors, items.links - leaving))


def min_crossing(capacity: np.ndarray, price: np.ndarray, cut: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the minimum of sum(price x links cut) over all lines between adjacent columns, and its cuts.

    Parameters
    ----------
    capacity
        Capacity of each column in items, int64 (X,).
    price
        Nonnegative price of a link that crosses each line, int64 (X - 1,).
    cut
        From `min_cut`, for n items.

    Notes
    -----
    Some column holds the median item: lines before it have at most n // 2 items before them, lines after
    it at most n // 2 behind. Given the number a of items before that column, the minimum is reached if it and
    the columns next to it are full, because `cut` does not decrease toward the middle. With many items a takes
    steps; the lines before then use the smallest a of a step, those after the largest.
    """
    n, columns = len(cut) - 1, len(capacity)
    before = np.concatenate([[0], np.cumsum(capacity)])
    steps = max(STEPS, WORK // columns**2)
    best, cuts = None, np.zeros(columns - 1, np.int64)
    for middle in range(columns):
        low_end = max(0, n - n // 2 - capacity[middle], n - (before[-1] - before[middle]))
        high_end = min(n // 2, before[middle])
        if low_end > high_end:
            continue
        low = np.unique(np.linspace(low_end, high_end, min(steps, high_end - low_end + 1)).astype(np.int64))
        high = np.append(low[1:] - 1, high_end)
        left = np.maximum(0, low[:, None] - (before[middle] - before[1 : middle + 1]))
        full = np.minimum(n, high + capacity[middle])
        right = np.minimum(n, full[:, None] + before[middle + 1 : columns] - before[middle + 1])
        crossing = cut[np.hstack([left, right])]
        total = crossing @ price
        at = int(total.argmin())
        if best is None or total[at] < best:
            best, cuts = int(total[at]), crossing[at]
    return best or 0, cuts


def min_distance_sum(x: np.ndarray, y: np.ndarray, capacity: int, count: int) -> int:
    """Return a lower bound of the sum of ``|dx| + |dy|`` over all pairs of `count` items.

    Parameters
    ----------
    x, y
        Place of every slot, int64 (E,).
    capacity
        Maximum number of items per slot.

    Notes
    -----
    The sum over all places, less the distances of empty places to all others, plus the distances between empty
    places, which are subtracted twice and are at least those to the nearest places. Unlike `min_crossing` this
    accounts for each slot being in a column and a row.
    """
    empty = len(x) * capacity - count
    to_all = capacity * (_to_all(x) + _to_all(y))
    twice = capacity * int(to_all.sum())
    if empty:
        gone = 2 * to_all
        if len(x) <= _PAIRS:
            apart = np.sort(np.abs(x[:, None] - x) + np.abs(y[:, None] - y), axis=1)
            full, rest = divmod(empty, capacity)
            gone -= capacity * apart[:, :full].sum(axis=1) + (rest * apart[:, full] if rest else 0)
        twice -= int(np.sort(np.repeat(gone, capacity))[::-1][:empty].sum())
    return twice // 2


def _to_all(values: np.ndarray) -> np.ndarray:
    """Return the sum of the distances of each value to all values, int64."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    below = np.concatenate([[0], np.cumsum(ranked)])
    rank = np.arange(len(values))
    found = np.empty(len(values), np.int64)
    found[order] = ranked * (2 * rank + 1 - len(values)) - 2 * below[:-1] + below[-1] - ranked
    return found
