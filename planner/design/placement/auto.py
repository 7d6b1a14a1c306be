"""Automatic choice of the algorithm by size and structure of the network."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
from annotated_types import Gt
from scipy.sparse import csr_array

from planner.core import registry
from planner.core.progress import Progress, silent
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Moves
from planner.domain.model import Placement, Topology
from planner.network.metrics.spectrum import smooth_modes

PROVABLE = ((12, 0), (9, 3), (8, 8), (6, 12))
"""Numbers of cabinets and spare slots up to which a proof usually takes seconds."""

LARGE = 6_000
"""Number of routers above which annealing alone takes too long to find the coarse order."""

STRETCHED, FEW = 0.1, 200
"""Networks with a second eigenvalue of the Laplacian per degree below this have a geometric structure, like a torus, which
bisection finds; with fewer than `FEW` routers annealing finds it too."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Moves | None = None,
    seconds: Annotated[float, Gt(0)] | None = None,
) -> Placement:
    """Place small problems with ``exact``, large or stretched networks with ``multilevel``, all others with ``anneal``.

    Parameters
    ----------
    moves, seconds
        As for `anneal`.

    Notes
    -----
    From a high temperature annealing finds the coarse order of an expander with up to a few thousand routers, with a lower
    cost than after bisection; for larger networks bisection is better at equal time, for tori and the like already sooner.
    """
    cabinets = problem.packing.cabinet_count
    spare = len(problem.slots) - cabinets
    if problem.cabinets_stay and any(cabinets <= limit and spare <= idle for limit, idle in PROVABLE):
        name, reason, effort = "exact", f"{cabinets} cabinets are small enough for a proof", {}
    else:
        name, reason = by_size_and_shape(problem.topology)
        effort = {"moves": moves, "seconds": seconds}
    placed = registry.function("placement", name)(problem, seed=seed, progress=progress, **effort)
    return replace(placed, method=f"{placed.method} (chosen: {reason})")


def by_size_and_shape(topology: Topology) -> tuple[str, str]:
    """Return the algorithm and the reason."""
    routers = topology.router_count
    if routers >= LARGE:
        return "multilevel", f"{routers:,} routers, at least {LARGE:,}"
    if routers < FEW:
        return "anneal", f"{routers:,} routers, below {FEW}"
    links = csr_array((np.ones(len(topology.indices)), topology.indices, topology.indptr), shape=(routers, routers))
    spread = float(smooth_modes(links, 1)[0][0]) / max(1.0, float(topology.degree.mean()))
    if spread < STRETCHED:
        return "multilevel", f"a stretched network: second eigenvalue {spread:.3f} of the degree, below {STRETCHED}"
    return "anneal", f"an expander: second eigenvalue {spread:.2f} of the degree, and below {LARGE:,} routers"
