"""Multi-core fibers: each ends in fan-outs of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.panels._carried import Carried, Fitted
from planner.design.cabling.panels._jumpers import jumpered, rank_within
from planner.domain.model import CablePlan
from planner.domain.parts import BundlingParts


def in_fan_outs(parts: BundlingParts, cables: CablePlan, carried: Carried, parameters: dict[str, Any]) -> Fitted:
    """Number the fan-outs at each cabinet by fiber; a core has the same number at both ends."""
    area = carried.trunk_area.ravel()
    order = np.argsort(area, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    panel = number.reshape(-1, 2)
    plug = carried.plug
    end = np.where(carried.turned[:, None], [[1, 0]], [[0, 1]])
    rank = np.repeat(carried.rank[:, None], 2, axis=1)
    none = np.full_like(panel, -1)
    return Fitted(
        kind=2,
        units=1,
        area=area[order],
        place=rank_within(area[order]),
        part=np.zeros(len(order), np.int64),
        parts=(_fan_out(parts, cables, parameters),),
        cassette_panel=none[:0, 0],
        cassette_bay=none[:0, 0],
        cassette_part=none[:0, 0],
        plug_panel=panel,
        plug_cassette=none,
        plug_socket=np.ones_like(panel),
        fiber=rank * parameters.get("cores_per_link", 1) + 1,
        **jumpered(cables, carried, panel[plug[:, None], end], np.full_like(rank, -1), rank + 1),
    )


def _fan_out(parts: BundlingParts, cables: CablePlan, parameters: dict[str, Any]) -> str:
    """Return the fan-out of the catalog with the fiber's number of cores; where there is none, a name that states the number."""
    known = {fiber.id: fiber.cores for fiber in parts.multicore_fibers}
    cores = parameters.get("cores") or known[cables.bundle_parts[0]]
    return next((one.id for one in parts.fan_outs if one.cores == cores), f"{cores}-core fan-out")
