"""Reading of workbooks that the crew filled in: the plan and the notes of the crew."""

from planner.workbook._read import Table, Workbook, read

__all__ = ["Table", "Workbook", "read"]
