"""Looms: cables tied together, and their diameters."""

from __future__ import annotations

import numpy as np

from planner.design.cabling.bundling.bundles.bundles import Set, TrayLoad
from planner.design.cabling.bundling.bundles.cables import CableSet, max_by, numbered, rank_within

DENSITY = 0.64
"""Share of a loom's cross-section that its cables fill.

The densest known packings of three and more equal circles into a circle fill at least 0.646 of it (three of them), so
that any number of cables fits a loom of this density [1].

.. [1] R. Graham, B. Lubachevsky, K. Nurmela, P. Östergård, "Dense packings of congruent circles in a circle", Discrete
       Mathematics 181, 1998.
"""


def loom_diameter_um(squares_um2: np.ndarray, thickest_um: np.ndarray, second_um: np.ndarray) -> np.ndarray:
    """Return the diameters of looms, int64.

    Parameters
    ----------
    squares_um2
        Sum of the squared diameters of each loom's cables.
    thickest_um, second_um
        Diameters of its thickest and second thickest cable, 0 for none.

    Examples
    --------
    >>> loom_diameter_um(np.array([36, 72, 48 * 36]) * 10**6, np.full(3, 6000), np.array([0, 6000, 6000])).tolist()
    [6000, 12000, 51962]
    """
    tied = np.ceil(np.sqrt(squares_um2 / DENSITY)).astype(np.int64)
    return np.where(second_um == 0, thickest_um, np.maximum(tied, thickest_um + second_um))


def loomed(
    cables: CableSet,
    rows: np.ndarray,
    group: np.ndarray,
    cabinet: np.ndarray,
    node: np.ndarray,
    kind: str,
    max_cables: int,
    max_diameter_um: int | None,
) -> tuple[Set, TrayLoad]:
    """Tie rows of the same group into looms of about equal numbers of cables, thin ones first.

    Parameters
    ----------
    rows, group
        Rows to tie, int64 (n,), and the group of each, 0 … G - 1.
    cabinet, node
        Ends of each group, int64 (G, 2).
    """
    _, strand = numbered(np.column_stack([group, cables.piece[rows], np.sort(cables.cabinet[rows], axis=1)]))
    # The longest row represents its strand.
    order = np.lexsort((-cables.run_mm[rows], strand))
    first = order[np.append(True, np.diff(strand[order]) > 0)] if len(order) else order
    own, of = rows[first], group[first]
    diameter = cables.of_assembly("diameter_um")[own].astype(np.int64)
    bend = cables.of_assembly("bend_mm")[own].astype(np.int64)
    number, start = _tied(cables, own, of, diameter, bend, len(node), max_cables, max_diameter_um)
    order = np.lexsort((diameter, number))
    thickness = _ordered(diameter[order], number[order])
    squares = np.zeros(start[-1], np.int64)
    np.add.at(squares, number, diameter**2)
    area = np.zeros(start[-1], np.int64)
    np.add.at(area, number, cables.area_um2(diameter))
    widest = loom_diameter_um(squares, *thickness)
    radius = max_by(bend, number, start[-1])
    alone = thickness[1] == 0
    ends = np.repeat(np.arange(len(node)), np.diff(start))
    of_row = number[strand]
    tied = Set(
        kind=kind,
        rows=rows,
        bundle=of_row,
        cabinet=cabinet[ends],
        node=node[ends],
        part=np.full(start[-1], -1),
        parts=(),
        capacity=np.bincount(of_row, minlength=start[-1]),
        area_um2=area,
        diameter_um=widest,
        # A cable at the inside of the curve has the smallest radius, which must be at least its own limit.
        bend_mm=np.where(alone, radius, radius + -(-widest // 2000)),
        run_mm=max_by(cables.run_mm[rows], of_row, start[-1]),
        stock_mm=max_by(cables.stock_mm[rows], of_row, start[-1]),
        price_cents=np.zeros(start[-1], np.int64),
    )
    return tied, TrayLoad(
        cables.node[own], cables.medium_class[own], cables.area_um2(diameter), np.asarray(cables.tray_mm, np.int64)[own]
    )


def _tied(
    cables: CableSet,
    own: np.ndarray,
    of: np.ndarray,
    diameter: np.ndarray,
    bend: np.ndarray,
    groups: int,
    max_cables: int,
    limit_um: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the loom of each strand, and the first loom of each group, int64 (groups + 1,)."""
    order = np.lexsort((cables.run_mm[own], cables.assembly[own], bend, diameter, of))
    rank, size = rank_within(of, order), np.bincount(of, minlength=groups)
    fits = np.full(groups, max_cables)
    if limit_um is not None:
        # The number that fits if all are as thick as the thickest.
        fits = np.clip((DENSITY * (limit_um / np.maximum(max_by(diameter, of, groups), 1)) ** 2).astype(np.int64), 1, max_cables)
    count = -(-size // fits)
    start = np.append(0, np.cumsum(count))
    return start[of] + rank * count[of] // np.maximum(size[of], 1), start


def _ordered(diameter: np.ndarray, number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest and second largest diameter of each number, for rows sorted by number and diameter; 0 for no second."""
    last = np.flatnonzero(np.append(np.diff(number) > 0, True)) if len(number) else np.zeros(0, np.int64)
    second = np.where((last > 0) & (number[last - 1] == number[last]), diameter[last - 1], 0) if len(last) else last
    return diameter[last], second
