"""Rows of a plan's workbook."""
