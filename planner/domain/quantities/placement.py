"""Quality of the placement."""

from __future__ import annotations

from planner.domain.quantities._quantity import Quantity

ORDER = 130

QUANTITIES = (
    Quantity(
        "placement_objective",
        "",
        "lower",
        "cost of all links and endpoint cables between their slots, in the unit of the placement",
        "placement",
        lambda p: p.placement.objective,
    ),
    Quantity(
        "placement_start_objective",
        "",
        "",
        "objective with the cabinets in order",
        "placement",
        lambda p: p.placement.start_objective,
    ),
    Quantity(
        "placement_lower_bound",
        "",
        "",
        "proven minimum of the objective over the layouts that the bound covers",
        "placement",
        lambda p: p.placement.lower_bound or None,
    ),
    Quantity(
        "placement_gap_percent",
        "%",
        "lower",
        "gap between objective and lower bound",
        "placement",
        lambda p: None if p.placement.gap is None else 100 * p.placement.gap,
    ),
    Quantity(
        "placement_total",
        "",
        "lower",
        "objective, in money plus cabinets, PDUs and cable managers, under the chosen packing rules",
        "placement",
        lambda p: next((each.total for each in p.placement.alternatives if each.chosen), None),
    ),
    Quantity(
        "placement_total_runner_up",
        "",
        "",
        "the same total under the second-best packing rules, after a short search",
        "placement",
        lambda p: min((each.total for each in p.placement.alternatives if not each.chosen), default=None),
    ),
)
