"""NPB DT skeleton: data flow through a graph: a gather tree, a scatter tree, or a shuffle."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Messages, Program


def messages(
    ranks: int,
    graph: Literal["black_hole", "white_hole", "shuffle"] = "black_hole",
    bytes: Annotated[int, Ge(0)] = 1 << 20,
    compute_ns: Annotated[int, Ge(0)] = 0,
) -> Messages:
    """Return the messages of one flow of data; every node waits for all inputs before it sends.

    Parameters
    ----------
    ranks
        Nodes of the graph.
    graph
        ``black_hole``: from the leaves of a 4-ary tree to its root. ``white_hole``: from the root to the leaves.
        ``shuffle``: through log2 w + 1 layers of w nodes, from each to two; 80, 192 and 448 nodes are classes A, B, C.
    bytes
        Size of every message; constant here, whereas message sizes of the benchmark vary.
    compute_ns
        Compute time of each node before it sends.

    Raises
    ------
    InputError
        When no shuffle has this number of nodes.

    References
    ----------
    .. [1] M. Frumkin, L. Shabanov, "Arithmetic data cube as a data intensive benchmark", NASA Ames NAS-03-005, 2003; the
       graphs are those of NPB 3.
    """
    program = Program(ranks)
    if graph == "shuffle":
        width = _width(ranks)
        node = np.arange(width)
        for layer in range(width.bit_length() - 1):
            program.compute(compute_ns, layer * width + node)
            both = np.stack([node, node ^ (1 << layer)])
            program.send(layer * width + np.stack([node, node]), (layer + 1) * width + both, bytes)
        return program.messages()
    level = np.array([_level(node) for node in range(ranks)])
    for depth in range(1, int(level[-1]) + 1):
        child = np.flatnonzero(level == (depth if graph == "white_hole" else level[-1] + 1 - depth))
        parent = (child - 1) // 4
        source, target = (parent, child) if graph == "white_hole" else (child, parent)
        program.compute(compute_ns, np.unique(source))
        program.send(source, target, bytes)
    return program.messages()


def _level(node: int) -> int:
    """Return the depth of a node of a 4-ary tree."""
    level = 0
    while node:
        node, level = (node - 1) // 4, level + 1
    return level


def _width(ranks: int) -> int:
    known = {(layer + 1) << layer: 1 << layer for layer in range(1, 24)}
    if ranks not in known:
        nearest = min(known, key=lambda number: abs(number - ranks))
        raise InputError(Problem("ranks", f"no shuffle has {ranks} nodes", f"use {nearest}, for example"))
    return known[ranks]
