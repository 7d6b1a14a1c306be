"""Number of violated design rules."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

ORDER = 150

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
)
