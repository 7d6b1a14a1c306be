"""Bridge tree of the trays: components without bridges, connected by bridges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from planner.domain.model import Room

WORK = 2_000_000_000
_FAR = np.iinfo(np.int64).max // 4


@dataclass(frozen=True, eq=False)
class Tree:
    """Components of the tray graph, numbered in depth-first order.

    Attributes
    ----------
    above
        Parent of each component, int64 (P,); 0 for the first.
    bridge_mm
        Length of the bridge to the parent, int64 (P,); 0 for the first.
    part
        Component of each of the given slots, int64 (E,).
    """

    above: np.ndarray
    bridge_mm: np.ndarray
    part: np.ndarray

    @property
    def splits(self) -> bool:
        """Whether a bridge separates any two of the slots."""
        return len(np.unique(self.part)) > 1

    def depth_mm(self) -> np.ndarray:
        """Return the length of the bridges between the first component and each component, int64 (P,)."""
        depth = [0]
        for above, length in zip(self.above[1:].tolist(), self.bridge_mm[1:].tolist(), strict=True):
            depth.append(depth[above] + length)
        return np.array(depth, np.int64)


def tree_of(room: Room, slots: np.ndarray) -> Tree:
    """Return the bridge tree of the trays that reach some slots.

    Of parallel segments the shortest counts, as for cables.

    References
    ----------
    .. [1] R. Tarjan, "A note on finding the bridges of a graph", Information Processing Letters 2, 1974.
    """
    node = room.slot_node[slots, 0]
    number, parent, length, low = _search(_graph(room), int(node[0]))
    top = np.arange(len(parent))
    for mine in np.flatnonzero(low != top).tolist():
        top[mine] = top[parent[mine]]
    tops, part = np.unique(top, return_inverse=True)
    return Tree(above=part[parent[tops]], bridge_mm=length[tops], part=part[number[node]])


def _graph(room: Room) -> csr_array:
    """Return the lengths of the segments in mm, both directions, int64 (T, T)."""
    a, b = np.sort(room.segments.astype(np.int64), axis=1).T
    length = room.segment_mm.astype(np.int64)
    order = np.lexsort([length, b, a])
    order = order[a[order] != b[order]]
    _, first = np.unique(a[order] * len(room.node_xyz) + b[order], return_index=True)
    a, b, length = (values[order[first]] for values in (a, b, length))
    ends = np.concatenate([a, b]), np.concatenate([b, a])
    return coo_array((np.tile(length, 2), ends), shape=(len(room.node_xyz),) * 2).tocsr()


def _search(graph: csr_array, root: int) -> tuple[np.ndarray, ...]:
    """Search the graph depth first.

    Returns
    -------
    number
        Depth-first number of each node, int64 (T,); -1 for nodes that the root does not reach.
    parent, length, low
        By that number: the parent node, the length of the segment to it, and the lowest number that the node and its
        descendants reach other than through `parent`; its own if the segment to `parent` is a bridge. int64.
    """
    indptr, indices, lengths = graph.indptr.tolist(), graph.indices.tolist(), graph.data.tolist()
    number = [-1] * graph.shape[0]
    number[root] = 0
    parent, length, low = [0], [0], [0]
    following, stack = list(indptr), [root]
    while stack:
        node = stack[-1]
        mine, edge = number[node], following[node]
        if edge == indptr[node + 1]:
            stack.pop()
            low[parent[mine]] = min(low[parent[mine]], low[mine])
            continue
        following[node] += 1
        other = number[indices[edge]]
        if other < 0:
            number[indices[edge]] = len(parent)
            low.append(len(parent))
            parent.append(mine)
            length.append(lengths[edge])
            stack.append(indices[edge])
        elif other != parent[mine]:
            low[mine] = min(low[mine], other)
    return tuple(np.array(values, np.int64) for values in (number, parent, length, low))


class _Branch(NamedTuple):
    """Minimum cost of the bridges inside a branch by its number of items: `first`, `first` + 1, …"""

    places: int
    first: int
    cost: np.ndarray
    bridge_mm: int = 0


def min_bridge_cost(tree: Tree, capacity: int, cut: np.ndarray) -> int:
    """Return the minimum sum over all bridges of length x crossing links, over all distributions of the items.

    Parameters
    ----------
    tree
        Bridge tree with the usable slots.
    capacity
        Maximum number of items per slot.
    cut
        Lower bound of the links that leave s of n items, int64 (n + 1,).

    Notes
    -----
    Dynamic programming from the leaves: the minimum cost by number of items in the branch. Two branches are
    joined by trying every distribution of the items, at most half the square of all places in total. If that takes too
    long, the numbers of the smaller branch are grouped, with the minimum of the other branch for each group; this only
    weakens the bound.

    References
    ----------
    .. [1] R. Bellman, "Dynamic programming", Princeton 1957.
    """
    places = np.bincount(tree.part, minlength=len(tree.above)) * capacity
    total, n = int(places.sum()), len(cut) - 1
    step = _step(tree, places, n)
    waiting: list[list[_Branch]] = [[] for _ in places]
    for part in range(len(places) - 1, -1, -1):
        branches, here, bridge = waiting[part], int(places[part]), int(tree.bridge_mm[part])
        waiting[part] = []
        if part and not here and len(branches) < 2:
            # No items here: one long bridge, or a dead end.
            waiting[tree.above[part]] += [branch._replace(bridge_mm=branch.bridge_mm + bridge) for branch in branches]
            continue
        whole = _Branch(0, 0, np.zeros(1, np.int64))
        for branch in branches:
            crossed = branch.cost + branch.bridge_mm * cut[branch.first : branch.first + len(branch.cost)]
            small, large = sorted([whole, branch._replace(cost=crossed)], key=lambda each: len(each.cost))
            wide = len(small.cost) * len(large.cost) > WORK // len(places)
            joined = join(small.cost, large.cost, step if wide else 1)
            whole = _trimmed(_Branch(small.places + large.places, small.first + large.first, joined), total, n)
        full = _Branch(whole.places + here, whole.first, _min_within(whole.cost, here))
        waiting[tree.above[part]].append(_trimmed(full, total, n)._replace(bridge_mm=bridge))
    return int(waiting[0][0].cost[0])


def _trimmed(branch: _Branch, total: int, n: int) -> _Branch:
    """Limit the numbers of items to those that fit into the branch and elsewhere."""
    first = max(branch.first, n - (total - branch.places))
    last = min(n, branch.places)
    return branch._replace(first=first, cost=branch.cost[first - branch.first : last + 1 - branch.first])


def _min_within(cost: np.ndarray, room: int) -> np.ndarray:
    """Return the minimum of each value and the `room` values before it, int64 (len(cost) + room,)."""
    found = np.pad(cost, room, constant_values=_FAR)
    seen = 1
    while seen <= room:
        more = min(seen, room + 1 - seen)
        found = np.minimum(found[more:], found[:-more])
        seen += more
    return found


def join(small: np.ndarray, large: np.ndarray, step: int) -> np.ndarray:
    """Return the minimum of ``small[a] + large[b]`` for every a + b, or less if a is grouped in steps; int64."""
    found = np.full(len(small) + len(large) - 1, _FAR)
    starts = np.arange(0, len(small), step)
    large = _min_within(large, step - 1)
    sums = np.empty_like(large)
    for start, value in zip(starts.tolist(), np.minimum.reduceat(small, starts).tolist(), strict=True):
        reached = found[start : start + len(large)]
        np.add(large, value, out=sums)
        np.minimum(reached, sums[: len(reached)], out=reached)
    return found


def _step(tree: Tree, places: np.ndarray, n: int) -> int:
    """Return how many shares at a time keep the work of all joins below `WORK`."""
    empty = int(places.sum()) - n
    behind, work = places.copy(), 0
    joined = np.zeros_like(places)

    def width(size: int) -> int:
        return min(size, n) - max(0, size - empty) + 1

    for part in range(len(places) - 1, 0, -1):
        above = int(tree.above[part])
        work += width(int(joined[above])) * width(int(behind[part]))
        joined[above] += behind[part]
        behind[above] += behind[part]
    return max(1, -(-work // WORK))
