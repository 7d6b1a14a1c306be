"""Spectral bound: minimum number of links that cross the lines between columns and rows, for any distribution of routers."""

from __future__ import annotations

import math

import numpy as np

from planner.design.placement.bound.relaxation.cuts import max_inside, min_crossing, min_cut, min_distance_sum
from planner.design.placement.bound.relaxation.items import Items, views
from planner.design.placement.bound.relaxation.minorant import FINE, Grid, LatticeGrid, Spread, TableGrid
from planner.design.placement.model.problem import PlacementProblem

_ROUNDS = 30


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound.

    A link between two slots costs at least a constant plus a price for each line between columns and
    between rows that separates them. A line with s of n routers on one side is crossed by at least
    mu s (n - s) / n links, where mu is the second smallest eigenvalue of the Laplacian. Their sum is minimized
    over all distributions of the routers over columns and rows that the cabinets can hold. The
    prices come from a linear program; on a lattice with Manhattan distances they are the pitches.
    If no router may leave its cabinet, the bound is also computed with cabinets as items.

    References
    ----------
    .. [1] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Mathematical J. 23, 1973.
    .. [2] B. Mohar, S. Poljak, "Eigenvalues and the max-cut problem", Czechoslovak Mathematical J. 40, 1990.
    """
    return max(_bound(items) for items in views(problem))


def _bound(items: Items) -> int:
    if not items.links:
        return items.within_cost
    if len(items.slots) == 1:
        return items.within_cost + items.links * int(items.inside_cost[0])
    gap = items.connectivity
    cut = min_cut(items, gap)
    inside = max_inside(items, cut)
    grid = LatticeGrid(items) if len(items.cost.x) else TableGrid(items)
    # Prices are optimized for the spreads found so far, starting with an even one.
    spreads = [Spread(_even(items, grid, cut), items.links - inside)]
    best = 0
    for _ in range(_ROUNDS):
        hoped, hoped_constant, variables = grid.choose(spreads)
        constant = grid.constant(variables, hoped_constant)
        crossing, cuts = _line_by_line(grid, variables, cut)
        value = _cost(items, inside, constant, crossing)
        best = max(best, value, _cost(items, inside, constant, _together(grid, variables, gap)))
        if value >= hoped * (1 - 1e-4):
            break
        spreads.append(Spread(cuts, items.links - inside))
    return items.within_cost + best


def _line_by_line(grid: Grid, variables: np.ndarray, cut: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the minimum crossing cost over all distributions over columns and rows, and the links that cross each line."""
    price = grid.split(grid.step @ variables)
    (along, cuts_x), (across, cuts_y) = (min_crossing(c, p, cut) for c, p in zip(grid.capacity, price, strict=True))
    return along + across, np.concatenate([cuts_x, cuts_y])


def _together(grid: Grid, variables: np.ndarray, gap: float) -> int:
    """Return a lower bound of the crossing cost for columns and rows together.

    Over all lines, price x s (n - s) adds up to the distances between all pairs of routers.
    """
    items = grid.items
    return math.floor(gap * (1 - 1e-12) * min_distance_sum(*grid.reach(variables), items.capacity, items.count) / items.count)


def _cost(items: Items, inside: int, constant: int, crossing: int) -> int:
    """Return the minimum integer cost with `inside` links inside cabinets, or at most `inside` if their number is not fixed."""
    within = int(items.inside_cost.min()) * FINE
    if items.inside is None and within >= constant:
        inside = 0
    return -(-(constant * (items.links - inside) + within * inside + crossing) // FINE)


def _even(items: Items, grid: Grid, cut: np.ndarray) -> np.ndarray:
    """Return the links that cross each line when the items are spread evenly."""
    shares = [np.cumsum(capacity)[:-1] / capacity.sum() for capacity in grid.capacity]
    return cut[np.rint(np.concatenate(shares) * items.count).astype(np.int64)]
