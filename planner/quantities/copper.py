"""Where copper would do but none is on offer."""

from __future__ import annotations

import numpy as np

from planner.model import Plan
from planner.quantities._quantity import Quantity


def _inside_without_copper(plan: Plan) -> int:
    """Optical cables inside a cabinet whose run no copper part on offer for their ports covers."""
    cables, catalog = plan.cables, plan.catalog
    rows = np.flatnonzero((cables.of_assembly("medium") == "optical") & (cables.cabinet[:, 0] == cables.cabinet[:, 1]))
    is_link = rows < plan.topology.link_count
    # A twin-port cable fills a cage at both ends, a splitter the cage at its head.
    ends = np.column_stack([cables.device, cables.cage])
    together = _alike(ends), _alike(ends[:, ::2])
    reach_mm = np.zeros(len(rows), np.int64)
    for links, single, shared, fill in (
        (True, catalog.link_assemblies, catalog.shared_link_assemblies, together[0][rows]),
        (False, catalog.endpoint_assemblies, catalog.shared_endpoint_assemblies, together[1][rows]),
    ):
        for made_of in single + shared:
            if made_of.medium != "optical":
                fits = (is_link == links) & (fill >= (made_of.carries if made_of in shared else 1))
                reach_mm[fits] = np.maximum(reach_mm[fits], made_of.stock_mm[-1])
    return int((cables.run_mm[rows] > reach_mm).sum())


def _alike(key: np.ndarray) -> np.ndarray:
    """How often each row of a table occurs in it, int64 (W,)."""
    _, row, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    return count[row.ravel()]


QUANTITIES = (
    Quantity(
        "optical_for_lack_of_copper",
        "",
        "lower",
        "optical cables inside cabinets because no copper part on offer fits their ports and their length",
        "topology catalog cables",
        lambda p: _inside_without_copper(p) if p.cables.assemblies else 0,
    ),
)
