"""Lower bounds of quadratic assignment.

All bounds are valid for the problem with its fixed items and its linear cost, and are rounded up to
the next multiple of the common factor of all costs.
"""

from __future__ import annotations

import math
import time

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.qap import Qap
from planner.design.qap.dual import LARGEST, Scratch, root, unscaled
from planner.kernels.qap import dual_ascent as kernel
from planner.kernels.qap.assignment import assign


def gilmore_lawler(qap: Qap) -> int:
    """Return the Gilmore–Lawler bound, exact.

    For item i at location j, the minimum product of the other flows of i and the other distances of j has them in opposite
    order; the minimum assignment of these costs and the linear ones is the bound. O(n**3 log n).
    Fixed items are assigned to their locations only.

    References
    ----------
    .. [1] P. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem",
       SIAM Journal 10, 1962.
    .. [2] E. Lawler, "The quadratic assignment problem", Management Science 9, 1963.

    Examples
    --------
    >>> ring = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
    >>> gilmore_lawler(Qap(ring == 1, ring))
    8
    """
    normal = qap.normal
    n = normal.size
    # The normal form counts symmetric costs once: half per end, hence doubled here.
    double = 2 if normal.symmetric else 1
    cost = normal.linear * double
    if n > 1:
        off = ~np.eye(n, dtype=bool)
        flow = np.sort(normal.flow[off].reshape(n, n - 1), 1)
        distance = np.sort(normal.distance[off].reshape(n, n - 1), 1)[:, ::-1]
        cost = cost + flow @ distance.T
    return _up(_assigned(cost, qap.fixed), double) * normal.factor


def projection(qap: Qap) -> int:
    """Return the projection bound of Hadley, Rendl and Wolkowicz, for problems with at least one symmetric matrix.

    With V an orthonormal basis of what is orthogonal to the all-ones vector, the cost is the trace of
    A X B X' over permutations X. Its part along V is at least the eigenvalues of V'AV times those of
    V'BV in opposite order; the rest, 2/n r(A) r(B)' and the linear cost, is an assignment problem; the
    constant is s(A) s(B) / n**2, r and s being sums of rows and of all. Rounded down by more than
    the error of the eigenvalues, hence valid.

    Raises
    ------
    InputError
        When both matrices are asymmetric.

    References
    ----------
    .. [1] S. Hadley, F. Rendl, H. Wolkowicz, "A new lower bound via projection for the quadratic
       assignment problem", Mathematics of Operations Research 17, 1992.
    """
    normal = qap.normal
    if not normal.symmetric:
        raise InputError(Problem("bound", "projection needs a symmetric flow or distance", "use gilmore_lawler"))
    n, a, b = normal.size, normal.flow, normal.distance
    if n == 1:
        return int(normal.linear[0, 0]) * normal.factor
    spread, slack = _eigenvalue_part(a, b)
    row_a, row_b = a.sum(1), b.sum(1)
    # In exact integers, n**2 times enlarged: sum_ij a b = spread + 2/n r(A) r(B)' - s(A) s(B) / n**2.
    rows = [[2 * n * int(x) * int(y) for y in row_b] for x in row_a]
    linear = [[2 * n * n * int(x) for x in row] for row in normal.linear]
    largest = max(abs(x) + abs(y) for r, t in zip(rows, linear, strict=True) for x, y in zip(r, t, strict=True))
    shift = max(0, (largest * n).bit_length() - 60)
    # Rounding down keeps the bound valid where n**2 times the costs would not fit.
    cost = np.array([[(x + y) >> shift for x, y in zip(r, t, strict=True)] for r, t in zip(rows, linear, strict=True)], np.int64)
    constant = (_assigned(cost, qap.fixed) << shift) - int(row_a.sum()) * int(row_b.sum())
    # A float of its own cannot carry this to the last digit: split into whole and rest.
    total = constant + math.floor((spread - slack) * n * n)
    return _up(total, 2 * n * n) * normal.factor


def dual_ascent(qap: Qap, *, seconds: float | None = None, rounds: int = 100) -> int:
    """Return the bound of Hahn and Grant, exact, for up to 40 items; see `planner.kernels.qap.dual_ascent`.

    Parameters
    ----------
    seconds
        Wall-time limit in seconds; the result then depends on the machine.
    rounds
        Rounds of dual ascent. A round never lowers the bound; the first gives at least Gilmore–Lawler.

    Raises
    ------
    InputError
        When there are more than 40 items: n**4 costs are too many.
    """
    _check_size(qap)
    top, scale = root(qap.normal, qap.fixed)
    scratch = Scratch(qap.size)
    started = time.monotonic()
    # The Gilmore–Lawler step, then rounds with complements.
    if len(top.leader):
        top.bound += int(kernel.gilmore_lawler(top.leader, top.pair, *scratch.arrays))
        target = np.iinfo(np.int64).max // 2
        for _ in range(rounds):
            if seconds is not None and time.monotonic() - started >= seconds:
                break
            before = top.bound
            top.ascend(target, 1, np.inf, scratch)
            if top.bound == before:
                break
    return unscaled(top.bound, scale) * qap.normal.factor


def best(qap: Qap, *, seconds: float | None = None, rounds: int = 100) -> tuple[int, str]:
    """Return the best bound for this problem and its name; `seconds` and `rounds` limit dual ascent.

    Examples
    --------
    >>> ring = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
    >>> best(Qap(ring == 1, ring))
    (8, 'gilmore-lawler')
    """
    found = [(gilmore_lawler(qap), "gilmore-lawler")]
    if qap.normal.symmetric:
        found.append((projection(qap), "projection"))
    if qap.size <= LARGEST:
        found.append((dual_ascent(qap, seconds=seconds, rounds=rounds), "dual ascent"))
    return max(found, key=lambda each: each[0])


def _eigenvalue_part(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Return the minimum product of the projected eigenvalues, and an upper bound of its error."""
    n = len(a)
    p, q = (np.linalg.eigvalsh(_projected(matrix.astype(float))) for matrix in (a, b))
    # Each eigenvalue is off by less than a small multiple of n * eps * norm; so is the sum in total.
    slack = 64 * n * n * np.finfo(float).eps * float(np.linalg.norm(a.astype(float)) * np.linalg.norm(b.astype(float)))
    return float(p @ q[::-1]), slack


def _projected(matrix: np.ndarray) -> np.ndarray:
    """Return V' matrix V for the orthonormal basis V of a Householder reflection that maps ones to the first axis."""
    n = len(matrix)
    v = np.ones(n)
    v[0] += math.sqrt(n)
    v /= np.linalg.norm(v)
    half = matrix - 2 * np.outer(v, v @ matrix)
    return (half - 2 * np.outer(half @ v, v))[1:, 1:]


def _assigned(cost: np.ndarray, fixed: np.ndarray | None) -> int:
    """Return the cost of a minimum assignment with fixed items."""
    total = 0
    rows, columns = np.arange(len(cost)), np.arange(len(cost))
    if fixed is not None:
        assigned = fixed >= 0
        total = int(cost[rows[assigned], fixed[assigned]].sum())
        rows, columns = rows[~assigned], np.setdiff1d(columns, fixed[assigned])
    if not len(rows):
        return total
    left = np.ascontiguousarray(cost[np.ix_(rows, columns)])
    return total + int(assign(left, len(left), *Scratch(len(left)).arrays[1:]))


def _up(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _check_size(qap: Qap) -> None:
    if qap.size > LARGEST:
        raise InputError(Problem("bound", f"dual ascent takes at most {LARGEST} items, not {qap.size}", "use projection"))
