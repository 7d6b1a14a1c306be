"""Cables slightly too long for a cheaper part."""

from __future__ import annotations

from planner.domain.quantities._quantity import Quantity

ORDER = 50

QUANTITIES = (
    Quantity(
        "near_misses", "", "lower", "cables slightly too long for a cheaper part", "near_misses", lambda p: p.near_misses.count
    ),
    Quantity(
        "near_misses_cents",
        "cents",
        "lower",
        "total saving if all near misses used the cheaper part",
        "near_misses",
        lambda p: p.near_misses.saving_cents,
    ),
)
