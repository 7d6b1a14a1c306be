"""Looms: cables between the same two cabinets on the same trays, tied together."""

from __future__ import annotations

import numpy as np

from planner.cabling.bundling._bundles import REASONS, Bundles, Laid, Legs, Set, put_together
from planner.cabling.bundling._lay import Lay, numbered
from planner.cabling.bundling._looms import loomed
from planner.parts import Positive


def bundle(lay: Lay, *, max_cables: Positive | None = None, max_diameter_um: Positive | None = None) -> Bundles:
    """Tie cables between the same two cabinets into looms of about equal numbers of cables.

    Parameters
    ----------
    max_cables
        Most cables in one loom; by default the catalog's rule.
    max_diameter_um
        Thickest loom wanted, as if all of its cables were as thick as the thickest.

    Returns
    -------
    Bundles
        Looms. Their cross-section in trays is that of their cables.
    """
    tied, laid = by_cabinets(lay, np.flatnonzero(lay.between), max_cables, max_diameter_um)
    reason = np.where(lay.between, 0, REASONS.index("inside a cabinet"))
    pieces = len(np.unique(lay.piece[lay.between]))
    return put_together(lay, [tied], Legs.none(lay), reason, [], laid, pulled=tied.count, pieces=pieces)


def by_cabinets(
    lay: Lay, rows: np.ndarray, max_cables: int | None = None, max_diameter_um: int | None = None
) -> tuple[Set, Laid]:
    """Tie some rows between cabinets by the pair that they join."""
    turned = lay.cabinet[rows, 0] > lay.cabinet[rows, 1]
    node = np.where(turned[:, None], lay.node[rows, ::-1], lay.node[rows])
    key = np.column_stack([np.sort(lay.cabinet[rows], axis=1), lay.medium_class[rows], node])
    pairs, group = numbered(key)
    most = max_cables or lay.cables_per_loom
    return loomed(lay, rows, group, pairs[:, :2], pairs[:, 3:], "loom", most, max_diameter_um)
