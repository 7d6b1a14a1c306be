"""Looms: rows of one group tied together, in looms of about equal numbers of cables, thin cables first."""

from __future__ import annotations

import numpy as np

from planner.check.basis.bundling.cables import Areas, CableSet, Outcome
from planner.check.basis.distinct import distinct

_DENSITY = 0.64
"""Share of a loom's cross-section that cables fill, from the densest packings of equal circles (``docs/method/bundles.md``)."""


def loomed(cable_set: CableSet, *, max_cables: int | None = None, max_diameter_um: int | None = None) -> Outcome:
    """Tie cables between the same two cabinets."""
    made = Outcome(cable_set)
    tie_by_cabinets(made, np.flatnonzero(cable_set.between), max_cables, max_diameter_um)
    made.pieces = len(np.unique(cable_set.piece[cable_set.between]))
    return made


def row_loomed(cable_set: CableSet, *, max_cables: int | None = None, max_diameter_um: int | None = None) -> Outcome:
    """Tie cables between the same two rows."""
    made = Outcome(cable_set)
    rows = np.flatnonzero(cable_set.between)
    floor_row = np.sort(cable_set.room.slot_row[cable_set.slot[rows]], axis=1)
    medium, center = cable_set.medium[rows], Areas(cable_set.room, "row").center
    node = cable_set.room.slot_node[center[floor_row], medium[:, None]]
    key = np.column_stack([floor_row, medium])
    _tie(made, "row loom", rows, key, np.full((len(rows), 2), -1), node, max_cables, max_diameter_um)
    made.pulled, made.pieces = len(made.bundles), len(np.unique(cable_set.piece[cable_set.between]))
    return made


def tie_by_cabinets(made: Outcome, rows: np.ndarray, max_cables: int | None = None, max_diameter_um: int | None = None) -> None:
    """Tie some rows by the pair of cabinets that they join; each loom is pulled once."""
    cable_set, before = made.cable_set, len(made.bundles)
    turned = cable_set.cabinet[rows, 0] > cable_set.cabinet[rows, 1]
    node = np.where(turned[:, None], cable_set.node[rows][:, ::-1], cable_set.node[rows])
    cabinet = np.sort(cable_set.cabinet[rows], axis=1)
    key = np.column_stack([cabinet, cable_set.medium[rows], node])
    _tie(made, "loom", rows, key, cabinet, node, max_cables, max_diameter_um)
    made.pulled += len(made.bundles) - before


def _tie(
    made: Outcome,
    kind: str,
    rows: np.ndarray,
    key: np.ndarray,
    cabinet: np.ndarray,
    node: np.ndarray,
    max_cables: int | None,
    thickest_um: int | None,
) -> None:
    """Tie rows of equal keys; of a piece the longest row between its cabinets counts.

    Parameters
    ----------
    rows
        Rows of cables, ascending, int64 (n,).
    key, cabinet, node
        What decides the group, cabinets and tray nodes at both ends of the group of each row, (n, k) and (n, 2).
    """
    if not len(rows):
        return
    cable_set = made.cable_set
    diameter, bend = (cable_set.of(name).astype(np.int64)[rows] for name in ("diameter_um", "bend_mm"))
    first_of_group, group, _ = distinct(*key.T)
    run, assembly = cable_set.run[rows], cable_set.assembly[rows]
    first, strand, _ = distinct(group, cable_set.piece[rows], *np.sort(cable_set.cabinet[rows], axis=1).T)
    # The longest row of each strand, thin cables first.
    longest = np.lexsort((-run, strand))[np.searchsorted(np.sort(strand), np.arange(len(first)))]
    order = np.lexsort((run[longest], assembly[longest], bend[longest], diameter[longest], group[longest]))
    cable, of_group = longest[order], group[longest[order]]
    start, _, count = distinct(of_group)
    looms = -(-count // _fits(cable_set, diameter[cable[start + count - 1]], max_cables, thickest_um))
    # Place p of n is in loom floor(p * looms / n).
    place = np.arange(len(cable)) - np.repeat(start, count)
    loom = np.repeat(np.cumsum(looms) - looms, count) + place * np.repeat(looms, count) // np.repeat(count, count)
    of_strand = np.empty(len(first), np.int64)
    of_strand[order] = loom
    in_loom = of_strand[strand]
    made.bundle[rows] = len(made.bundles) + in_loom
    begin, _, cables = distinct(loom)
    thickest = diameter[cable[begin + cables - 1]]
    width = thickest.copy()
    bends = np.maximum.reduceat(bend[cable], begin)
    several = np.flatnonzero(cables > 1)
    tied = np.ceil(np.sqrt(np.add.reduceat(diameter[cable] ** 2, begin) / _DENSITY)).astype(np.int64)[several]
    width[several] = np.maximum(tied, thickest[several] + diameter[cable[begin + cables - 2]][several])
    bends[several] += -(-width[several] // 2000)
    run_mm, stock_mm = np.zeros((2, len(begin)), np.int64)
    np.maximum.at(run_mm, in_loom, run)
    np.maximum.at(stock_mm, in_loom, cable_set.stock[rows])
    area = np.add.reduceat(cable_set.area_um2(diameter[cable]), begin)
    home = first_of_group[of_group[begin]]
    ends = (list(map(tuple, pairs[home].tolist())) for pairs in (cabinet, node))
    figures = (each.tolist() for each in (np.bincount(in_loom), width, bends, run_mm, stock_mm, area))
    for cabinets, nodes, links, width_um, bend_mm, longest_mm, bought_mm, area_um2 in zip(*ends, *figures, strict=True):
        made.bundles.append(
            {
                "kind": kind, "part": "", "cabinet": cabinets, "node": nodes, "capacity": links, "links": links,
                "diameter_um": width_um, "bend_mm": bend_mm, "run_mm": longest_mm, "stock_mm": bought_mm, "area_um2": area_um2,
                "cents": 0,
            }
        )  # fmt: skip
    made.tied.append(rows[cable])


def _fits(cable_set: CableSet, largest_um: np.ndarray, max_cables: int | None, thickest_um: int | None) -> np.ndarray:
    """Return how many cables a loom may have in each group, by the diameter of its thickest cable; int64 (groups,)."""
    fits = max_cables or (cable_set.parts.cables_per_loom if cable_set.parts is not None else max(1, len(cable_set.run)))
    if thickest_um is None:
        return np.full(len(largest_um), fits)
    return np.clip((_DENSITY * (thickest_um / largest_um) ** 2).astype(np.int64), 1, fits)
