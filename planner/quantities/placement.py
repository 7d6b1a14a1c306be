"""How good the placement is."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

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
        "the same with the cabinets in order",
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
        "what a better layout could save at most",
        "placement",
        lambda p: None if p.placement.gap is None else 100 * p.placement.gap,
    ),
    Quantity(
        "placement_total",
        "",
        "lower",
        "the objective, and in money cabinets, PDUs and cable managers, under the rules that were chosen among open ones",
        "placement",
        lambda p: next((each.total for each in p.placement.alternatives if each.chosen), None),
    ),
    Quantity(
        "placement_total_runner_up",
        "",
        "",
        "the same under the best of the open rules that were not chosen, after a short search",
        "placement",
        lambda p: min((each.total for each in p.placement.alternatives if not each.chosen), default=None),
    ),
)
