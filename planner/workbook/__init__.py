"""Workbooks that come back from the floor: what was planned, and what the crew noted."""

from planner.workbook._read import Table, Workbook, read

__all__ = ["Table", "Workbook", "read"]
