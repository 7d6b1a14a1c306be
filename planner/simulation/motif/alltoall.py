"""All-to-all: every rank sends a message to every other."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives


def messages(
    ranks: int,
    algorithm: Literal["linear", "pairwise"] = "pairwise",
    bytes: Annotated[int, Ge(0)] = 4096,
    iterations: Annotated[int, Ge(1)] = 1,
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of some all-to-alls, one after another.

    Parameters
    ----------
    ranks
        Ranks of the job.
    algorithm
        ``linear``: all P - 1 messages at once, to the next rank first. ``pairwise``: P - 1 phases, in each
        one message to and one from each rank.
    bytes
        Size of a message.
    iterations
        Number of all-to-alls.
    compute_ns
        Compute time before each all-to-all.

    Notes
    -----
    As in [1]_ for medium messages (``linear``) and long ones (``pairwise``); its algorithm for short messages is not here.

    References
    ----------
    .. [1] R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
    """
    program = Program(ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        collectives.ALLTOALL[algorithm](program, collectives.everyone(program), bytes)
    return program.messages()
