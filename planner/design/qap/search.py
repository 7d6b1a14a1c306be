"""Shared by all searches: budget, best solution, and driver loop.

A search is a generator: it works in short chunks and yields after each one, with its best
permutation in its `Best`. The loop below stops it when the budget is used up or on Ctrl-C;
`planner.design.qap.auto` alternates between several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

import numpy as np

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.qap.normal import Normal

if TYPE_CHECKING:
    from planner.design.qap import Qap, Solution

CHUNK_WORK = 2_000_000
"""Elementary steps between clock polls: some milliseconds."""


COMPILED = ("auto", "tabu", "anneal", "descent")


class Budget:
    """Wall time, moves, or both; whichever ends first.

    Attributes
    ----------
    used
        Moves so far; the searches add to it.
    """

    def __init__(self, seconds: float | None, moves: int | None, pairs: int):
        self.seconds, self.moves = seconds, moves
        if seconds is None and moves is None:
            self.moves = 1000 * max(pairs, 1)
        self.used = 0
        self.started = time.monotonic()

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def over(self) -> bool:
        """Return whether the budget is exhausted."""
        return (self.moves is not None and self.used >= self.moves) or (
            self.seconds is not None and self.elapsed() >= self.seconds
        )

    def remaining(self, wanted: int, each: int = 1) -> int:
        """Return the number of steps of `each` moves left, at most `wanted` and at least 1."""
        if self.moves is None:
            return wanted
        return max(1, min(wanted, -(-(self.moves - self.used) // each)))


class Best:
    """Best locations so far, their cost in normal form, and a proven lower bound if any."""

    def __init__(self, place: np.ndarray, cost: int):
        self.place, self.cost = place.copy(), cost
        self.bound: int | None = None

    def offer(self, place: np.ndarray, cost: int) -> bool:
        """Keep `place` if it is better; return whether it is."""
        if cost >= self.cost:
            return False
        self.place, self.cost = place.copy(), int(cost)
        return True


def random_place(normal: Normal, fixed: np.ndarray | None, draw: np.random.Generator) -> np.ndarray:
    """Return random locations, uint32 (n,), with fixed items in place."""
    place = np.empty(normal.size, np.uint32)
    movable = np.ones(normal.size, bool) if fixed is None else fixed < 0
    if fixed is not None:
        place[~movable] = fixed[~movable]
    free = np.setdiff1d(np.arange(normal.size), place[~movable])
    place[movable] = draw.permutation(free)
    return place


def _compile(searched: Callable[..., Generator[str]], qap: Qap, place: np.ndarray) -> None:
    """Run the first steps of a search outside the budget, to compile its kernels."""
    trial = searched(qap, Best(place, qap.normal.cost(place)), Budget(None, 1000, 1), np.random.default_rng(0), silent)
    for _ in range(3):
        next(trial, None)
    trial.close()


def run(qap: Qap, seed: int, budget: Budget, algorithm: str, start: np.ndarray | None, progress: Progress) -> Solution:
    """Drive one algorithm; see `planner.design.qap.solve`."""
    from importlib import import_module

    from planner.design.qap import Solution

    draw = seeds.stream(seed, f"qap.{algorithm}")
    first = random_place(qap.normal, qap.fixed, draw) if start is None else start.astype(np.uint32)
    best = Best(first, qap.normal.cost(first))
    searched = import_module(f"planner.design.qap.{algorithm}").search
    if budget.seconds and algorithm in COMPILED:
        _compile(searched, qap, first)
        budget.started = time.monotonic()
    search: Generator[str] = searched(qap, best, budget, draw, progress)
    method, complete = algorithm, True
    try:
        while True:
            method = next(search)
            progress("qap", budget.used, budget.moves or 0, objective=best.cost * qap.normal.factor)
            if budget.over():
                break
    except StopIteration:
        pass
    except KeyboardInterrupt:
        method, complete = f"{method}, interrupted", False
    finally:
        search.close()
    objective = qap.objective(best.place)
    bound = None if best.bound is None else best.bound * qap.normal.factor
    return Solution(
        permutation=best.place.astype(np.int64),
        objective=objective,
        method=method,
        evaluations=budget.used,
        bound=bound,
        optimal=bound is not None and bound >= objective,
        complete=complete,
    )
