"""What stands in a plan's workbook."""
