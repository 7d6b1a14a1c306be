"""Placement of items on slots: layouts and their annealing."""
