"""Ranks as grids."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Program


def dimensions(ranks: int, count: int) -> tuple[int, ...]:
    """Return balanced factors of `ranks`, largest first.

    >>> dimensions(24, 3), dimensions(7, 2)
    ((4, 3, 2), (7, 1))
    """
    if count == 1:
        return (ranks,)
    best = (*dimensions(ranks, count - 1), 1)
    for last in range(2, math.floor(ranks ** (1 / count) + 1e-9) + 1):
        if ranks % last == 0:
            shape = (*dimensions(ranks // last, count - 1), last)
            if sum(shape) < sum(best):
                best = shape
    return best


def shape(ranks: int, wanted: Sequence[int] | None, count: int) -> tuple[int, ...]:
    """Return the requested shape of a grid, or a nearly square or cubic one.

    Raises
    ------
    InputError
        When the grid does not match the number of ranks.
    """
    if wanted is None:
        return dimensions(ranks, count)
    if len(wanted) != count or math.prod(wanted) != ranks:
        nearest = " x ".join(map(str, dimensions(ranks, count)))
        given = " x ".join(map(str, wanted))
        raise InputError(Problem("grid", f"{given} is not a {count}-D grid of {ranks} ranks", f"use {nearest}, for example"))
    return tuple(wanted)


def square(ranks: int, pattern: str) -> np.ndarray:
    """Return the ranks as a square grid, int64 (q, q).

    Raises
    ------
    InputError
        When their number is not a square.
    """
    side = math.isqrt(ranks)
    if side * side != ranks:
        raise InputError(Problem("ranks", f"{pattern} needs a square, not {ranks}", f"use {side**2} or {(side + 1) ** 2}"))
    return np.arange(ranks).reshape(side, side)


def power_of_two(ranks: int, pattern: str) -> int:
    """Return the exponent of a power of two.

    Raises
    ------
    InputError
        When `ranks` is not a power of two.
    """
    exponent = ranks.bit_length() - 1
    if ranks != 1 << exponent:
        raise InputError(
            Problem("ranks", f"{pattern} needs a power of two, not {ranks}", f"use {1 << exponent} or {2 << exponent}")
        )
    return exponent


def wavefront(program: Program, grid: np.ndarray, along: int, across: int, compute_ns: int) -> None:
    """Sweep one block over a grid from its first corner: each rank waits for two neighbors, computes, and sends to two.

    Parameters
    ----------
    grid
        Ranks, int (x, y); flip it to start at another corner.
    along, across
        Bytes to the next rank in x and in y.
    """
    width, height = grid.shape
    for diagonal in range(width + height - 1):
        x = np.arange(max(0, diagonal - height + 1), min(width, diagonal + 1))
        y = diagonal - x
        program.compute(compute_ns, grid[x, y])
        right, up = x + 1 < width, y + 1 < height
        source = np.concatenate([grid[x, y][right], grid[x, y][up]])
        target = np.concatenate([grid[x[right] + 1, y[right]], grid[x[up], y[up] + 1]])
        if len(source):
            program.send(source, target, np.repeat([along, across], [right.sum(), up.sum()]))
