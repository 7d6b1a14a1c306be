"""Looms between rows: cables between the same two rows on the same trays, tied where they run together."""

from __future__ import annotations

import numpy as np

from planner.cabling.bundling._areas import Areas
from planner.cabling.bundling._bundles import REASONS, Bundles, Legs, put_together
from planner.cabling.bundling._lay import Lay, numbered
from planner.cabling.bundling._looms import loomed
from planner.parts import Positive


def bundle(lay: Lay, *, max_cables: Positive | None = None, max_diameter_um: Positive | None = None) -> Bundles:
    """Tie cables between the same two rows into looms; each loom opens out along the rows.

    Cables between cabinets of one row are tied by that row. A loom begins and ends at the tray node
    of its rows' middle slots.

    Parameters
    ----------
    max_cables, max_diameter_um
        As for looms between cabinets.
    """
    rows = np.flatnonzero(lay.between)
    pairs, group = numbered(np.column_stack([np.sort(lay.row[rows], axis=1), lay.medium_class[rows]]))
    middle = Areas.of(lay.room, "row").center
    node = lay.room.slot_node[middle[pairs[:, :2]], pairs[:, 2:]].astype(np.int64)
    most = max_cables or lay.cables_per_loom
    cabinet = np.full((len(pairs), 2), -1)
    tied, laid = loomed(lay, rows, group, cabinet, node, "row loom", most, max_diameter_um)
    reason = np.where(lay.between, 0, REASONS.index("inside a cabinet"))
    pieces = len(np.unique(lay.piece[lay.between]))
    return put_together(lay, [tied], Legs.none(lay), reason, [], laid, pulled=tied.count, pieces=pieces)
