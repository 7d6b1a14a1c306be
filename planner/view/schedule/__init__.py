"""Cable schedules as records: those of a plan, of the folder of a plan, or of a file, and the difference of two.

What reads plans of others (changes since a revision, differences, verification) sees the rows of a schedule only: devices and
ports by name and number, where they are, and what was bought.
"""

from planner.view.schedule._changes import KINDS as CHANGES
from planner.view.schedule._changes import Change, changes
from planner.view.schedule._difference import (
    ADDED,
    KINDS,
    MOVED,
    RELABELED,
    REMOVED,
    REPLUGGED,
    SAME,
    CableChange,
    Device,
    DeviceChange,
    Difference,
    difference,
)
from planner.view.schedule._file import of_rows, read
from planner.view.schedule._nodes import nodes_of
from planner.view.schedule._plan import devices_of_plan, of_folder, of_plan
from planner.view.schedule._record import Connection, End

__all__ = [
    "ADDED", "CHANGES", "KINDS", "MOVED", "RELABELED", "REMOVED", "REPLUGGED", "SAME", "CableChange", "Change", "Connection",
    "Device", "DeviceChange", "Difference", "End", "changes", "devices_of_plan", "difference", "nodes_of",
    "of_folder", "of_plan", "of_rows", "read",
]  # fmt: skip
