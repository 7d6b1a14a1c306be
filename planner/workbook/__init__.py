"""Reading of workbooks that the crew filled in: the plan and the notes of the crew."""

from planner.workbook.tables import Table, Workbook, read

__all__ = ["Table", "Workbook", "read"]
