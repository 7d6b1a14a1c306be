"""NPB IS skeleton: a sum over buckets, then an all-to-all of the keys."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives

_KEY = 4


def messages(
    ranks: int,
    keys: Annotated[int, Ge(1)] = 2**23,
    buckets: Annotated[int, Ge(1)] = 1024,
    algorithm: Literal["linear", "pairwise"] = "pairwise",
    compute_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 10,
) -> Messages:
    """Return the messages of IS iterations: an allreduce of the buckets' sizes, an all-to-all of counts, one of keys.

    Keys are assumed to be uniform.

    Parameters
    ----------
    ranks
        Ranks of the job.
    keys
        Number of keys; 2^23 is class A.
    buckets
        Number of buckets; 1,024 is class A.
    algorithm
        Algorithm of the all-to-all, see `alltoall`.
    compute_ns
        Compute time before each iteration.
    iterations
        Iterations.

    References
    ----------
    .. [1] D. H. Bailey et al., "The NAS parallel benchmarks", RNR-94-007, 1994; pattern of the NPB 3 MPI version.
    """
    program = Program(ranks)
    everyone = collectives.everyone(program)
    for _ in range(iterations):
        program.compute(compute_ns)
        collectives.allreduce_recursive_doubling(program, everyone, buckets * _KEY)
        collectives.ALLTOALL[algorithm](program, everyone, _KEY)
        collectives.ALLTOALL[algorithm](program, everyone, -(-keys * _KEY // ranks**2))
    return program.messages()
