"""Halo3D-26: every rank of a 3-D grid exchanges its surface with all 26 neighbors."""

from __future__ import annotations

import math
from itertools import product
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids


def messages(
    ranks: int,
    grid: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)], Annotated[int, Ge(1)]] | None = None,
    cells: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)], Annotated[int, Ge(1)]] = (100, 100, 100),
    fields: Annotated[int, Ge(1)] = 1,
    bytes_per_value: Annotated[int, Ge(1)] = 8,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 10,
) -> Messages:
    """Return the messages of Halo3D-26 on px x py x pz ranks; rank x + px (y + py z) is at (x, y, z).

    In an iteration a rank computes, sends to up to 6 faces (ny·nz, nx·nz and nx·ny cells), 12 edges (nx,
    ny or nz cells) and 8 corners (one cell), all at once, and waits for the same messages. The grid is not periodic.

    Parameters
    ----------
    ranks
        Ranks of the job.
    grid
        px, py and pz; nearly cubic by default.
    cells
        nx, ny and nz of each rank.
    fields
        Values per cell.
    bytes_per_value
        Bytes of a value.
    compute_ns
        Compute time before each exchange.
    iterations
        Exchanges.

    Raises
    ------
    InputError
        When the grid does not match the number of ranks.

    References
    ----------
    .. [1] S. D. Hammond et al., "Ember: reference communication patterns for exascale", Sandia National Laboratories, 2015.
    """
    shape = grids.shape(ranks, grid, 3)
    place = np.arange(ranks).reshape(shape[::-1]).T
    phase = []
    for step in product((-1, 0, 1), repeat=3):
        if any(step):
            # The message has the cells of the axes without displacement.
            cells_bytes = math.prod(count for count, move in zip(cells, step, strict=True) if not move) * fields * bytes_per_value
            own = tuple(slice(max(0, -move), length - max(0, move)) for move, length in zip(step, shape, strict=True))
            far = tuple(slice(max(0, move), length - max(0, -move)) for move, length in zip(step, shape, strict=True))
            source = place[own].ravel()
            phase.append((source, place[far].ravel(), np.full(len(source), cells_bytes)))
    source, target, size = (np.concatenate(parts) for parts in zip(*phase, strict=True))
    program = Program(ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        program.send(source, target, size)
    return program.messages()
