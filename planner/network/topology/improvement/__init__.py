"""Improvement of a network by exchanges of links."""
