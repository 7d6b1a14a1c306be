"""Broken and strained design rules."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

QUANTITIES = (
    Quantity("errors", "", "lower", "broken design rules", "violations", lambda p: len(p.violations.errors)),
    Quantity(
        "warnings",
        "",
        "lower",
        "strained design rules",
        "violations",
        lambda p: len(p.violations.items) - len(p.violations.errors),
    ),
)
