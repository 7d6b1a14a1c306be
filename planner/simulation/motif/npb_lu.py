"""NPB LU skeleton: wavefronts over a grid of ranks in both directions, plane by plane."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids

_CELL = 5 * 8


def messages(
    ranks: int,
    grid: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)]] | None = None,
    cells: Annotated[int, Ge(3)] = 102,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 1,
) -> Messages:
    """Return the messages of SSOR iterations on px x py ranks; rank x + px y is at (x, y).

    In an iteration a wavefront runs from one corner to the other for each of the N - 2 inner planes, and another back, sending a
    line of 5 values per cell at each step; then faces of two layers are exchanged with up to 4 neighbors.

    Parameters
    ----------
    ranks
        Ranks of the job.
    grid
        px and py; nearly square by default.
    cells
        N, cells along an edge of the global cube; 102 is class B.
    compute_ns
        Compute time per plane.
    iterations
        Iterations.

    Raises
    ------
    InputError
        When the grid does not match the number of ranks.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", RNR-94-007, 1994; pattern of the NPB 3 MPI version.
    """
    px, py = grids.shape(ranks, grid, 2)
    place = np.arange(ranks).reshape(py, px).T
    along, across = -(-cells // py) * _CELL, -(-cells // px) * _CELL
    pairs = [(place[:-1], place[1:], along), (place[:, :-1], place[:, 1:], across)]
    source = np.concatenate([part.ravel() for one, other, _ in pairs for part in (one, other)])
    target = np.concatenate([part.ravel() for one, other, _ in pairs for part in (other, one)])
    line = np.concatenate([np.full(2 * one.size, size) for one, _, size in pairs])
    program = Program(ranks)
    for _ in range(iterations):
        for corner in (place, place[::-1, ::-1]):
            for _ in range(cells - 2):
                grids.wavefront(program, corner, along, across, compute_ns)
        program.send(source, target, 2 * cells * line)
    return program.messages()
