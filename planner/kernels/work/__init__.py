"""Kernels of the work order."""
