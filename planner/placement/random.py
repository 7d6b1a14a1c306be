"""Cabinets into random slots: the yardstick that every optimiser must beat."""

from __future__ import annotations

from planner import seeds
from planner.model import Placement
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def place(problem: PlacementProblem, *, seed: int, progress: Progress = silent) -> Placement:
    """Draw a slot for each cabinet, without repetition."""
    draw = seeds.stream(seed, "placement.random")
    slots = draw.permutation(problem.slots)[: problem.packing.cabinet_count]
    return problem.placement(problem.packing.cabinet_of, slots, "random: cabinets in random slots", 0)
