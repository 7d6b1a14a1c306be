"""Comparisons of networks: the best-fitting configuration of each family, planned in one room and simulated alike.

`load` reads a comparison, `run` plans and simulates every network as runs of a sweep, and `planner.compare.outputs`
writes the results.
"""

from __future__ import annotations

from planner.compare.comparison import Comparison
from planner.compare.entries import Entry
from planner.compare.running import Result, run
from planner.compare.settings import load

__all__ = ["Comparison", "Entry", "Result", "load", "run"]
