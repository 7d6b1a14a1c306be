"""Groups at the places of groups as a quadratic assignment problem, for networks too large for a table of all slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from scipy.sparse import coo_array

from planner.errors import InputError, Problem
from planner.model import Placement
from planner.placement._cooling import Moves
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent
from planner.qap import LARGEST, Qap, solve

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

    Routers keep their rank in the group and with it the arrangement inside the group. The costs between two places are the
    mean over a few slots of each, so memory depends on the number of groups and not on that of slots.

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
        When the groups differ in size, or there are too many or too few of them.

    References
    ----------
    .. [1] T. Koopmans, M. Beckmann, "Assignment problems and the location of economic activities", Econometrica 25, 1957.
    """
    groups = _Groups.of(problem, level)
    coarse = Qap(groups.flow(problem), groups.distance(problem, points))
    count = len(groups.members)
    budget = MOVES * count * (count - 1) // 2 if moves is None else moves
    search = "anneal" if count <= ANNEALED else "descent"
    found = solve(coarse, seed=seed, algorithm=search, moves=max(1, budget), start=np.arange(count), progress=_of(progress))
    layout = min(problem.start, groups.layout(problem, found.permutation), key=problem.objective)
    method = f"hierarchical: {count:,} groups of {groups.members.shape[1]} routers, {found.evaluations:,} moves"
    return problem.placement(layout, method, found.evaluations, complete=found.complete)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Routers of each group by rank, int64 (G, M), all groups of one size."""

    members: np.ndarray

    @classmethod
    def of(cls, problem: PlacementProblem, level: int) -> _Groups:
        names, group = problem.topology.group_names, problem.topology.group
        if level > group.shape[1]:
            raise InputError(
                Problem("placement.level", f"{level} is above the {group.shape[1]} levels of groups", "choose another algorithm")
            )
        label, name = group[:, level - 1], names[level - 1]
        count = np.bincount(label)
        if len(np.unique(count)) > 1 or problem.fixed.any() or problem.missing is not None:
            what = "some routers are fixed" if problem.fixed.any() else f"the {name}s differ in size"
            what = "a layout is given" if problem.missing is not None else what
            raise InputError(Problem("placement.algorithm", f"hierarchical: {what}", 'choose "multilevel"'))
        if not 2 <= len(count) <= LARGEST:
            what = f"hierarchical: {len(count):,} {name}s, not 2 to {LARGEST:,}"
            raise InputError(Problem("placement.algorithm", what, 'choose another level or "multilevel"'))
        members = np.argsort(label, kind="stable").reshape(len(count), -1)
        alike = problem.topology.endpoints_of[members]
        if (alike != alike[:1]).any():
            what = f"hierarchical: routers of the same rank in their {name} have different numbers of endpoints"
            raise InputError(Problem("placement.algorithm", what, 'choose "multilevel"'))
        return cls(members)

    def flow(self, problem: PlacementProblem) -> np.ndarray:
        """Return the number of links between groups, int64 (G, G), 0 inside a group."""
        count = len(self.members)
        label = np.empty(self.members.size, np.int64)
        label[self.members.ravel()] = np.repeat(np.arange(count), self.members.shape[1])
        a, b = label[problem.topology.links.T]
        between = a != b
        flow = coo_array((np.ones(int(between.sum()), np.int64), (a[between], b[between])), shape=(count, count)).toarray()
        return flow + flow.T

    def distance(self, problem: PlacementProblem, points: int) -> np.ndarray:
        """Return the mean cost between the places of groups, int64 (G, G)."""
        size = self.members.shape[1]
        ranks = np.unique((2 * np.arange(points) + 1) * size // (2 * points))
        slot = problem.start[self.members[:, ranks]]
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
        layout = np.empty(self.members.size, np.int64)
        layout[self.members.ravel()] = problem.start[self.members[place].ravel()]
        return layout


def _of(progress: Progress) -> Progress:
    """Return a progress callback for the search that reports as placement."""
    return lambda stage, done, total, **facts: progress("placement", done, total, **facts)
