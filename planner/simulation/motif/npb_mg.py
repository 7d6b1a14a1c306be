"""NPB MG skeleton: halo exchanges on grids from fine to coarse and back."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids

_VALUE = 8


def messages(
    ranks: int,
    cells: Annotated[int, Ge(1)] = 256,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 4,
) -> Messages:
    """Return the messages of V-cycles on a periodic 3-D grid of 2^k ranks.

    A halo exchange sends one face to both neighbors in x, then in y, then in z. A cycle has one per level
    going coarser and two per level going finer. Levels on which some rank has no cell are omitted.

    Parameters
    ----------
    ranks
        Ranks of the job, a power of two.
    cells
        Cells along an edge of the global cube; 256 is class B.
    compute_ns
        Compute time before each halo exchange.
    iterations
        Cycles; 20 are class B.

    Raises
    ------
    InputError
        When the number of ranks is not a power of two.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", RNR-94-007, 1994; pattern of the NPB 3 MPI version.
    """
    grids.power_of_two(ranks, "MG")
    shape = grids.dimensions(ranks, 3)
    place = np.arange(ranks).reshape(shape[::-1]).T
    levels = [cells]
    while levels[-1] % 2 == 0 and levels[-1] // 2 >= max(shape):
        levels.append(levels[-1] // 2)
    program = Program(ranks)
    for _ in range(iterations):
        for level in levels[1:] + [level for level in levels[::-1] for _ in range(2)]:
            program.compute(compute_ns)
            local = [-(-level // count) + 2 for count in shape]
            for axis in range(3):
                size = int(np.prod(local)) // local[axis] * _VALUE
                both = np.stack([np.roll(place, 1, axis=axis), np.roll(place, -1, axis=axis)])
                program.send(np.stack([place, place]), both, size)
    return program.messages()
