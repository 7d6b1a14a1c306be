"""Sweep3D: wavefronts over a grid of ranks from all its corners."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids


def messages(
    ranks: int,
    grid: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)]] | None = None,
    cells: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)], Annotated[int, Ge(1)]] = (50, 50, 50),
    block: Annotated[int, Ge(1)] = 1,
    fields: Annotated[int, Ge(1)] = 8,
    bytes_per_value: Annotated[int, Ge(1)] = 8,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 10,
) -> Messages:
    """Return the messages of Sweep3D on px x py ranks; rank x + px y is at (x, y).

    An iteration has eight sweeps, two from each corner. A sweep has nz / block blocks; for each a rank
    waits for its two neighbors upstream, computes, and sends nx · block · fields values on in x and ny · block · fields in y.

    Parameters
    ----------
    ranks
        Ranks of the job.
    grid
        px and py; nearly square by default.
    cells
        nx, ny and nz of each rank.
    block
        Layers of cells per message; must divide nz.
    fields
        Values per cell.
    bytes_per_value
        Bytes of a value.
    compute_ns
        Compute time per block.
    iterations
        Iterations.

    Raises
    ------
    InputError
        When the grid does not match the number of ranks, or the block does not divide nz.

    References
    ----------
    .. [1] S. D. Hammond et al., "Ember: reference communication patterns for exascale", Sandia National Laboratories, 2015
       (pattern and defaults except `compute_ns` and `iterations`).
    .. [2] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 10 (10 iterations).
    """
    px, py = grids.shape(ranks, grid, 2)
    nx, ny, nz = cells
    if nz % block:
        fits = max(size for size in range(1, block) if nz % size == 0)
        raise InputError(Problem("block", f"{block} does not divide nz = {nz}", f"use {fits}, for example"))
    program = Program(ranks)
    place = np.arange(ranks).reshape(py, px).T
    size = block * fields * bytes_per_value
    for _ in range(iterations):
        for corner in (place, place[::-1], place[::-1, ::-1], place[:, ::-1]):
            for _ in range(2 * nz // block):
                grids.wavefront(program, corner, nx * size, ny * size, compute_ns)
    return program.messages()
