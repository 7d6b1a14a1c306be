"""Looms: rows of one group tied together, in looms of about equal numbers of cables, thin cables first."""

from __future__ import annotations

import math

import numpy as np

from planner.check._bundling._lay import Areas, Lay, Outcome

_DENSITY = 0.64
"""Share of a loom's cross-section that cables fill, from the densest packings of equal circles (``docs/method/bundles.md``)."""


def loomed(lay: Lay, *, max_cables: int | None = None, max_diameter_um: int | None = None) -> Outcome:
    """Tie cables between the same two cabinets."""
    made = Outcome(lay)
    tie_by_cabinets(made, np.flatnonzero(lay.between), max_cables, max_diameter_um)
    made.pieces = len(np.unique(lay.piece[lay.between]))
    return made


def row_loomed(lay: Lay, *, max_cables: int | None = None, max_diameter_um: int | None = None) -> Outcome:
    """Tie cables between the same two rows."""
    made = Outcome(lay)
    rows = np.flatnonzero(lay.between)
    floor_row = np.sort(lay.room.slot_row[lay.slot[rows]], axis=1)
    center = Areas(lay.room, "row").center
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, *key in zip(rows.tolist(), *floor_row.T.tolist(), lay.medium[rows].tolist(), strict=True):
        groups.setdefault(tuple(key), []).append(row)
    for (a, b, medium), own in sorted(groups.items()):
        nodes = tuple(lay.room.slot_node[center[[a, b]], medium].tolist())
        _tie(made, own, "row loom", (-1, -1), nodes, max_cables, max_diameter_um)
    made.pulled, made.pieces = len(made.bundles), len(np.unique(lay.piece[lay.between]))
    return made


def tie_by_cabinets(made: Outcome, rows: np.ndarray, max_cables: int | None = None, max_diameter_um: int | None = None) -> None:
    """Tie some rows by the pair of cabinets that they join; each loom is pulled once."""
    lay, before = made.lay, len(made.bundles)
    turned = lay.cabinet[rows, 0] > lay.cabinet[rows, 1]
    node = np.where(turned[:, None], lay.node[rows][:, ::-1], lay.node[rows])
    key = np.column_stack([np.sort(lay.cabinet[rows], axis=1), lay.medium[rows], node])
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, one in zip(rows.tolist(), map(tuple, key.tolist()), strict=True):
        groups.setdefault(one, []).append(row)
    for (a, b, _, *nodes), own in sorted(groups.items()):
        _tie(made, own, "loom", (a, b), tuple(nodes), max_cables, max_diameter_um)
    made.pulled += len(made.bundles) - before


def _tie(
    made: Outcome,
    rows: list[int],
    kind: str,
    cabinets: tuple[int, int],
    nodes: tuple[int, int],
    most: int | None,
    thickest_um: int | None,
) -> None:
    """Tie the rows of one group; of a piece the longest row between its cabinets counts."""
    lay = made.lay
    pair = np.sort(lay.cabinet[rows], axis=1).tolist()
    strands: dict[tuple[int, ...], list[int]] = {}
    for row, ends in zip(rows, pair, strict=True):
        strands.setdefault((int(lay.piece[row]), *ends), []).append(row)
    cables = []
    for place, key in enumerate(sorted(strands)):
        longest = min(strands[key], key=lambda row: (-int(lay.run[row]), row))
        part = lay.assemblies[lay.assembly[longest]]
        order = (part.diameter_um, part.bend_mm, int(lay.assembly[longest]), int(lay.run[longest]), place)
        cables.append((order, part, longest, strands[key]))
    cables.sort(key=lambda cable: cable[0])
    fits = most or (lay.parts.cables_per_loom if lay.parts is not None else max(1, len(lay.run)))
    if thickest_um is not None:
        fits = min(max(int(_DENSITY * (thickest_um / cables[-1][1].diameter_um) ** 2), 1), fits)
    looms = -(-len(cables) // fits)
    for number in range(looms):
        # Place p of n is in loom floor(p * looms / n).
        low, high = -(-number * len(cables) // looms), -(-(number + 1) * len(cables) // looms)
        _note(made, cables[low:high], kind, cabinets, nodes)


def _note(made: Outcome, cables: list, kind: str, cabinets: tuple[int, int], nodes: tuple[int, int]) -> None:
    lay = made.lay
    parts = [part for _, part, _, _ in cables]
    rows = [row for *_, own in cables for row in own]
    made.bundle[rows] = len(made.bundles)
    diameters = sorted((part.diameter_um for part in parts), reverse=True)
    bend = max(part.bend_mm for part in parts)
    width = diameters[0]
    if len(cables) > 1:
        tied = math.ceil(math.sqrt(sum(one**2 for one in diameters) / _DENSITY))
        width = max(tied, diameters[0] + diameters[1])
        bend += -(-width // 2000)
    areas = lay.area_um2(np.array([part.diameter_um for part in parts])).tolist()
    made.bundles.append(
        {
            "kind": kind, "part": "", "cabinet": cabinets, "node": nodes, "capacity": len(rows), "links": len(rows),
            "diameter_um": width, "bend_mm": bend, "run_mm": int(lay.run[rows].max()), "stock_mm": int(lay.stock[rows].max()),
            "area_um2": sum(areas), "cents": 0,
        }
    )  # fmt: skip
    for (_, _, longest, _), area in zip(cables, areas, strict=True):
        ends = tuple(lay.node[longest].tolist())
        made.cables.append((ends, int(lay.medium[longest]), area, int(lay.tray[longest])))
