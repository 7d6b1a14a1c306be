"""Cabinets in random slots: a baseline for the other algorithms."""

from __future__ import annotations

from planner import seeds
from planner.model import Placement
from planner.placement.model.problem import PlacementProblem
from planner.progress import Progress, silent

INFINITE_TEMPERATURE = 1e15
MOVES_PER_SLOT = 50


def place(problem: PlacementProblem, *, seed: int, progress: Progress = silent) -> Placement:
    """Exchange cabinets at random, 50 times per slot; limits and fixed routers are kept."""
    from planner.placement.search.state import Search

    search = Search(problem, seeds.state(seed, "placement.random"), whole=True)
    if search.movable:
        search.step(MOVES_PER_SLOT * len(problem.slots), INFINITE_TEMPERATURE, 0)
    return problem.placement(search.layout, "random: cabinets in random slots", 0)
