"""All-to-all over rails: inside the node first, then every rank on its own rail."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, Gt

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives, nodes


def messages(
    ranks: int,
    node_ranks: Annotated[int, Ge(1)] = 8,
    algorithm: Literal["linear", "pairwise"] = "linear",
    bytes: Annotated[int, Ge(0)] = 4096,
    node_gbps: Annotated[float, Gt(0)] = 3600,
    node_ns: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 1,
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of some all-to-alls, one after another, that never change the rail on the network.

    A rank hands what is meant for rank j of any node to rank j of its own node, which sends it on with what it got from the
    others: N - 1 messages of `node_ranks` times the size per rank for N nodes, instead of one to each rank of another node.

    Parameters
    ----------
    ranks
        Ranks of the job; `node_ranks` consecutive ones are a node, and rank j of each node is on rail j.
    node_ranks
        Ranks of a node.
    algorithm
        On each rail, as for the motif ``alltoall``.
    bytes
        Bytes from each rank to each other rank.
    node_gbps
        Rate of a rank's link inside the node, in each direction; by default that of 18 links of 200 Gb/s [2]_.
    node_ns
        Latency of the exchange inside the node.
    iterations
        Number of all-to-alls.
    compute_ns
        Compute time before each all-to-all.

    Raises
    ------
    InputError
        When `node_ranks` does not divide the ranks.

    References
    ----------
    .. [1] S. Jeaugey et al., "Doubling all2all performance with NVIDIA Collective Communication Library 2.12", NVIDIA, 2022.
    .. [2] "NVIDIA H100 tensor core GPU architecture", NVIDIA, 2022 (NVLink: 900 GB/s in both directions together).
    """
    program, node = Program(ranks), nodes.nodes(ranks, node_ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        nodes.exchange(program, node, len(node) * bytes, node_gbps, node_ns)
        if len(node) > 1:
            collectives.ALLTOALL[algorithm](program, node.T, node_ranks * bytes)
    return program.messages()
