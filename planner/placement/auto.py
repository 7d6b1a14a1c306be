"""The algorithm that suits the size and the structure of the network."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from annotated_types import Ge, Gt

from planner import registry
from planner.model import Placement
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent

PROVABLE = ((12, 0), (9, 3), (8, 8), (6, 12))
"""Cabinets, and slots more than cabinets, up to which a proof mostly takes seconds."""

LARGE = 6_000
"""From so many routers on, annealing alone takes too long to find the coarse order."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Annotated[int, Ge(0)] | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Place with ``exact`` what is small, with ``multilevel`` what is large, and with ``anneal`` everything between.

    Parameters
    ----------
    moves, seconds
        As for `anneal`.

    Notes
    -----
    Measured (``python -m benchmarks placement``): from a high temperature annealing finds the coarse order of up to some
    thousand routers by itself; beyond, partition first is better at equal time, for expanders as well as for tori.
    """
    cabinets = problem.packing.cabinet_count
    spare = len(problem.slots) - cabinets
    if problem.cabinets_stay and any(cabinets <= most and spare <= idle for most, idle in PROVABLE):
        name, reason, effort = "exact", f"{cabinets} cabinets can be proven", {}
    else:
        name = "multilevel" if problem.topology.router_count >= LARGE else "anneal"
        reason = f"{problem.topology.router_count:,} routers, {'at least' if name == 'multilevel' else 'below'} {LARGE:,}"
        effort = {"moves": moves, "seconds": seconds}
    placed = registry.function("placement", name)(problem, seed=seed, progress=progress, **effort)
    return replace(placed, method=f"{placed.method} (chosen: {reason})")
