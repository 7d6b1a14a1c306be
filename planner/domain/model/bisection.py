"""Bounds on the bisection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Bisection(Record, name="bisection", needs=("topology",), network_needs=("topology",)):
    """Bounds on the bisection: minimum number of links between two halves of the routers.

    Of planes that are not joined, each is halved by itself, and bounds and cuts are summed.
    """

    spectral: float = value("the spectral lower bound, before rounding up", "links")
    lower: int = value("lower bound of the links between two halves", "links")
    upper: int = value("links of the best cut found", "links")
    side: np.ndarray = array("uint8", "R", "half of each router in that cut; the halves of a plane differ by at most 1")
    plane: np.ndarray = array("int32", "R", "plane of each router; 0 for all where planes are joined")
    found: dict[str, int] = value("minimum links found by each method")

    @property
    def method(self) -> str:
        """The first method that found the best cut."""
        return min(self.found, key=self.found.__getitem__)
