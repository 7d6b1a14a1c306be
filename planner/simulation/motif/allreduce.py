"""Allreduce: all ranks get the sum over all ranks."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives


def messages(
    ranks: int,
    algorithm: Literal["ring", "recursive_doubling", "rabenseifner"] = "recursive_doubling",
    bytes: Annotated[int, Ge(0)] = 65536,
    iterations: Annotated[int, Ge(1)] = 10,
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of some allreduces, one after another.

    Parameters
    ----------
    ranks
        Ranks of the job.
    algorithm
        ``ring``: 2 (P - 1) phases of size / P. ``recursive_doubling``: log2 P phases of the full size. ``rabenseifner``:
        recursive halving, then recursive doubling, 2 log2 P phases with twice the size per rank in total. If
        P is not a power of two, the last two fold excess ranks first and send them the result at the end.
    bytes
        Size of the reduced vector.
    iterations
        Number of allreduces.
    compute_ns
        Compute time before each allreduce.

    References
    ----------
    .. [1] R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
    .. [2] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 10 (defaults).
    """
    program = Program(ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        collectives.ALLREDUCE[algorithm](program, collectives.everyone(program), bytes)
    return program.messages()
