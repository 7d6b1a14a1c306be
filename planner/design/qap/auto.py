"""Portfolio of tabu search, annealing and some descent; the current leader gets more of the work.

Tabu search continues from the results of the others; annealing starts independently.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.core.progress import Progress
from planner.design.qap import anneal, descent, tabu
from planner.design.qap.search import Best, Budget

if TYPE_CHECKING:
    from planner.design.qap import Qap

WEIGHT = {"tabu": 1, "anneal": 12, "descent": 40}
"""Relative work of a move. A move of annealing takes 12 times as long as evaluating one exchange in tabu
search; descent is weighted higher than its time, so that it gets a small share, for the few problems
where many starts help."""
SMALLEST_FOR_ANNEAL = 8
"""Minimum items for annealing; below, tabu search suffices."""
LEAD = 8
"""Factor of the work of the leader."""


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
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
    status, leader = dict.fromkeys(movers, ""), next(iter(movers))
    while runs:
        name = min(runs, key=lambda each: work[each] / (LEAD if each == leader else 1))
        used = budget.used
        try:
            status[name] = next(runs[name])
        except StopIteration:
            del runs[name]
            continue
        work[name] += (budget.used - used) * WEIGHT[name]
        if best.offer(own[name].place, own[name].cost):
            leader = name
            if name != "tabu":
                own["tabu"].offer(best.place, best.cost)
        yield f"auto: {'; '.join(text for text in status.values() if text)}"
