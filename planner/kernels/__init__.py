"""Compiled kernels, in folders by subject: they take arrays and numbers, fill arrays, and return an int status.

`planner.kernels._numba` compiles and caches them; `python -m planner.kernels` compiles all.
"""

from __future__ import annotations

from planner.kernels._numba import (
    CACHE_FOLDER,
    always_inlined,
    compile_for,
    compiled,
    copied_into_callers,
    load,
    specialized,
    uncounted,
    vectorized,
    vectorized_sum,
)

__all__ = [
    "CACHE_FOLDER",
    "always_inlined",
    "compile_for",
    "compiled",
    "copied_into_callers",
    "load",
    "specialized",
    "uncounted",
    "vectorized",
    "vectorized_sum",
]
