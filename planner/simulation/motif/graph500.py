"""Graph500 skeleton: breadth-first search with an all-to-all of visited vertices and a sum on every level."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, Gt, MinLen

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives

_EDGE = 16


def messages(
    ranks: int,
    scale: Annotated[int, Ge(1)] = 20,
    edge_factor: Annotated[int, Ge(1)] = 16,
    levels: Annotated[tuple[Annotated[float, Gt(0)], ...], MinLen(1)] = (1, 20, 60, 18, 1),
    algorithm: Literal["linear", "pairwise"] = "linear",
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of one search from one root.

    On every level each rank sends an equal share of that level's edges (vertex pairs) to each other rank;
    then an allreduce counts the visited vertices.

    Parameters
    ----------
    ranks
        Ranks of the job.
    scale
        log2 of the vertices.
    edge_factor
        Edges per vertex.
    levels
        Relative number of edges visited on each level; the default is an assumption: few
        levels, one of them with the majority of edges.
    algorithm
        Algorithm of the all-to-all, see `alltoall`.
    compute_ns
        Compute time before each level.

    Notes
    -----
    Differs from [1]_: no graph is built or searched. Levels have assumed shares of the edges, equal for all pairs of ranks, and
    there is one root instead of 64.

    References
    ----------
    .. [1] R. C. Murphy et al., "Introducing the Graph 500", Cray User Group, 2010 (scale, edge factor).
    """
    edges = edge_factor << scale
    program = Program(ranks)
    everyone = collectives.everyone(program)
    for share in levels:
        program.compute(compute_ns)
        size = -(-int(edges * share / sum(levels)) * _EDGE // ranks**2)
        collectives.ALLTOALL[algorithm](program, everyone, size)
        collectives.allreduce_recursive_doubling(program, everyone, 8)
    return program.messages()
