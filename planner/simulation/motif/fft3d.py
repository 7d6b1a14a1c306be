"""3-D FFT on pencils: all-to-alls in the columns, then in the rows of a grid of ranks."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives


def messages(
    ranks: int,
    shape: Literal["balanced", "unbalanced"] = "balanced",
    rows: Annotated[int, Ge(1)] | None = None,
    cells: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)], Annotated[int, Ge(1)]] = (128, 128, 128),
    bytes_per_value: Annotated[int, Ge(1)] = 16,
    algorithm: Literal["linear", "pairwise"] = "pairwise",
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 1,
) -> Messages:
    """Return the messages of forward and inverse transforms; rank r = column · rows + row.

    Forward: an all-to-all among the ranks of each column, then of each row, computing before each; inverse:
    the same in reverse. A rank holds an equal share of all cells and sends 1/n of it to each other rank of a group of n.

    Parameters
    ----------
    ranks
        Ranks of the job.
    shape
        ``balanced``: nearly square. ``unbalanced``: the smallest number of rows above one.
    rows
        Rows of the grid, instead of `shape`.
    cells
        Cells of the global field.
    bytes_per_value
        Bytes of a complex number.
    algorithm
        Algorithm of the all-to-all, see `alltoall`.
    compute_ns
        Compute time before each all-to-all.
    iterations
        Number of forward and inverse transforms.

    Raises
    ------
    InputError
        When `rows` does not divide the ranks.

    References
    ----------
    .. [1] S. D. Hammond et al., "Ember: reference communication patterns for exascale", Sandia National Laboratories, 2015.
    .. [2] S. Young et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks", IPDPS 2022.
    """
    divisors = [number for number in range(1, ranks + 1) if ranks % number == 0]
    if rows is None:
        rows = (
            min(divisors, key=lambda number: (abs(number - ranks // number), number)) if shape == "balanced" else divisors[:2][-1]
        )
    if ranks % rows:
        raise InputError(Problem("rows", f"{rows} does not divide {ranks} ranks", f"use one of {divisors}"))
    program = Program(ranks)
    columns = np.arange(ranks).reshape(-1, rows)
    local_bytes = -(-math.prod(cells) * bytes_per_value // ranks)
    for _ in range(iterations):
        for groups in (columns, columns.T, columns.T, columns):
            program.compute(compute_ns)
            collectives.ALLTOALL[algorithm](program, groups, -(-local_bytes // groups.shape[1]))
    return program.messages()
