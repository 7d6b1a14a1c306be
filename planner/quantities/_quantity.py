"""What a reported number is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planner.model import Plan


@dataclass(frozen=True)
class Quantity:
    """A number that a plan reports.

    Attributes
    ----------
    better
        ``"lower"``, ``"higher"``, or "" for a plain fact.
    needs
        The records of the plan that it is made of, by field name of `planner.model.Plan`.
    of
        From the plan to the number; None where it has no meaning.
    """

    name: str
    unit: str
    better: str
    meaning: str
    needs: str
    of: Callable[[Plan], Any]
