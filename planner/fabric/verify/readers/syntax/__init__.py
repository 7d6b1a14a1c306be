"""Syntax that several discovery formats share, and the opening of files from strangers."""
