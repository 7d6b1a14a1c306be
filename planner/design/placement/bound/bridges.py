"""Spectral bound over bridges of the trays, which all links between their two sides must cross."""

from __future__ import annotations

import numpy as np

from planner.design.placement.bound.relaxation.cuts import max_inside, min_cut
from planner.design.placement.bound.relaxation.items import Items, views
from planner.design.placement.bound.relaxation.trees import Tree, min_bridge_cost, tree_of
from planner.design.placement.model.problem import PlacementProblem

_FINE = 1 << 20
"""Fraction of the cost unit for prices per millimeter in exact integer sums."""

_LENGTHS = 1 << 18
_LARGEST = 1 << 61


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound; None if no bridge separates two usable slots, or if copper and fiber have separate trays.

    With s of n routers on one side of a bridge at least mu s (n - s) / n links cross it, where mu is the second
    smallest eigenvalue of the Laplacian. The sum over all bridges of length times crossing links is minimized over all
    distributions of the routers. A link between two slots costs at least a constant plus a price per millimeter of
    bridges between them; prices are the slopes of the lower hull of cost by length of bridges. If no router may leave
    its cabinet, the bound is also computed with cabinets as items.

    References
    ----------
    .. [1] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Mathematical J. 23, 1973.
    .. [2] A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing
           Letters 9, 1979.
    """
    if not problem.room.shared_trays:
        return None
    finest, *others = views(problem)
    tree = tree_of(problem.room, finest.slots)
    if not tree.splits:
        return None
    hull = lower_hull(*min_by_length(finest, tree))
    return max(_bound(items, tree, *hull) for items in (finest, *others))


def _bound(items: Items, tree: Tree, length_mm: np.ndarray, cost: np.ndarray) -> int:
    """Return the bound from the corners of the hull of cost by length of bridges."""
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
    """Return candidate prices per millimeter: 0, the slopes of the hull, and the one for the cost inside a cabinet."""
    far = length_mm > 0
    inner = ((cost[far] * _FINE - within) // length_mm[far]).min(keepdims=True)
    slopes = np.concatenate([[0], np.diff(cost) * _FINE // np.diff(length_mm), inner])
    return set(np.clip(slopes, 0, _LARGEST // length_mm[-1]).tolist())


def min_by_length(items: Items, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return the minimum cost of a link between two usable slots by the length of the bridges between them.

    Slots are processed in depth-first order: the lowest common ancestor of two slots is the highest component between
    them.

    Returns
    -------
    length_mm
        Ascending, int64; rounded up to a step where there are many lengths.
    cost
        Minimum cost at each length, int64.

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
    minimum = np.full(2 * int(depth.max()) // step + 2, np.iinfo(np.int64).max)
    for first in range(len(slots) - 1):
        apart = depth[first + 1 :] + depth[first] - 2 * np.minimum.accumulate(fork[first:])
        np.minimum.at(minimum, -(-apart // step), items.cost.between(slots[first], slots[first + 1 :]))
    found = np.flatnonzero(minimum < np.iinfo(np.int64).max)
    return found * step, minimum[found]


def lower_hull(length_mm: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the lower hull of points that ascend along x, int64."""
    corners: list[tuple[int, int]] = []
    for x, y in zip(length_mm.tolist(), cost.tolist(), strict=True):
        while len(corners) > 1 and _turns_down(corners[-2], corners[-1], (x, y)):
            corners.pop()
        corners.append((x, y))
    return tuple(np.array(corners, np.int64).T)


def _turns_down(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Return whether b is on or above the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) >= (c[1] - a[1]) * (b[0] - a[0])
