"""Jumpers: one at each end of each row, of the row's own fiber."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.bundling.bundles.cables import numbered
from planner.design.cabling.bundling.bundles.cables import rank_within as rank_in_group
from planner.design.cabling.panels._carried import Carried
from planner.domain.model import CablePlan


def jumpered(cables: CablePlan, carried: Carried, panel: np.ndarray, cassette: np.ndarray, port: np.ndarray) -> dict[str, Any]:
    """Return the jumpers, numbered by socket, from the socket at each end of each row, int64 (N, 2) each."""
    count = len(carried.rows)
    sockets = np.column_stack([each.ravel() for each in (panel, cassette, port)])
    order = np.lexsort(sockets.T[::-1])
    number = np.empty(2 * count, np.int64)
    number[order] = np.arange(2 * count)
    row, end = carried.rows[order // 2], order % 2
    names = [made_of.length_part for made_of in cables.assemblies]
    parts = sorted({names[one] for one in np.unique(cables.assembly[carried.rows]).tolist()})
    index = np.array([parts.index(name) if name in parts else -1 for name in names], np.int64)
    # Jumpers to a panel on the same cabinet touch no tray.
    legs = cables.carrier_route[len(carried.trunk_bundle) :].reshape(2, -1).T
    route = np.full((count, 2), -1) if carried.at_cabinets else legs
    return {
        "jumper_panel": sockets[order, 0],
        "jumper_cassette": sockets[order, 1],
        "jumper_port": sockets[order, 2],
        "jumper_part": index[cables.assembly[row]],
        "jumper_parts": tuple(parts),
        "jumper_run_mm": cables.leg_mm[row, end],
        "jumper_stock_mm": cables.leg_stock_mm[row, end],
        "jumper_route": route.ravel()[order],
        "jumper": number.reshape(-1, 2),
        "pair": np.ones((count, 2), np.int64),
    }


def rank_within(*key: np.ndarray) -> np.ndarray:
    """Return the number of earlier places with the same key, int64 (n,)."""
    _, group = numbered(np.column_stack(key))
    return rank_in_group(group, np.argsort(group, kind="stable"))
