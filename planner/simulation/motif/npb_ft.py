"""NPB FT skeleton: one transposition of a 3-D field among all ranks in every iteration."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives

_VALUE = 16


def messages(
    ranks: int,
    cells: tuple[Annotated[int, Ge(1)], Annotated[int, Ge(1)], Annotated[int, Ge(1)]] = (256, 256, 128),
    algorithm: Literal["linear", "pairwise"] = "pairwise",
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 6,
) -> Messages:
    """Return the messages of FT iterations: an all-to-all of the field, then a sum of one complex number.

    Parameters
    ----------
    ranks
        Ranks of the job.
    cells
        Cells of the global field; 256 x 256 x 128 are class A.
    algorithm
        Algorithm of the all-to-all, see `alltoall`.
    compute_ns
        Compute time before each iteration.
    iterations
        Iterations; 6 are class A.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", NASA Ames RNR-94-007, 1994.
    """
    program = Program(ranks)
    everyone = collectives.everyone(program)
    for _ in range(iterations):
        program.compute(compute_ns)
        collectives.ALLTOALL[algorithm](program, everyone, -(-math.prod(cells) * _VALUE // ranks**2))
        collectives.allreduce_recursive_doubling(program, everyone, _VALUE)
    return program.messages()
