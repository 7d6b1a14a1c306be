"""Quadratic assignment: exchanges, linear assignment, dual ascent."""
