"""Taillard's instances by their published rules: uniform (a), gray patterns (c), and similar to kind b.

The uniform instances are drawn from one seed by the generator of Lehmer with Park and Miller's factor: first one matrix, then
the other, elements above the diagonal row by row, each ``floor(100 u)``. `tests/qap/test_taillard.py` compares them with
the files of QAPLIB. A gray pattern puts m of n1 x n2 points to minimize their repulsion. Kind b follows Taillard's rule
(points in clusters, flows over many powers of ten) with our own random numbers, since its seeds are not published; there is no
published best value.

References
----------
.. [1] E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.
.. [2] E. Taillard, "Comparison of iterative searches for the quadratic assignment problem", Location Science 3, 1995.
"""

from __future__ import annotations

import numpy as np

from planner.design.qap import Qap

KNOWN = {"tai50a": 4_938_796, "tai80a": 13_499_184, "tai100a": 21_043_560, "tai64c": 1_855_928, "tai256c": 44_759_294}
"""Best known costs in the literature."""

_FACTOR, _MODULUS, _SEED = 16_807, 2**31 - 1, 123_456_789


def uniform(size: int) -> Qap:
    """Return the instance of kind a with `size` items."""
    state, matrices = _SEED, []
    for _ in range(2):
        matrix = np.zeros((size, size), np.int64)
        for i in range(size):
            for j in range(i + 1, size):
                state = state * _FACTOR % _MODULUS
                matrix[i, j] = matrix[j, i] = 100 * state // _MODULUS
        matrices.append(matrix)
    return Qap(*matrices)


def gray(rows: int, columns: int, black: int) -> Qap:
    """Return the instance of kind c: `black` of rows x columns points of a pattern that repeats in both directions."""
    size = rows * columns
    flow = np.zeros((size, size), np.int64)
    flow[:black, :black] = 1
    row, column = np.divmod(np.arange(size), columns)
    away = np.full((size, size), np.iinfo(np.int64).max)
    for down in (-rows, 0, rows):
        for right in (-columns, 0, columns):
            square = (row[:, None] - row + down) ** 2 + (column[:, None] - column + right) ** 2
            away = np.minimum(away, square)
    np.fill_diagonal(away, 1)
    distance = (200_000 // away + 1) // 2
    np.fill_diagonal(distance, 0)
    return Qap(flow, distance)


def clustered(size: int, seed: int, radius: float = 1000.0, spread: float = 10.0, max_cluster: int = 8) -> Qap:
    """Return an instance like those of kind b: locations in clusters, flows ``floor(10**x)`` with x from -10 to 5."""
    draw = np.random.default_rng(seed)
    points: list[tuple[float, float]] = []
    while len(points) < size:
        angle, far = draw.uniform(0, 2 * np.pi), draw.uniform(0, radius)
        for _ in range(draw.integers(1, max_cluster + 1)):
            turn, near = draw.uniform(0, 2 * np.pi), draw.uniform(0, spread)
            points.append((far * np.cos(angle) + near * np.cos(turn), far * np.sin(angle) + near * np.sin(turn)))
    at = np.array(points[:size])
    distance = np.floor(np.hypot(*(at[:, None] - at).transpose(2, 0, 1))).astype(np.int64)
    flow = np.floor(10 ** draw.uniform(-10, 5, (size, size))).astype(np.int64)
    np.fill_diagonal(flow, 0)
    return Qap(flow, distance)
