"""Syntax of files that several formats share."""
