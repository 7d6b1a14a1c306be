"""Comparisons of networks: the best-fitting configuration of each family, planned in one room and simulated alike.

`load` reads a comparison, `run` plans and simulates every network as runs of a sweep, and `planner.studies.compare.outputs`
writes the results.
"""

from __future__ import annotations

from planner.studies.compare.comparison import Comparison
from planner.studies.compare.entries import Entry
from planner.studies.compare.running import Result, run
from planner.studies.compare.settings import load

__all__ = ["Comparison", "Entry", "Result", "load", "run"]
