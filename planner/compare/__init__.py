"""Comparisons: for each family the configuration that fits best, planned in one room, simulated alike, side by side.

`load` reads what is wanted, `run` plans and simulates every network as runs of a sweep, and `planner.compare.outputs`
writes what came of it.
"""

from __future__ import annotations

from planner.compare.comparison import Comparison
from planner.compare.entries import Entry
from planner.compare.running import Result, run
from planner.compare.settings import load

__all__ = ["Comparison", "Entry", "Result", "load", "run"]
