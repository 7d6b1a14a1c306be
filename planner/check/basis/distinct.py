"""Distinct rows of columns of integers, for plans of millions of cables."""

from __future__ import annotations

import numpy as np

_LARGEST = 2**62


def distinct(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first row of each distinct one in lexicographic order, the number of each row's, and how often each occurs.

    Parameters
    ----------
    *columns
        Integers (n,) each.

    Returns
    -------
    first, number, count
        int64 (m,), (n,), (m,).

    Examples
    --------
    >>> first, number, count = distinct(np.array([5, 3, 5]), np.array([-1, 2, -1]))
    >>> first.tolist(), number.tolist(), count.tolist()
    ([1, 0], [1, 0, 1], [1, 2])
    """
    key, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        rank = column.astype(np.int64) - int(column.min(initial=0))
        width = int(rank.max(initial=0)) + 1
        if size * width >= _LARGEST:
            key = np.unique(key, return_inverse=True)[1].ravel()
            size = int(key.max(initial=0)) + 1
        key, size = key * width + rank, size * width
    _, first, number, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return first, number.ravel(), count
