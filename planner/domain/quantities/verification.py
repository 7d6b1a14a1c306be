"""Number of violated design rules."""

from __future__ import annotations

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity

ORDER = 150

_TRAYS = "cables_spread_over_trays"
"""The rule that reports the devices whose cables share trays."""


def _shared(plan: Plan) -> int | None:
    """Return the number of these devices where the study spreads the cables of any; None elsewhere."""
    attachments = (each for network in plan.study.get("network", ()) for each in network["attach"])
    asked = any("trays" in each.get("spread", ()) for each in attachments)
    return sum(item.rule == _TRAYS for item in plan.violations.items) if asked else None


QUANTITIES = (
    Quantity("errors", "", "lower", "design rule violations", "violations", lambda p: len(p.violations.errors)),
    Quantity(
        "warnings",
        "",
        "lower",
        "design rule warnings",
        "violations",
        lambda p: len(p.violations.items) - len(p.violations.errors),
    ),
    Quantity(
        "shared_tray_pairs", "", "lower", "devices all of whose cables share avoidable tray segments", "violations", _shared
    ),
)
