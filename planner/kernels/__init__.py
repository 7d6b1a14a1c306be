"""Compiled loops, by subject: arrays and numbers in, arrays filled, an int status out.

How they are compiled and cached is the affair of `planner.kernels._numba`, the only module that knows Numba.
"""

from __future__ import annotations

from planner.kernels._numba import bare, compile_for, compiled, inlined, merged, vectorized

__all__ = ["bare", "compile_for", "compiled", "inlined", "merged", "vectorized"]
