"""Differences of two plans: what stays, what moves, what is bought, and in which order the crew changes it.

Devices are compared by name, cables by their ports; `planner.view.schedule` has the difference of two schedules. This package
adds what needs both plans as a whole: re-use of removed cables, the bill and the work order of the change, and its outputs.
"""

from planner.studies.diff.result import Comparison, Reuse
from planner.studies.diff.run import compared

__all__ = ["Comparison", "Reuse", "compared"]
