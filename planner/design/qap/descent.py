"""Descent by exchanges of two items (2-opt) from random starts: a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.core.progress import Progress
from planner.design.qap.normal import Normal
from planner.design.qap.search import Best, Budget, random_place
from planner.kernels.qap import exchanges as kernel

if TYPE_CHECKING:
    from planner.design.qap import Qap


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every descent; the first one starts from `best`."""
    normal = qap.normal
    place, starts = best.place.copy(), 0
    while True:
        place, cost, tried = descend(normal, place)
        best.offer(place, cost)
        budget.used += max(tried, 1)
        starts += 1
        yield f"descent: {starts} starts"
        place = random_place(normal, qap.fixed, draw)


def descend(normal: Normal, place: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Return a local optimum of exchanges, its cost, and the number of exchanges tried."""
    place = place.copy()
    work = np.empty((4, normal.size), np.int64)
    _, tried = kernel.descend(
        *normal.matrices,
        normal.symmetric,
        normal.pair_flow,
        normal.pair_distance,
        normal.movable,
        place,
        normal.field(place),
        work,
    )
    return place, normal.cost(place), int(tried)
