"""How many links a split of the items must cut, and how few the lines between columns can cut."""

from __future__ import annotations

import numpy as np

from planner.placement.bound._items import Items

_WORK = 20_000_000
_STEPS = 16
_PAIRS = 3000


def min_cut(items: Items, gap: float) -> np.ndarray:
    """Return how many links at least leave s of n items, int64 (n + 1,); nowhere falling up to n // 2.

    The spectral bound, or by degrees: s items have at most s (s - 1) / 2 pairs among them.
    """
    n = items.count
    half = np.arange(n // 2 + 1)
    spectral = np.ceil(gap * half * (n - half) / n - 1e-6).astype(np.int64)
    most = int(items.weight.data.max(initial=0))
    ends = np.concatenate([[0], np.cumsum(np.sort(items.degree))])[half]
    cut = np.maximum(np.maximum(spectral, ends - most * half * (half - 1)), 0)
    cut = np.minimum.accumulate(cut[::-1])[::-1]
    return np.concatenate([cut, cut[: n - n // 2][::-1]])


def max_inside(items: Items, cut: np.ndarray) -> int:
    """Return how many links between items can lie inside cabinets: by neighbors, and by what leaves every cabinet."""
    if items.inside is not None:
        return items.inside - items.within
    neighbors = int(items.sorted_weights()[:, : items.capacity - 1].sum()) // 2
    sizes = np.arange(1, min(items.capacity, items.count) + 1)
    # Each item's share of what leaves its cabinet is at least this; every link that leaves does so at both ends.
    share = (cut[sizes] / sizes).min()
    leaving = int(np.floor(items.count * share * (1 - 1e-12) / 2))
    return max(0, min(neighbors, items.links - leaving))


def min_crossing(capacity: np.ndarray, price: np.ndarray, cut: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the least of sum(price x links cut) over all lines between neighboring columns, and the cuts there.

    Parameters
    ----------
    capacity
        Most items in each column, int64 (X,).
    price
        Price of a link that crosses each line, int64 (X - 1,), none negative.
    cut
        From `min_cut`, for n items.

    Notes
    -----
    Some column holds the middle: lines before it have at most n // 2 items before them, lines after
    it at most n // 2 behind. Given the number a of items before that column, it is best full, and so
    are those next to it, because `cut` does not fall toward the middle. With many items a runs in
    steps; then the lines before see the least a of a step, those after the greatest.
    """
    n, columns = len(cut) - 1, len(capacity)
    before = np.concatenate([[0], np.cumsum(capacity)])
    steps = max(_STEPS, _WORK // columns**2)
    best, cuts = None, np.zeros(columns - 1, np.int64)
    for middle in range(columns):
        least = max(0, n - n // 2 - capacity[middle], n - (before[-1] - before[middle]))
        most = min(n // 2, before[middle])
        if least > most:
            continue
        low = np.unique(np.linspace(least, most, min(steps, most - least + 1)).astype(np.int64))
        high = np.append(low[1:] - 1, most)
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
    """Return a number that the sum of ``|dx| + |dy|`` over all pairs of `count` items cannot go below.

    Parameters
    ----------
    x, y
        Place of every slot, int64 (E,).
    capacity
        Most items in one slot.

    Notes
    -----
    All places at first, then those left empty are taken away: each takes its distance to all others with
    it, and what pairs of them take twice comes back, at least the distance to the nearest ones.
    Unlike `min_crossing` this sees that a slot in a column is one in a row, too.
    """
    empty = len(x) * capacity - count
    to_all = capacity * sum(_to_all(values) for values in (x, y))
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
    """Sum of the distances of each value to all, int64."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    below = np.concatenate([[0], np.cumsum(ranked)])
    rank = np.arange(len(values))
    found = np.empty(len(values), np.int64)
    found[order] = ranked * (2 * rank + 1 - len(values)) - 2 * below[:-1] + below[-1] - ranked
    return found
