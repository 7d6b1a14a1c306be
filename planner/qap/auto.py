"""Taboo search, annealing and a little descent by turns; the one that found the best permutation gets more of the work.

Taboo search goes on from what the others have found; annealing starts hot and needs no help.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.progress import Progress
from planner.qap import anneal, descent, tabu
from planner.qap._search import Best, Budget

WEIGHT = {"tabu": 1, "anneal": 12, "descent": 40}
"""Work of a move. A move of annealing takes a dozen times longer than to look at one exchange in taboo
search; descent counts for more than it takes, so that it gets a small share, for the few problems
where many starts are what helps."""
SMALLEST_FOR_ANNEAL = 8
"""Taboo search needs no help below so many items."""
LEAD = 8
"""The one that is ahead gets so many times more work."""


def search(qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every chunk."""
    movers = {"tabu": tabu, "anneal": anneal, "descent": descent}
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
        work[name] += (budget.used - used) * WEIGHT[name]
        if best.offer(own[name].place, own[name].cost):
            ahead = name
            if name != "tabu":
                own["tabu"].offer(best.place, best.cost)
        yield f"auto: {'; '.join(text for text in said.values() if text)}"
