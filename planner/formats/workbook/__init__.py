"""Reading of workbooks that the crew filled in: the plan, the notes of the crew, and what was built otherwise."""

from planner.formats.workbook.built import Deviation, deviations
from planner.formats.workbook.tables import Table, Workbook, read

__all__ = ["Deviation", "Table", "Workbook", "deviations", "read"]
