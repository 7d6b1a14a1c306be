"""Looms: cables between the same two cabinets in the same trays, tied together."""

from __future__ import annotations

import numpy as np

from planner.design.cabling.bundling.bundles.bundles import REASONS, Bundles, Legs, Set, TrayLoad, combine
from planner.design.cabling.bundling.bundles.cables import CableSet, numbered
from planner.design.cabling.bundling.bundles.looms import loomed
from planner.domain.parts import Positive


def bundle(cables: CableSet, *, max_cables: Positive | None = None, max_diameter_um: Positive | None = None) -> Bundles:
    """Tie cables between the same two cabinets into looms of about equal size.

    Parameters
    ----------
    max_cables
        Maximum number of cables in a loom; by default the catalog's rule.
    max_diameter_um
        Maximum diameter of a loom, computed as if all of its cables were as thick as the thickest.

    Returns
    -------
    Bundles
        Looms. Their cross-section in trays is that of their cables.
    """
    tied, load = by_cabinets(cables, np.flatnonzero(cables.between), max_cables, max_diameter_um)
    reason = np.where(cables.between, 0, REASONS.index("inside a cabinet"))
    pieces = len(np.unique(cables.piece[cables.between]))
    return combine(cables, [tied], Legs.none(cables), reason, [], load, pulled=tied.count, pieces=pieces)


def by_cabinets(
    cables: CableSet, rows: np.ndarray, max_cables: int | None = None, max_diameter_um: int | None = None
) -> tuple[Set, TrayLoad]:
    """Tie some rows between cabinets by pair of cabinets."""
    turned = cables.cabinet[rows, 0] > cables.cabinet[rows, 1]
    node = np.where(turned[:, None], cables.node[rows, ::-1], cables.node[rows])
    key = np.column_stack([np.sort(cables.cabinet[rows], axis=1), cables.medium_class[rows], node])
    pairs, group = numbered(key)
    limit = max_cables or cables.cables_per_loom
    return loomed(cables, rows, group, pairs[:, :2], pairs[:, 3:], "loom", limit, max_diameter_um)
