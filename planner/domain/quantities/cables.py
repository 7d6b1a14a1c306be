"""Cables: number, lengths and tray fill."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.domain.model import MEDIA, Plan
from planner.domain.quantities._quantity import Quantity


def tray_fill(plan: Plan) -> np.ndarray:
    """Return the fill of each tray segment as a share of its cross-section, float64 (K,); 0 where there is no limit.

    Cables of others are included.
    """
    area = plan.room.segment_mm2
    fill_um2 = plan.cables.fill_um2 + plan.room.existing.fill_um2(len(area))
    return np.divide(fill_um2 / 1e6, area, out=np.zeros(len(area)), where=area > 0)


def between_cabinets(plan: Plan) -> np.ndarray:
    """Return which cables run between two cabinets, bool (W,)."""
    return plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1]


def _count(plan: Plan, rows: np.ndarray) -> int:
    """Return the number of cables among some rows: a splitter is one."""
    return len(np.unique(plan.cables.piece[rows]))


def _of_medium(medium: str) -> Callable[[Plan], int]:
    return lambda p: _count(p, p.cables.of_assembly("medium") == medium) if p.cables.assemblies else 0


def _mean_link_mm(plan: Plan) -> float | None:
    run_mm = plan.cables.run_mm[plan.inventory.is_link]
    return float(run_mm.mean()) if len(run_mm) else None


def _sum_mm(lengths: np.ndarray) -> int:
    return int(lengths.sum(dtype=np.int64))


def _detour(plan: Plan) -> float:
    cables = plan.cables
    routed = cables.first_of_piece
    # Cables over panels take the shortest trays to the panels and between them.
    routed = routed[~cables.carried[routed]]
    return 100 * (_sum_mm(cables.tray_mm[routed]) / cables.shortest_tray_mm - 1) if cables.shortest_tray_mm else 0.0


def _less_slack(plan: Plan) -> int | None:
    """Return the number of cables with less than nominal slack; None where there is none."""
    cables = plan.cables
    return int((cables.slack_below_mm[cables.first_of_piece] > 0).sum()) or None


ORDER = 20

QUANTITIES = (
    Quantity(
        "cables", "", "lower", "cables as bought and pulled: a splitter is one", "cables", lambda p: len(p.cables.first_of_piece)
    ),
    Quantity("cables_less_slack", "", "", "cables with less than nominal slack, to avoid a longer one", "cables", _less_slack),
    Quantity(
        "cables_between_cabinets", "", "lower", "cables between two cabinets", "cables", lambda p: _count(p, between_cabinets(p))
    ),
    *(Quantity(f"cables_{m.replace(' ', '_')}", "", "", f"{m} cables", "cables", _of_medium(m)) for m in MEDIA),
    Quantity(
        "bundles",
        "",
        "lower",
        "looms, trunks and multi-core fibers between cabinets",
        "cables",
        lambda p: len(p.cables.bundle_kind),
    ),
    Quantity(
        "run_mm",
        "mm",
        "lower",
        "run length of all cables, of splitters that of the longest leg",
        "cables",
        lambda p: _sum_mm(p.cables.longest_of_pieces()),
    ),
    Quantity(
        "stock_mm",
        "mm",
        "lower",
        "stock length of all cables",
        "cables",
        lambda p: _sum_mm(p.cables.stock_mm[p.cables.first_of_piece]),
    ),
    Quantity(
        "tray_mm",
        "mm",
        "lower",
        "length of all cables in trays",
        "cables",
        lambda p: _sum_mm(p.cables.tray_mm[p.cables.first_of_piece]),
    ),
    Quantity(
        "tray_detour_percent",
        "%",
        "lower",
        "extra length in trays beyond the shortest routes, because of fill limits",
        "cables",
        _detour,
    ),
    Quantity("longest_run_mm", "mm", "lower", "longest run length", "cables", lambda p: p.cables.run_mm.max(initial=0)),
    Quantity("mean_link_mm", "mm", "lower", "mean run length of the links", "cables inventory", _mean_link_mm),
    Quantity(
        "fullest_tray_percent",
        "%",
        "lower",
        "highest fill of a tray segment, of its cross-section",
        "cables room",
        lambda p: float(100 * tray_fill(p).max(initial=0)),
    ),
)
