"""Taboo search and annealing by turns; the one that found the best permutation gets more of the work.

Taboo search goes on from what annealing has found; annealing starts hot and needs no help.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.progress import Progress
from planner.qap import anneal, tabu
from planner.qap._search import Best, Budget

ANNEAL_MOVE = 12
"""A move of annealing takes so many times longer than to look at one exchange in taboo search."""
SMALLEST_FOR_ANNEAL = 8
"""Taboo search needs no help below so many items."""
LEAD = 3
"""The better of the two gets so many times more work."""


def search(qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every chunk."""
    movers = {"tabu": tabu, "anneal": anneal}
    if len(qap.normal.movable) < SMALLEST_FOR_ANNEAL:
        del movers["anneal"]
    draws = draw.spawn(len(movers))
    own = {name: Best(best.place, best.cost) for name in movers}
    runs = {
        name: mover.search(qap, own[name], budget, stream, progress)
        for (name, mover), stream in zip(movers.items(), draws, strict=True)
    }
    work = dict.fromkeys(movers, 0.0)
    said, ahead = dict.fromkeys(movers, ""), next(iter(movers))
    while runs:
        name = min(runs, key=lambda each: work[each] / (LEAD if each == ahead else 1))
        used = budget.used
        try:
            said[name] = next(runs[name])
        except StopIteration:
            del runs[name]
            continue
        work[name] += (budget.used - used) * (ANNEAL_MOVE if name == "anneal" else 1)
        if best.offer(own[name].place, own[name].cost):
            ahead = name
            if name == "anneal":
                own["tabu"].offer(best.place, best.cost)
        yield f"auto: {'; '.join(text for text in said.values() if text)}"
