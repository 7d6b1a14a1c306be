"""Ranks in nodes of several ranks, one on each rail; links inside a node."""

from __future__ import annotations

import math

import numpy as np

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Program


def nodes(ranks: int, node_ranks: int) -> np.ndarray:
    """Return the ranks of each node, int64 (nodes, node_ranks): consecutive ones; its columns are the rails.

    Raises
    ------
    InputError
        When the last node would be incomplete.
    """
    if ranks % node_ranks:
        raise InputError(
            Problem("node_ranks", f"{node_ranks} ranks per node do not divide {ranks} ranks", "use a divisor, or other ranks")
        )
    return np.arange(ranks).reshape(-1, node_ranks)


def exchange(program: Program, node: np.ndarray, size: int, node_gbps: float, node_ns: int) -> None:
    """Let every rank send `size` bytes to each other rank of its node, one after the other over its link inside the node.

    Parameters
    ----------
    node
        Ranks of each node, int (nodes, node_ranks).
    size
        Bytes to each other rank.
    node_gbps
        Rate of a rank's link inside the node, in each direction.
    node_ns
        Latency of the exchange.
    """
    others = node.shape[1] - 1
    if not others:
        return
    program.compute(node_ns + math.ceil(others * size * 8 / node_gbps))
    turn = (np.arange(others + 1)[:, None] + np.arange(1, others + 1)) % (others + 1)
    program.send(node[:, :, None], node[:, turn], size, local=True)
