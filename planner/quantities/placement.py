"""How good the placement is."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

QUANTITIES = (
    Quantity(
        "placement_objective",
        "",
        "lower",
        "cost of all links between their slots, in the unit of the placement",
        "placement",
        lambda p: p.placement.objective,
    ),
    Quantity(
        "placement_start_objective",
        "",
        "",
        "the same with the cabinets in order",
        "placement",
        lambda p: p.placement.start_objective,
    ),
    Quantity(
        "placement_lower_bound",
        "",
        "",
        "no layout under the same rules costs less",
        "placement",
        lambda p: p.placement.lower_bound or None,
    ),
    Quantity(
        "placement_gap_percent",
        "%",
        "lower",
        "what a better layout could save at most",
        "placement",
        lambda p: None if p.placement.gap is None else 100 * p.placement.gap,
    ),
)
