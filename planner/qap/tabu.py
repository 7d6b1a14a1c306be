"""Robust taboo search, iterated: when it stands still good places are shaken and it goes on from there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.kernels.qap import exchanges as kernel
from planner.progress import Progress
from planner.qap._normal import Normal
from planner.qap._search import CHUNK_WORK, Best, Budget

TENURE, TENURE_LARGE = (0.7, 1.5), (0.4, 0.6)
"""Least and greatest number of iterations, in units of n, that an item may not return."""
LARGE = 50
"""Items from which the shorter tenure is better, below it the shorter one runs in circles; and shorter phases."""
PATIENCE = 5.0
"""An exchange not made for so many times n**2 iterations is forced."""
STAND, STAND_LARGE = 100, 200
"""A phase ends when it has not improved its own best for so many times n iterations."""
SHAKE = 0.1, 0.6
"""Least and greatest share of the items that a shake moves."""
FEWEST_ELITES, MOST_ELITES = 4, 12
"""Elites from which children are bred, and at most kept."""
LONGER = 1.4
"""A phase that brings nothing new is followed by a shake so many times longer."""


def search(qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every chunk.

    A phase is robust taboo search [1] until it stands still. Its best places are shaken: a random
    cycle of items changes places, short at first, longer after every phase that brings nothing
    new; after the longest shake the search stays where it has got to and starts over from there [2].

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
    shake, phases, elites = SHAKE[0], 0, Elites()
    while True:
        reached, stood = int(run.values[1]), 0
        limit = (STAND_LARGE if normal.size >= LARGE else STAND) * normal.size
        while stood < limit:
            done = run.iterate(budget.room(min(limit - stood, run.chunk), normal.pairs))
            budget.used += done * normal.pairs
            stood += done
            if run.values[1] < reached:
                reached, stood = int(run.values[1]), 0
                best.offer(run.best, reached)
            yield f"tabu: {phases + 1} phases"
        phases += 1
        own = min(own, reached)
        if best.cost < own:
            # Another search has found better places: go on from there.
            home, home_cost, own, shake = best.place, best.cost, best.cost, SHAKE[0]
        elif reached < home_cost:
            home, home_cost, shake = run.best.copy(), reached, SHAKE[0]
        else:
            shake *= LONGER
        if shake <= SHAKE[1]:
            run.begin(_shaken(home, normal.movable, shake, draw))
            continue
        elites.keep(home, home_cost)
        place = elites.child(normal.movable, draw) if len(elites) >= FEWEST_ELITES else run.best
        run.begin(place if len(elites) >= FEWEST_ELITES else _shaken(place, normal.movable, SHAKE[1], draw))
        # What the child leads to is the next home, however good it is.
        home, home_cost, shake = place, np.iinfo(np.int64).max, SHAKE[0]


def _shaken(home: np.ndarray, movable: np.ndarray, share: float, draw: np.random.Generator) -> np.ndarray:
    """Return places with a random cycle of a share of the movable items, at least 3."""
    place = home.copy()
    some = draw.permutation(movable)[: max(3, round(share * len(movable)))]
    place[some] = place[np.roll(some, 1)]
    return place


class Elites:
    """The best homes so far, all different, and children of two of them."""

    def __init__(self) -> None:
        self._places: list[tuple[int, np.ndarray]] = []

    def __len__(self) -> int:
        return len(self._places)

    def keep(self, place: np.ndarray, cost: int) -> None:
        """Take in places, unless they are known or worse than all; the worst of too many goes."""
        if not any(np.array_equal(place, other) for _, other in self._places):
            self._places.append((cost, place.copy()))
            self._places.sort(key=lambda elite: elite[0])
            del self._places[MOST_ELITES:]

    def child(self, movable: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Return places that agree with two elites where these agree, and with one of them elsewhere as far as that goes."""
        one, other = (self._places[k][1] for k in draw.choice(len(self._places), 2, replace=False))
        child, taken = one.copy(), np.zeros(len(one), bool)
        # Items that may not move are where they are in both.
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
    """The arrays that the kernel works on."""

    def __init__(self, normal: Normal, best: Best, draw: np.random.Generator):
        self.normal = normal
        self.state = draw.integers(0, 2**64, 1, dtype=np.uint64)
        n = normal.size
        self.kind = normal.kind
        self.matrices = tuple(matrix.astype(self.kind) for matrix in normal.matrices)
        self.pair = normal.pair_flow.astype(self.kind), normal.pair_distance.astype(self.kind)
        least, most = TENURE_LARGE if n >= LARGE else TENURE
        self.low, self.high = max(1, int(least * n)), max(2, int(most * n))
        self.work = np.empty((6, n), self.kind)
        self.chunk = max(1, CHUNK_WORK // n**2)
        self.begin(best.place)

    def begin(self, place: np.ndarray) -> None:
        """Start over from `place`, with nothing forbidden."""
        normal = self.normal
        self.place, self.best, self.turn = place.copy(), place.copy(), 1
        field = normal.field(self.place)
        self.field, self.delta = field.astype(self.kind), normal.deltas(self.place, field).astype(self.kind)
        self.values = np.full(2, normal.cost(self.place), np.int64)
        self.banned = np.zeros_like(self.field)

    def iterate(self, count: int) -> int:
        """Do `count` iterations."""
        normal = self.normal
        done = kernel.tabu(
            self.turn, count, self.low, self.high, int(PATIENCE * normal.size**2), np.iinfo(np.int64).min,
            *self.matrices, normal.symmetric, *self.pair, normal.movable,
            self.place, self.field, self.delta, self.banned, self.work, self.best, self.values, self.state,
        )  # fmt: skip
        self.turn += done
        return done
