"""Quadratic assignment: n items to n locations, minimizing flow times distance; one file per algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.core.progress import Progress, silent
from planner.core.record import Record, array, value
from planner.design.qap.normal import CEILING, Normal, magnitude, normal

ALGORITHMS = ("auto", "tabu", "anneal", "descent", "faq", "exact")
LARGEST = 2000
"""Maximum number of items; larger networks are placed by `planner.design.placement`."""

MAX_MOVES = 2_000_000_000
"""Maximum number of moves of a search: hours of work."""


@dataclass(frozen=True, eq=False)
class Qap(Record):
    """A quadratic assignment problem.

    A permutation p puts item i at location p[i] and costs
    ``sum_ij flow[i, j] * distance[p[i], p[j]] + sum_i linear[i, p[i]]``. Matrices may be asymmetric,
    their diagonals and elements other than 0 or negative. A forbidden location has
    a large linear cost.

    Parameters
    ----------
    flow, distance
        int64 (n, n).
    linear
        int64 (n, n): item by location; or None.
    fixed
        int64 (n,): location of each fixed item, -1 for movable ones; or None.

    Raises
    ------
    InputError
        When shapes differ, elements are not integers, the costs may overflow, or `fixed` is not valid.

    Examples
    --------
    >>> problem = Qap([[0, 3, 0], [3, 0, 1], [0, 1, 0]], [[0, 1, 9], [1, 0, 9], [9, 9, 0]])
    >>> solution = solve(problem, seed=1, moves=100)
    >>> solution.objective, solution.permutation[2].item()
    (24, 2)
    """

    flow: np.ndarray = array("int64", "N,N", "flow from item to item")
    distance: np.ndarray = array("int64", "N,N", "distance from location to location")
    linear: np.ndarray | None = value("cost of an item at a location, int64 (N,N), or none", default=None)
    fixed: np.ndarray | None = value("location of each fixed item or -1, int64 (N,), or none", default=None)

    def __post_init__(self) -> None:
        names = ("flow", "distance", *(name for name in ("linear", "fixed") if getattr(self, name) is not None))
        arrays = {name: _integers(name, getattr(self, name)) for name in names}
        n = len(arrays["flow"]) if arrays["flow"].ndim else 0
        problems = []
        for name, content in arrays.items():
            wanted = (n,) if name == "fixed" else (n, n)
            if n == 0 or content.shape != wanted:
                problems.append(Problem(name, f"has shape {content.shape}, not {wanted}", "give square matrices of one size"))
        if not problems and n > LARGEST:
            problems.append(Problem("flow", f"{n:,} items exceed the limit of {LARGEST:,}", "place such a network as a study"))
        if not problems and "fixed" in arrays:
            problems += _wrong_places(arrays["fixed"])
        if not problems and magnitude(arrays["flow"], arrays["distance"], arrays.get("linear")) > CEILING:
            problems.append(Problem("flow", f"costs may exceed {CEILING:,}", "divide flow or distance by a common factor"))
        if problems:
            raise InputError(problems)
        for name, content in arrays.items():
            content.setflags(write=False)
            object.__setattr__(self, name, content)
        super().__post_init__()

    @property
    def size(self) -> int:
        """Number of items."""
        return len(self.flow)

    @cached_property
    def normal(self) -> Normal:
        """The normal form used by the kernels."""
        return normal(self.flow, self.distance, self.linear, self.fixed)

    def objective(self, permutation: np.ndarray) -> int:
        """Return the cost of a permutation, int (n,), from the original matrices.

        Raises
        ------
        InputError
            When it is not a permutation of 0 … n - 1.
        """
        p = _permutation(permutation, self.size)
        cost = int((self.flow * self.distance[np.ix_(p, p)]).sum())
        return cost if self.linear is None else cost + int(self.linear[np.arange(self.size), p].sum())


@dataclass(frozen=True, eq=False)
class Solution(Record):
    """Best permutation found, and bounds of its cost."""

    permutation: np.ndarray = array("int64", "N", "location of every item")
    objective: int = value("cost")
    method: str = value("algorithm")
    evaluations: int = value("number of exchanges evaluated")
    bound: int | None = value("lower bound; none if not computed", default=None)
    optimal: bool = value("whether the objective is proven optimal", default=False)
    complete: bool = value("False if interrupted", default=True)


def solve(
    qap: Qap,
    *,
    seed: int,
    seconds: float | None = None,
    moves: int | None = None,
    algorithm: str = "auto",
    start: np.ndarray | None = None,
    progress: Progress = silent,
) -> Solution:
    """Search for a good permutation.

    Parameters
    ----------
    qap
        The problem.
    seed
        Random seed; the same seed and `moves` give the same result.
    seconds
        Wall-time limit in seconds; the result then depends on the machine.
    moves
        Limit of exchanges evaluated (an iteration of tabu search evaluates n (n - 1) / 2), or of nodes for ``exact``.
        Default without `seconds`: 1,000 moves per pair of items.
    algorithm
        ``auto``: a portfolio of `tabu`, `anneal` and `descent`, with more work for the leader; ``tabu``; ``anneal``;
        ``descent`` and ``faq``: baselines; ``exact``: branch and bound, small problems only.
    start
        Permutation to start from, int (n,); the result is never worse.
    progress
        Called with the best objective so far; Ctrl-C ends the search and keeps the best.

    Raises
    ------
    InputError
        When an argument is not valid.
    """
    from planner.design.qap import search

    problems = []
    if algorithm not in ALGORITHMS:
        problems.append(Problem("algorithm", f"unknown algorithm {algorithm!r}", suggestion(algorithm, ALGORITHMS)))
    if seconds is not None and not 0 <= seconds < float("inf"):
        problems.append(Problem("seconds", f"must be a number from 0 up, not {seconds}"))
    if moves is not None and not 0 <= moves <= MAX_MOVES:
        problems.append(Problem("moves", f"must be 0 to {MAX_MOVES:,}, not {moves}"))
    if problems:
        raise InputError(problems)
    if start is not None:
        start = _permutation(start, qap.size)
        if qap.fixed is not None and ((qap.fixed >= 0) & (qap.fixed != start)).any():
            raise InputError(Problem("start", "moves fixed items", "keep them at their locations"))
    return search.run(qap, seed, search.Budget(seconds, moves, qap.normal.pairs), algorithm, start, progress)


def _integers(name: str, given: Any) -> np.ndarray:
    """Return a copy as int64 array, or raise InputError."""
    try:
        content = np.asarray(given)
        if content.dtype.kind not in "iubf":
            raise ValueError
        with np.errstate(invalid="ignore"):
            exact = content.astype(np.int64)
        # 2**63 as a float looks equal after the cast on some machines.
        if not np.array_equal(exact, content) or (content.size and np.abs(content.astype(np.float64)).max() > CEILING):
            raise ValueError
    except (ValueError, TypeError, OverflowError):
        raise InputError(Problem(name, f"must contain integers up to {CEILING:,} only")) from None
    return np.array(exact, order="C")


def _wrong_places(fixed: np.ndarray) -> list[Problem]:
    taken = fixed[fixed != -1]
    if ((taken < 0) | (taken >= len(fixed))).any():
        return [Problem("fixed", f"holds locations outside 0 … {len(fixed) - 1}", "use -1 for items that may move")]
    if len(np.unique(taken)) < len(taken):
        return [Problem("fixed", "gives two items the same location")]
    return []


def _permutation(given: np.ndarray, size: int) -> np.ndarray:
    p = np.asarray(given)
    if p.shape != (size,) or p.dtype.kind not in "iu" or not np.array_equal(np.sort(p), np.arange(size)):
        raise InputError(Problem("permutation", f"is not a permutation of 0 … {size - 1}"))
    return p.astype(np.int64)
