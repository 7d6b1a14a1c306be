"""Exact branch and bound: dual ascent at every node with inherited costs, symmetric branches pruned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress
from planner.design.qap import tabu
from planner.design.qap.dual import LARGEST, Reduced, Scratch, assignment, root, unscaled
from planner.design.qap.search import Best, Budget
from planner.design.qap.symmetry import Symmetry

if TYPE_CHECKING:
    from planner.design.qap import Qap

WARM_UP = 20_000
"""Initial tabu search, in exchanges per pair of items."""
ROOT_ROUNDS, NODE_ROUNDS = 400, 100
ROOT_STALL, NODE_STALL = 400.0, 30.0
"""A node is branched when a round closes less than this reciprocal of the gap."""
NODE_WORK = 200_000_000
"""Elementary steps at a node, where a round takes n**5: keeps Ctrl-C and wall time prompt."""


def search(qap: Qap, best: Best, budget: Budget, draw: np.random.Generator, progress: Progress) -> Iterator[str]:
    """Yield after every node; `best.bound` is the proven lower bound.

    With `moves` the budget is counted in nodes; the initial tabu search is not counted.

    Raises
    ------
    InputError
        When the problem has more than 40 items.

    References
    ----------
    .. [1] P. Hahn, T. Grant, N. Hall, "A branch-and-bound algorithm for the quadratic assignment
       problem based on the Hungarian method", European J. Operational Research 108, 1998.
    """
    if qap.size > LARGEST:
        raise InputError(Problem("algorithm", f"exact takes at most {LARGEST} items, not {qap.size}", "use auto"))
    seconds = None if budget.seconds is None else budget.seconds / 10
    warm = Budget(seconds, WARM_UP * max(1, qap.normal.pairs), qap.normal.pairs)
    for _ in tabu.search(qap, best, warm, draw, progress):
        if warm.over():
            break
    tree = Tree(qap, best)
    for _ in tree.search():
        best.bound = tree.bound
        budget.used = tree.visited
        yield f"exact: {tree.visited} nodes"
    best.bound = best.cost


class Tree:
    """Depth-first search over partial assignments.

    Attributes
    ----------
    open
        Stack of (bound in costs of the normal form, parent, row, column); a row of -1 is the parent itself.
    visited
        Number of bounded nodes.
    """

    def __init__(self, qap: Qap, best: Best):
        self.normal, self.best = qap.normal, best
        self.scratch = Scratch(qap.size)
        self.symmetry = Symmetry(qap.normal)
        self.real = np.logical_or(self.normal.flow.any(1), self.normal.flow.any(0))
        self.visited = 0
        self.top, self.scale = root(self.normal, qap.fixed)
        self.fixed = qap.fixed
        self.open: list[tuple[int, Reduced, int, int]] = [(unscaled(self.top.bound, self.scale), self.top, -1, -1)]

    @property
    def bound(self) -> int:
        """Lower bound: the minimum of the open nodes and the best cost."""
        return min([self.best.cost] + [bound for bound, *_ in self.open])

    def search(self) -> Iterator[None]:
        """Visit nodes until none is open; yield after each, and between the rounds at the root."""
        for _ in range(0, ROOT_ROUNDS, 4):
            before = self.top.bound
            self.top.ascend(self._target(), 4, ROOT_STALL, self.scratch)
            self.open[0] = (unscaled(self.top.bound, self.scale), self.top, -1, -1)
            yield
            if self.top.bound >= self._target() or (self.top.bound - before) * ROOT_STALL < self._target() - before:
                break
        while self.open:
            bound, parent, i, j = self.open[-1]
            children = []
            if bound < self.best.cost:
                children = self._expand(parent if i < 0 else parent.child(i, j))
            # Replaced at once: an interruption before leaves a valid bound.
            self.open[-1:] = children
            yield

    def _target(self) -> int:
        """Return the scaled bound at which a node is pruned."""
        return (self.best.cost - 1) * self.scale + 1

    def _expand(self, node: Reduced) -> list[tuple[int, Reduced, int, int]]:
        """Bound a node and return its children, lowest bound last."""
        self.visited += 1
        rounds = min(NODE_ROUNDS, max(2, NODE_WORK // len(node.items) ** 5)) if len(node.items) else 1
        node.ascend(self._target(), rounds, NODE_STALL, self.scratch)
        if node.bound >= self._target():
            return []
        if not self.real[node.items].any() or len(node.items) <= 1:
            # Only linear cost remains.
            self._finish(node)
            return []
        choices = self._best_line(node)
        children = [(unscaled(node.bound + int(node.leader[i, j]), self.scale), node, i, j) for i, j in choices]
        return sorted(children, key=_worst_first)

    def _best_line(self, node: Reduced) -> list[tuple[int, int]]:
        """Return the elements of the row or column to branch on: minimum remaining, then largest sum of leaders."""
        remaining = node.leader < self._target() - node.bound
        rows = np.flatnonzero(self.real[node.items])
        columns = np.arange(len(node.locations)) if self.real[node.items].all() else np.zeros(0, np.int64)
        like = self.symmetry.locations(node.locations)
        lines = [[(i, j) for j in np.flatnonzero(remaining[i]) if like[j] == j] for i in rows]
        sums = [node.leader[i].sum() for i in rows]
        like = self.symmetry.items(node.items)
        lines += [[(i, j) for i in np.flatnonzero(remaining[:, j]) if like[i] == i] for j in columns]
        sums += [node.leader[:, j].sum() for j in columns]
        chosen = min(range(len(lines)), key=lambda k: (len(lines[k]), -sums[k]))
        return [(int(i), int(j)) for i, j in lines[chosen]]

    def _finish(self, node: Reduced) -> None:
        """Complete a node in which only a linear assignment remains."""
        place = np.empty(self.normal.size, np.uint32)
        for item, location in node.placed:
            place[item] = location
        chosen = assignment(self.normal.linear[np.ix_(node.items, node.locations)], self.scratch)
        place[node.items] = node.locations[chosen]
        self.best.offer(place, self.normal.cost(place))


def _worst_first(child: tuple) -> tuple:
    return -child[0], child[2], child[3]
