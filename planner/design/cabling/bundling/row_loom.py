"""Looms between rows: cables between the same two rows in the same trays, tied where they run together."""

from __future__ import annotations

import numpy as np

from planner.design.cabling.bundling.bundles.areas import Areas
from planner.design.cabling.bundling.bundles.bundles import REASONS, Bundles, Legs, combine
from planner.design.cabling.bundling.bundles.cables import CableSet, numbered
from planner.design.cabling.bundling.bundles.looms import loomed
from planner.domain.parts import Positive


def bundle(cables: CableSet, *, max_cables: Positive | None = None, max_diameter_um: Positive | None = None) -> Bundles:
    """Tie cables between the same two rows into looms; each loom fans out along the rows.

    Cables between cabinets of one row form looms of that row. A loom begins and ends at the tray node
    of its rows' middle slots.

    Parameters
    ----------
    max_cables
        Maximum number of cables in a loom; by default the catalog's rule.
    max_diameter_um
        Maximum diameter of a loom, computed as if all of its cables were as thick as the thickest.
    """
    rows = np.flatnonzero(cables.between)
    pairs, group = numbered(np.column_stack([np.sort(cables.row[rows], axis=1), cables.medium_class[rows]]))
    middle = Areas.of(cables.room, "row").center
    node = cables.room.slot_node[middle[pairs[:, :2]], pairs[:, 2:]].astype(np.int64)
    limit = max_cables or cables.cables_per_loom
    cabinet = np.full((len(pairs), 2), -1)
    tied, load = loomed(cables, rows, group, cabinet, node, "row loom", limit, max_diameter_um)
    reason = np.where(cables.between, 0, REASONS.index("inside a cabinet"))
    pieces = len(np.unique(cables.piece[cables.between]))
    return combine(cables, [tied], Legs.none(cables), reason, [], load, pulled=tied.count, pieces=pieces)
