"""NPB SP skeleton: scalar pentadiagonal solver on a multi-partition."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge

from planner.simulation.messages import Messages
from planner.simulation.motif.ranks import multipartition


def messages(
    ranks: int,
    cells: Annotated[int, Ge(1)] = 102,
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 10,
) -> Messages:
    """Return the messages of time steps of SP on a square grid of ranks.

    In a step every rank exchanges faces with 6 neighbors, then solves lines in three directions, in
    √P - 1 stages forward, 22 values per cell of a face, and √P - 1 backward, 10 values.

    Parameters
    ----------
    ranks
        Ranks of the job, a square.
    cells
        Cells along an edge of the global cube; 102 is class B.
    compute_ns
        Compute time before each step.
    iterations
        Time steps.

    Raises
    ------
    InputError
        When the number of ranks is not a square.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", RNR-94-007, 1994; pattern of the NPB 3 MPI version.
    """
    return multipartition.messages(ranks, "SP", cells, 22, 10, compute_ns, iterations)
