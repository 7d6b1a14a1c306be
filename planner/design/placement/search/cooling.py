"""Cooling schedules of annealing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge, Le

from planner.core.progress import Progress, silent

if TYPE_CHECKING:
    from planner.design.placement.search.state import Search

LEVELS = 256
"""Number of temperatures of a run limited by moves."""

QUENCH = 0.95
"""Share of a run after which no deterioration is accepted."""

SWAPS = 63
"""Number of router swaps per 64 moves, if routers may change cabinets; the others move cabinets, also to empty slots."""

BLOCK_SHARE = 0.02
"""Exchanges of whole rows or groups per move of a cabinet."""


Moves = Annotated[int, Ge(0), Le(2_000_000_000)]
"""Moves of a search; the limit is hours of work."""


@dataclass(frozen=True)
class Budget:
    """Budget of a search: a number of moves, or seconds of wall time."""

    moves: int
    seconds: float | None = None

    def scaled(self, share: float) -> Budget:
        """Return a share of this budget."""
        return Budget(int(self.moves * share), None if self.seconds is None else self.seconds * share)

    def levels(self) -> Iterator[tuple[int, float]]:
        """Yield numbers of moves and the share of the budget used before them."""
        if self.seconds is None:
            for level in range(LEVELS):
                yield self.moves * (level + 1) // LEVELS - self.moves * level // LEVELS, level / LEVELS
            return
        started, tried, chunk = time.perf_counter(), 0, 2_000
        while (used := time.perf_counter() - started) < self.seconds:
            yield chunk, used / self.seconds
            tried += chunk
            rate = tried / (time.perf_counter() - started)
            chunk = int(np.clip(rate * self.seconds / LEVELS, 500, 1_000_000))


def mean_change(search: Search) -> float:
    """Return the mean absolute cost change of a random move; 0 if nothing can move."""
    changes = search.sample(4000, 0 if search.whole else SWAPS) if search.movable else np.empty(0)
    return float(np.abs(changes).mean()) if len(changes) else 0.0


def cool(
    search: Search, budget: Budget, hot: float, cold: float, progress: Progress = silent, scale: float | None = None
) -> bool:
    """Anneal from `hot` to `cold`, in units of `scale`, by default the mean cost change; return False if interrupted."""
    swaps = 0 if search.whole else SWAPS
    blocks = list(_blocks(search)) if search.whole else []
    try:
        scale = scale or mean_change(search)
        if not (search.movable and scale > 0):
            return True
        if budget.seconds is not None:
            # Before its time begins.
            search.compile(blocks=bool(blocks))
        for moves, used in budget.levels():
            temperature = hot * scale * (cold / hot) ** (used / QUENCH) if used < QUENCH else 0.0
            search.step(moves, temperature, swaps)
            for listed, of_items in blocks if not search.by_field else ():
                search.step_blocks(int(moves * BLOCK_SHARE / listed.shape[1]) + 1, temperature, listed, of_items)
            progress("placement", int(used * 1000), 1000, objective=search.best_objective)
    except KeyboardInterrupt:
        return False
    return True


def _blocks(search: Search) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield rows of slots of equal length, and groups of equally many cabinets."""
    problem = search.problem
    row = problem.room.slot_row[problem.slots]
    yield from ((block.astype(np.uint32), False) for block in _alike(problem.slots, row))
    cabinet = search.cabinet
    for level in range(problem.topology.group.shape[1]):
        group = problem.topology.group[:, level]
        pure = np.bincount(cabinet, group) == np.bincount(cabinet) * group[np.unique(cabinet, return_index=True)[1]]
        if pure.all():
            of = group[np.unique(cabinet, return_index=True)[1]]
            yield from ((block.astype(np.uint32), True) for block in _alike(np.arange(len(of)), of))


def _alike(items: np.ndarray, label: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for every size the sets of items with equal label that have this size, (B, K), B and K at least 2."""
    order = np.argsort(label, kind="stable")
    _, start, size = np.unique(label[order], return_index=True, return_counts=True)
    for length in np.unique(size[size > 1]):
        first = start[size == length]
        if len(first) > 1:
            yield items[order][first[:, None] + np.arange(length)]
