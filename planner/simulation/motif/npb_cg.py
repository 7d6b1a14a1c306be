"""NPB CG skeleton: conjugate gradients on a grid of ranks, sums along rows and an exchange across the diagonal."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids

_VALUE = 8


def messages(
    ranks: int,
    rows: Annotated[int, Ge(1)] = 75000,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 25,
) -> Messages:
    """Return the messages of CG iterations on 2^k ranks, with equally many columns and rows or twice as many columns.

    An iteration has log2 columns exchanges that sum a vector segment along each row of ranks, one transposition
    across the diagonal, and twice log2 columns exchanges that sum a scalar.

    Parameters
    ----------
    ranks
        Ranks of the job, a power of two.
    rows
        Rows of the matrix; 75,000 is class B.
    compute_ns
        Compute time before each iteration.
    iterations
        Iterations; 25 are one solution.

    Raises
    ------
    InputError
        When the number of ranks is not a power of two.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", RNR-94-007, 1994; pattern of the NPB 3 MPI version.
    """
    exponent = grids.power_of_two(ranks, "CG")
    high = 1 << exponent // 2
    wide = ranks // high
    me = np.arange(ranks)
    column, twice = me % wide, wide // high
    across = twice * (me // twice % high * high + me // twice // high) + me % twice
    partners = [me - column + (column ^ distance) for distance in (wide >> step for step in range(1, wide.bit_length()))]
    program = Program(ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        for partner in partners:
            program.send(me, partner, -(-rows // high) * _VALUE)
        program.send(me, across, -(-rows // wide) * _VALUE)
        for partner in partners * 2:
            program.send(me, partner, _VALUE)
    return program.messages()
