"""Simulated annealing by exchanges of two items, in runs of growing length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.core.progress import Progress
from planner.design.qap.descent import descend
from planner.design.qap.normal import Normal
from planner.design.qap.search import Best, Budget, random_place
from planner.kernels.qap import exchanges as kernel

if TYPE_CHECKING:
    from planner.design.qap import Qap

FIRST_RUN = 100
"""Moves of the first run, per pair of items."""
GROWTH = 2
"""Length of a run relative to the previous one."""
LONGEST_RUN = 40_000
"""Moves of the longest run, per pair of items; beyond it more runs are better than longer ones."""
HOT, COLD = 0.12, 0.03
"""First temperature in units of the mean, last in units of a low quantile of the changes of cost at a local optimum."""
REHEAT = 2.0
"""Factor of the initial temperature after a run that ends where it began."""


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every chunk."""
    normal = qap.normal
    if len(normal.movable) < 2:
        budget.used += 1
        yield "anneal: nothing can move"
        return
    run = _Run(normal, best.place, draw)
    hot, cold, tried = temperatures(normal, best, qap.fixed, draw)
    budget.used += tried
    length, runs = FIRST_RUN * normal.pairs, 0
    while True:
        runs += 1
        before = run.cost
        for _ in run.moves(length, hot, cold, budget):
            best.offer(run.best, int(run.values[1]))
            yield f"anneal: {runs} runs, the last of {length:,} moves"
        if run.cost == before:
            hot *= REHEAT
        length = min(length * GROWTH, LONGEST_RUN * normal.pairs)


def temperatures(normal: Normal, best: Best, fixed: np.ndarray | None, draw: np.random.Generator) -> tuple[float, float, int]:
    """Return the first and last temperature, and the moves spent to determine them."""
    changes, tried = [], 0
    for sample in range(5):
        place, cost, spent = descend(normal, best.place if sample == 0 else random_place(normal, fixed, draw))
        best.offer(place, cost)
        tried += spent + normal.pairs
        delta = normal.deltas(place, normal.field(place))
        changes.append(delta[np.triu_indices(len(delta), 1)])
    positive = np.concatenate(changes)
    positive = positive[positive > 0]
    if not len(positive):
        return 1.0, 1.0, tried
    hot = HOT * float(positive.mean())
    return hot, min(hot, COLD * float(np.quantile(positive, 0.05))), tried


FIELD_PAYS = 2.5
"""The field is used if fewer than this / n of the moves are accepted; the results are the same."""


class _Run:
    """Arrays of the kernel."""

    def __init__(self, normal: Normal, place: np.ndarray, draw: np.random.Generator):
        self.normal = normal
        self.state = draw.integers(0, 2**64, 1, dtype=np.uint64)
        size = 1 << kernel.LOG_BITS
        self.logs = -np.log((np.arange(size) + 0.5) / size)
        self.work = np.empty((4, normal.size), np.int64)
        self.place, self.best = place.copy(), place.copy()
        self.field = normal.field(place)
        self.by_field = False
        self.cost = normal.cost(place)

    def moves(self, total: int, hot: float, cold: float, budget: Budget) -> Iterator[None]:
        """Perform one run; yield after every chunk."""
        normal, n = self.normal, self.normal.size
        self.values = np.full(2, self.cost, np.int64)
        self.best[:] = self.place
        done, self.by_field = 0, False
        while done < total:
            count = budget.remaining(min(total - done, 1_000_000 if self.by_field else max(1000, 2_000_000 // n)))
            accepted = kernel.anneal(
                done, count, total, hot, cold, self.by_field,
                *normal.matrices, normal.linear, normal.symmetric, normal.pair_flow, normal.pair_distance, normal.movable,
                self.place, self.field, self.work, self.logs, self.best, self.values, self.state,
            )  # fmt: skip
            done += count
            budget.used += count
            # Speed depends on how often the field must be updated.
            by_field = accepted * n < FIELD_PAYS * count
            if by_field and not self.by_field:
                self.field = normal.field(self.place)
            self.by_field = by_field
            yield
        self.cost = int(self.values[0])
