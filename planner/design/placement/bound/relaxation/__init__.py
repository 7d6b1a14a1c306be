"""Relaxations that the lower bounds share."""
