"""Workbooks: rows of XML, the first sheet, and books that crews fill in."""
