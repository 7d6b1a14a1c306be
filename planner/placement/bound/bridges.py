"""Spectral bound over bridges: a stretch of tray that alone joins two sides carries every link between them."""

from __future__ import annotations

import numpy as np

from planner.placement._problem import PlacementProblem
from planner.placement.bound._cuts import max_inside, min_cut
from planner.placement.bound._items import Items, views
from planner.placement.bound._trees import Tree, min_bridge_cost, tree_of

_FINE = 1 << 20
"""Prices of a millimeter are counted in such parts of the cost's unit, so that sums are exact."""

_LENGTHS = 1 << 18
_LARGEST = 1 << 61


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound, None where no bridge of the trays lies between two usable slots, or copper and fiber go apart.

    With s of n routers on one side of a bridge at least mu s (n - s) / n links cross it, mu the second
    least eigenvalue of the Laplacian. Their sum, each bridge times its length, is made least over all ways to
    spread the routers over what the bridges join. A link between two slots costs at least a constant and
    a price for each millimeter of bridges between them; prices are the slopes of the lower hull of
    cost by length of bridges. In a room whose trays are a tree no millimeter is left out. Where no router may leave its
    cabinet, the same is tried with cabinets for routers.

    References
    ----------
    .. [1] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Mathematical J. 23, 1973.
    .. [2] A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing
           Letters 9, 1979.
    """
    if not problem.room.shared_ways:
        return None
    finest, *others = views(problem)
    tree = tree_of(problem.room, finest.slots)
    if not tree.splits:
        return None
    hull = _hull(*_min_by_length(finest, tree))
    return max(_bound(items, tree, *hull) for items in (finest, *others))


def _bound(items: Items, tree: Tree, length_mm: np.ndarray, cost: np.ndarray) -> int:
    """The bound from the corners of the hull of cost by length of bridges."""
    if not items.links:
        return items.within_cost
    cut = min_cut(items, items.connectivity)
    inside = max_inside(items, cut)
    within = int(items.inside_cost.min()) * _FINE
    crossing = min_bridge_cost(tree, items.capacity, cut)
    best = 0
    for price in _prices(length_mm, cost, within):
        constant = int((cost * _FINE - price * length_mm).min())
        inner = 0 if items.inside is None and within >= constant else inside
        value = constant * (items.links - inner) + within * inner + price * crossing
        best = max(best, -(-value // _FINE))
    return items.within_cost + best


def _prices(length_mm: np.ndarray, cost: np.ndarray, within: int) -> set[int]:
    """Prices of a millimeter: none, the slopes of the hull, and the one whose constant is the cost inside a cabinet."""
    far = length_mm > 0
    inner = ((cost[far] * _FINE - within) // length_mm[far]).min(keepdims=True)
    slopes = np.concatenate([[0], np.diff(cost) * _FINE // np.diff(length_mm), inner])
    return set(np.clip(slopes, 0, _LARGEST // length_mm[-1]).tolist())


def _min_by_length(items: Items, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return what a link between two usable slots costs at least by the length of the bridges between them.

    The slots are looked at in the order of a depth-first walk: the part where the ways to two of them fork is the highest
    one passed between them.

    Returns
    -------
    length_mm
        Ascending, int64; rounded up to a step where there are many lengths.
    cost
        The least cost at each, int64.

    References
    ----------
    .. [1] M. Bender, M. Farach-Colton, "The LCA problem revisited", LATIN 2000.
    """
    order = np.argsort(tree.part, kind="stable")
    slots, part, depth = items.slots[order], tree.part[order], tree.depth_mm()
    fork = depth[part[:-1]]
    onward = np.flatnonzero(np.diff(part))
    fork[onward] = np.minimum.reduceat(depth[tree.above][: part[-1] + 1], part[onward] + 1)
    depth = depth[part]
    step = 1 + 2 * int(depth.max()) // _LENGTHS
    least = np.full(2 * int(depth.max()) // step + 2, np.iinfo(np.int64).max)
    for first in range(len(slots) - 1):
        apart = depth[first + 1 :] + depth[first] - 2 * np.minimum.accumulate(fork[first:])
        np.minimum.at(least, -(-apart // step), items.cost.between(slots[first], slots[first + 1 :]))
    found = np.flatnonzero(least < np.iinfo(np.int64).max)
    return found * step, least[found]


def _hull(length_mm: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the lower hull of points that ascend along x, int64."""
    corners: list[tuple[int, int]] = []
    for x, y in zip(length_mm.tolist(), cost.tolist(), strict=True):
        while len(corners) > 1 and _turns_down(*corners[-2:], (x, y)):
            corners.pop()
        corners.append((x, y))
    return tuple(np.array(corners, np.int64).T)


def _turns_down(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Whether b lies on or above the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) >= (c[1] - a[1]) * (b[0] - a[0])
