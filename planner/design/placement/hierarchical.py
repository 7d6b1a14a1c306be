"""Groups at the places of groups as a quadratic assignment problem, for networks too large for a table of all slots."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from scipy.sparse import coo_array

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.search.cooling import Moves
from planner.design.qap import LARGEST, Qap, solve
from planner.domain.model import Placement

PAIRS = 1 << 20
"""Pairs of slots whose costs are computed at once."""

MOVES = 40
"""Default moves per pair of groups."""

ANNEALED = 500
"""Maximum number of groups that are annealed; more are exchanged as long as that lowers the cost."""


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    level: Annotated[int, Ge(1)] = 1,
    points: Annotated[int, Ge(1), Le(16)] = 3,
    moves: Moves | None = None,
) -> Placement:
    """Exchange whole groups, such as supernodes, between the places that groups have in order.

    Routers keep their rank in the group and with it the arrangement inside the group. Groups that differ from the usual ones in
    size or endpoints stay, and so do those with fixed routers. The costs between two places are the mean over a few slots of
    each, so that memory depends on the number of groups and not on that of slots.

    Parameters
    ----------
    level
        Level of the groups, from 1 for the finest one.
    points
        Number of slots that represent a place.
    moves
        Number of moves; by default 40 for each pair of groups.

    Raises
    ------
    InputError
        When there are too many groups.

    References
    ----------
    .. [1] T. Koopmans, M. Beckmann, "Assignment problems and the location of economic activities", Econometrica 25, 1957.
    """
    label = problem.topology.group[:, level - 1] if level <= problem.topology.group.shape[1] else np.zeros(0, np.int64)
    groups = Groups.of(problem, label)
    count, movable = len(groups.members), groups.movable
    if count > LARGEST:
        what = f"hierarchical: {count:,} groups, more than {LARGEST:,}"
        raise InputError(Problem("placement.algorithm", what, 'choose a higher level or "multilevel"'))
    if movable.sum() < 2 or (problem.groups_stay and problem.packing.cabinet_count < count):
        return problem.placement(problem.start, "hierarchical: cabinets in order, no groups to exchange", 0)
    fixed = np.where(movable, -1, np.arange(count))
    coarse = Qap(groups.flow(problem), groups.distance(problem, points), fixed=fixed)
    search = "anneal" if count <= ANNEALED else "descent"
    budget = MOVES * count * (count - 1) // 2 if moves is None else moves
    found = solve(coarse, seed=seed, algorithm=search, moves=max(1, budget), start=np.arange(count), progress=_of(progress))
    layout = min(problem.start, groups.layout(problem, found.permutation), key=problem.objective)
    method = f"hierarchical: {int(movable.sum()):,} groups exchanged, {found.evaluations:,} moves"
    return problem.placement(layout, method, found.evaluations, complete=found.complete)


@dataclass(frozen=True, eq=False)
class Groups:
    """Routers of each group by rank, and which groups are alike and may be exchanged, bool (G,)."""

    members: list[np.ndarray]
    movable: np.ndarray

    @classmethod
    def of(cls, problem: PlacementProblem, label: np.ndarray) -> Groups:
        order = np.argsort(label, kind="stable")
        members = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
        # Demand, limits and swaps of a cabinet depend on these alone.
        endpoints, free = problem.topology.endpoints_of, ~problem.fixed
        kinds = [endpoints[own].tobytes() if free[own].all() and problem.missing is None else b"" for own in members]
        usual, _ = Counter(kind for kind in kinds if kind).most_common(1)[0] if any(kinds) else (b"", 0)
        return cls(members, np.array([bool(kind) and kind == usual for kind in kinds]))

    def flow(self, problem: PlacementProblem) -> np.ndarray:
        """Return the number of links between groups, int64 (G, G), 0 inside a group."""
        count = len(self.members)
        label = np.empty(problem.topology.router_count, np.int64)
        for number, own in enumerate(self.members):
            label[own] = number
        a, b = label[problem.topology.links.T]
        between = a != b
        flow = coo_array((np.ones(int(between.sum()), np.int64), (a[between], b[between])), shape=(count, count)).toarray()
        return flow + flow.T

    def distance(self, problem: PlacementProblem, points: int) -> np.ndarray:
        """Return the mean cost between the places of groups, int64 (G, G)."""
        middle = 2 * np.arange(points) + 1
        slot = np.array([problem.start[own[middle * len(own) // (2 * points)]] for own in self.members])
        count, spots = slot.shape
        total = np.zeros((count, count), np.int64)
        for first in range(0, count, rows := max(1, PAIRS // (count * spots * spots))):
            here = slot[first : first + rows]
            shape = (len(here), count, spots, spots)
            a = np.broadcast_to(here[:, None, :, None], shape).ravel()
            b = np.broadcast_to(slot[None, :, None, :], shape).ravel()
            total[first : first + rows] = problem.cost.between(a, b).reshape(shape).sum(axis=(2, 3))
        return total // spots**2

    def layout(self, problem: PlacementProblem, place: np.ndarray) -> np.ndarray:
        """Return the slot of each router when group g takes the place that group ``place[g]`` has in order, int64 (R,)."""
        layout = problem.start.copy()
        for own, where in zip(self.members, place.tolist(), strict=True):
            layout[own] = problem.start[self.members[where]]
        return layout


def _of(progress: Progress) -> Progress:
    """Return a progress callback for the search that reports as placement."""
    return lambda stage, done, total, **facts: progress("placement", done, total, **facts)
