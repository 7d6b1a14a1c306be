"""Looms: rows of one group tied together, in looms of about equal numbers of cables, thin cables first."""

from __future__ import annotations

import math

import numpy as np

from planner.check._bundling._cables import Areas, CableSet, Outcome

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
    center = Areas(cable_set.room, "row").center
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, *key in zip(rows.tolist(), *floor_row.T.tolist(), cable_set.medium[rows].tolist(), strict=True):
        groups.setdefault(tuple(key), []).append(row)
    for (a, b, medium), own in sorted(groups.items()):
        nodes = tuple(cable_set.room.slot_node[center[[a, b]], medium].tolist())
        _tie(made, own, "row loom", (-1, -1), nodes, max_cables, max_diameter_um)
    made.pulled, made.pieces = len(made.bundles), len(np.unique(cable_set.piece[cable_set.between]))
    return made


def tie_by_cabinets(made: Outcome, rows: np.ndarray, max_cables: int | None = None, max_diameter_um: int | None = None) -> None:
    """Tie some rows by the pair of cabinets that they join; each loom is pulled once."""
    cable_set, before = made.cable_set, len(made.bundles)
    turned = cable_set.cabinet[rows, 0] > cable_set.cabinet[rows, 1]
    node = np.where(turned[:, None], cable_set.node[rows][:, ::-1], cable_set.node[rows])
    key = np.column_stack([np.sort(cable_set.cabinet[rows], axis=1), cable_set.medium[rows], node])
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
    max_cables: int | None,
    thickest_um: int | None,
) -> None:
    """Tie the rows of one group; of a piece the longest row between its cabinets counts."""
    cable_set = made.cable_set
    pair = np.sort(cable_set.cabinet[rows], axis=1).tolist()
    strands: dict[tuple[int, ...], list[int]] = {}
    for row, ends in zip(rows, pair, strict=True):
        strands.setdefault((int(cable_set.piece[row]), *ends), []).append(row)
    cables = []
    for place, key in enumerate(sorted(strands)):
        longest = min(strands[key], key=lambda row: (-int(cable_set.run[row]), row))
        part = cable_set.assemblies[cable_set.assembly[longest]]
        order = (part.diameter_um, part.bend_mm, int(cable_set.assembly[longest]), int(cable_set.run[longest]), place)
        cables.append((order, part, longest, strands[key]))
    cables.sort(key=lambda cable: cable[0])
    fits = max_cables or (cable_set.parts.cables_per_loom if cable_set.parts is not None else max(1, len(cable_set.run)))
    if thickest_um is not None:
        fits = min(max(int(_DENSITY * (thickest_um / cables[-1][1].diameter_um) ** 2), 1), fits)
    looms = -(-len(cables) // fits)
    for number in range(looms):
        # Place p of n is in loom floor(p * looms / n).
        low, high = -(-number * len(cables) // looms), -(-(number + 1) * len(cables) // looms)
        _note(made, cables[low:high], kind, cabinets, nodes)


def _note(made: Outcome, cables: list, kind: str, cabinets: tuple[int, int], nodes: tuple[int, int]) -> None:
    cable_set = made.cable_set
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
    areas = cable_set.area_um2(np.array([part.diameter_um for part in parts])).tolist()
    made.bundles.append(
        {
            "kind": kind, "part": "", "cabinet": cabinets, "node": nodes, "capacity": len(rows), "links": len(rows),
            "diameter_um": width, "bend_mm": bend, "run_mm": int(cable_set.run[rows].max()),
            "stock_mm": int(cable_set.stock[rows].max()), "area_um2": sum(areas), "cents": 0,
        }
    )  # fmt: skip
    for (_, _, longest, _), area in zip(cables, areas, strict=True):
        ends = tuple(cable_set.node[longest].tolist())
        made.cables.append((ends, int(cable_set.medium[longest]), area, int(cable_set.tray[longest])))
