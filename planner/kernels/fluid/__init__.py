"""Kernels of the flow-level model: flows over minimal ports, and waits at routers."""
