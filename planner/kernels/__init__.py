"""Compiled kernels, in folders by subject: they take arrays and numbers, fill arrays, and return an int status.

`planner.kernels._numba`, the only module that imports Numba, compiles and caches them.
"""

from __future__ import annotations

from planner.kernels._numba import (
    CACHE_FOLDER,
    bare,
    compile_for,
    compiled,
    inlined,
    load,
    merged,
    specialized,
    summed,
    vectorized,
)

__all__ = ["CACHE_FOLDER", "bare", "compile_for", "compiled", "inlined", "load", "merged", "specialized", "summed", "vectorized"]
