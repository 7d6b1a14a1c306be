"""Definition of a reported quantity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planner.domain.model import Plan


@dataclass(frozen=True)
class Quantity:
    """A quantity that a plan reports.

    Attributes
    ----------
    better
        ``"lower"``, ``"higher"``, or "" where neither is better.
    needs
        Records of the plan that it is computed from: field names of `planner.domain.model.Plan`, separated by spaces.
    of
        Computes the number from the plan; None where it does not apply.
    """

    name: str
    unit: str
    better: str
    meaning: str
    needs: str
    of: Callable[[Plan], Any]
