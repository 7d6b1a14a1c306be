"""Hierarchical allreduce: reduce-scatter inside the node, allreduce on every rail, allgather inside the node."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, Gt

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives, nodes


def messages(
    ranks: int,
    node_ranks: Annotated[int, Ge(1)] = 8,
    algorithm: Literal["ring", "recursive_doubling", "rabenseifner"] = "ring",
    bytes: Annotated[int, Ge(0)] = 65536,
    node_gbps: Annotated[float, Gt(0)] = 3600,
    node_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 1,
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of some hierarchical allreduces, one after another.

    Every rank reduces a part of the vector inside its node, sums that part over all nodes on its rail, and distributes the
    result inside its node.

    Parameters
    ----------
    ranks
        Ranks of the job; `node_ranks` consecutive ones are a node, and rank j of each node is on rail j.
    node_ranks
        Ranks of a node.
    algorithm
        On each rail, as for the motif ``allreduce``.
    bytes
        Size of the reduced vector.
    node_gbps
        Rate of a rank's link inside the node, in each direction; by default that of 18 links of 200 Gb/s [2]_.
    node_ns
        Latency of each exchange inside the node.
    iterations
        Number of allreduces.
    compute_ns
        Compute time before each allreduce.

    Raises
    ------
    InputError
        When `node_ranks` does not divide the ranks.

    Notes
    -----
    Differs from [1]_, where one rank of each node reduces and broadcasts for all: here every rank reduces its part, so that all
    rails carry data at once.

    References
    ----------
    .. [1] X. Jia et al., "Highly scalable deep learning training system with mixed-precision: training ImageNet in four minutes",
       arXiv:1807.11205, 2018 (hierarchical allreduce).
    .. [2] "NVIDIA H100 tensor core GPU architecture", NVIDIA, 2022 (NVLink: 900 GB/s in both directions together).
    """
    program, node = Program(ranks), nodes.nodes(ranks, node_ranks)
    part = -(-bytes // node_ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        nodes.exchange(program, node, part, node_gbps, node_ns)
        if len(node) > 1:
            collectives.ALLREDUCE[algorithm](program, node.T, part)
        nodes.exchange(program, node, part, node_gbps, node_ns)
    return program.messages()
