"""Matrix product: broadcasts of blocks along the rows and columns of a square of ranks."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives, grids

_VALUE = 8


def messages(ranks: int, rows: Annotated[int, Ge(1)] = 4096, compute_ns: Annotated[int, Ge(0)] = 0) -> Messages:
    """Return the messages of one product of square matrices by SUMMA, blocks of rows / √P a side.

    In step k of √P the ranks of column k broadcast their block of the first matrix along their rows, those of row k their
    block of the second along their columns, by binomial trees.

    Parameters
    ----------
    ranks
        Ranks of the job, a square.
    rows
        Rows of the matrices.
    compute_ns
        Compute time before each step.

    Raises
    ------
    InputError
        When the number of ranks is not a square.

    Notes
    -----
    Differs from [1]_: a step broadcasts whole blocks, one matrix after the other, down binomial trees, instead of narrower panels
    passed on in pipelines.

    References
    ----------
    .. [1] R. A. van de Geijn, J. Watts, "SUMMA: scalable universal matrix multiplication algorithm", Concurrency, 1997.
    """
    place = grids.square(ranks, "a matrix product")
    size = (-(-rows // len(place))) ** 2 * _VALUE
    program = Program(ranks)
    for step in range(len(place)):
        program.compute(compute_ns)
        for lines in (place, place.T):
            collectives.broadcast_binomial(program, lines, size, step)
    return program.messages()
