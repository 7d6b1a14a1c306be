"""Iterated robust tabu search with perturbation and elites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.core.progress import Progress
from planner.design.qap.normal import Normal
from planner.design.qap.search import CHUNK_WORK, Best, Budget
from planner.kernels.qap import exchanges as kernel

if TYPE_CHECKING:
    from planner.design.qap import Qap

TENURE, TENURE_LARGE = (0.7, 1.5), (0.4, 0.6)
"""Minimum and maximum tabu tenure, in units of n iterations."""
LARGE = 50
"""Number of items from which shorter tenures and longer phases are used; for fewer items short tenures cycle."""
PATIENCE = 5.0
"""An exchange not made for this number of n**2 iterations is forced."""
STALL, STALL_LARGE = 100, 200
"""A phase ends after this number of n iterations without improvement."""
PERTURBATION = 0.1, 0.6
"""Minimum and maximum fraction of the items moved by a perturbation."""
MIN_ELITES, MAX_ELITES = 4, 12
"""Minimum elites for recombination, and maximum kept."""
PERTURBATION_GROWTH = 1.4
"""Factor of the perturbation after a phase without improvement."""


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every chunk.

    A phase is robust tabu search [1] until it stalls. Its best locations are perturbed by a random
    cycle of items, short at first, longer after every phase without improvement;
    after the longest perturbation the search restarts from a child of two elites, or from its current locations [2].

    Notes
    -----
    Differs from [1]_: the tabu tenure is drawn from 0.7 n to 1.5 n, from 50 items on from 0.4 n to 0.6 n, instead of 0.9 n to 1.1
    n; and whether an exchange is overdue is checked every n iterations.

    References
    ----------
    .. [1] E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.
    .. [2] A. Misevicius, "An implementation of the iterated tabu search algorithm for the quadratic
       assignment problem", OR Spectrum 34, 2012.
    """
    normal = qap.normal
    m = len(normal.movable)
    if m < 2:
        budget.used += 1
        yield "tabu: nothing can move"
        return
    run = _Run(normal, best, draw)
    home, home_cost, own = best.place, best.cost, best.cost
    perturbation, phases, elites = PERTURBATION[0], 0, Elites()
    while True:
        reached, stalled = int(run.values[1]), 0
        limit = (STALL_LARGE if normal.size >= LARGE else STALL) * normal.size
        while stalled < limit:
            done = run.iterate(budget.remaining(min(limit - stalled, run.chunk), normal.pairs))
            budget.used += done * normal.pairs
            stalled += done
            if run.values[1] < reached:
                reached, stalled = int(run.values[1]), 0
                best.offer(run.best, reached)
            yield f"tabu: {phases + 1} phases"
        phases += 1
        own = min(own, reached)
        if best.cost < own:
            # Another search has found a better solution: continue from it.
            home, home_cost, own, perturbation = best.place, best.cost, best.cost, PERTURBATION[0]
        elif reached < home_cost:
            home, home_cost, perturbation = run.best.copy(), reached, PERTURBATION[0]
        else:
            perturbation *= PERTURBATION_GROWTH
        if perturbation <= PERTURBATION[1]:
            run.begin(_perturbed(home, normal.movable, perturbation, draw))
            continue
        elites.keep(home, home_cost)
        place = elites.child(normal.movable, draw) if len(elites) >= MIN_ELITES else run.best
        run.begin(place if len(elites) >= MIN_ELITES else _perturbed(place, normal.movable, PERTURBATION[1], draw))
        # The result of the child becomes the next home regardless of its cost.
        home, home_cost, perturbation = place, np.iinfo(np.int64).max, PERTURBATION[0]


def _perturbed(home: np.ndarray, movable: np.ndarray, share: float, draw: np.random.Generator) -> np.ndarray:
    """Return locations with a random cycle of a fraction of the movable items, at least 3."""
    place = home.copy()
    some = draw.permutation(movable)[: max(3, round(share * len(movable)))]
    place[some] = place[np.roll(some, 1)]
    return place


class Elites:
    """Distinct best homes, and children of two of them."""

    def __init__(self) -> None:
        self.places: list[tuple[int, np.ndarray]] = []

    def __len__(self) -> int:
        return len(self.places)

    def keep(self, place: np.ndarray, cost: int) -> None:
        """Add locations unless already present; drop the worst beyond the limit."""
        if not any(np.array_equal(place, other) for _, other in self.places):
            self.places.append((cost, place.copy()))
            self.places.sort(key=lambda elite: elite[0])
            del self.places[MAX_ELITES:]

    def child(self, movable: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Return locations shared by two elites where they agree, elsewhere of one of them where possible."""
        one, other = (self.places[k][1] for k in draw.choice(len(self.places), 2, replace=False))
        child, taken = one.copy(), np.zeros(len(one), bool)
        # Fixed items are equal in both.
        open_items = movable[one[movable] != other[movable]]
        taken[one] = True
        taken[one[open_items]] = False
        left = []
        for item in draw.permutation(open_items).tolist():
            first, second = (one, other) if draw.random() < 0.5 else (other, one)
            place = next((int(parent[item]) for parent in (first, second) if not taken[parent[item]]), None)
            if place is None:
                left.append(item)
            else:
                child[item], taken[place] = place, True
        child[left] = draw.permutation(np.flatnonzero(~taken))
        return child


class _Run:
    """Arrays of the kernel."""

    def __init__(self, normal: Normal, best: Best, draw: np.random.Generator):
        self.normal = normal
        self.state = draw.integers(0, 2**64, 1, dtype=np.uint64)
        n = normal.size
        self.kind = normal.kind
        self.matrices = tuple(matrix.astype(self.kind) for matrix in normal.matrices)
        self.pair = normal.pair_flow.astype(self.kind), normal.pair_distance.astype(self.kind)
        low, high = TENURE_LARGE if n >= LARGE else TENURE
        self.low, self.high = max(1, int(low * n)), max(2, int(high * n))
        self.work = np.empty((6, n), self.kind)
        self.chunk = max(1, CHUNK_WORK // n**2)
        self.begin(best.place)

    def begin(self, place: np.ndarray) -> None:
        """Restart from `place` with an empty tabu list."""
        normal = self.normal
        self.place, self.best, self.turn = place.copy(), place.copy(), 1
        field = normal.field(self.place)
        self.field, self.delta = field.astype(self.kind), normal.deltas(self.place, field).astype(self.kind)
        self.values = np.full(2, normal.cost(self.place), np.int64)
        self.tabu_until = np.zeros_like(self.field)

    def iterate(self, count: int) -> int:
        """Perform `count` iterations."""
        normal = self.normal
        done = kernel.tabu(
            self.turn, count, self.low, self.high, int(PATIENCE * normal.size**2), np.iinfo(np.int64).min,
            *self.matrices, normal.symmetric, *self.pair, normal.movable,
            self.place, self.field, self.delta, self.tabu_until, self.work, self.best, self.values, self.state,
        )  # fmt: skip
        self.turn += done
        return done
