"""Cabinets in random slots: a baseline for the other algorithms."""

from __future__ import annotations

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Placement

INFINITE_TEMPERATURE = 1e15
MOVES_PER_SLOT = 50


def place(problem: PlacementProblem, *, seed: int, progress: Progress = silent) -> Placement:
    """Exchange cabinets at random, 50 times per slot; limits and fixed routers are kept."""
    from planner.design.placement.search.state import Search

    search = Search(problem, seeds.state(seed, "placement.random"), whole=True)
    if search.movable:
        search.step(MOVES_PER_SLOT * len(problem.slots), INFINITE_TEMPERATURE, 0)
    return problem.placement(search.layout, "random: cabinets in random slots", 0)
