"""Multi-partition scheme of BT and SP: cubes of cells on a square of ranks, line solves in three directions."""

from __future__ import annotations

import numpy as np

from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import grids

_VALUE = 8


def messages(ranks: int, name: str, cells: int, forward: int, backward: int, compute_ns: int, iterations: int) -> Messages:
    """Return the messages of time steps of a solver on the multi-partition scheme of q x q ranks.

    In a step every rank exchanges faces, two layers of 5 values, with its 6 neighbors; then, in each of the three
    directions, q - 1 stages of elimination send `forward` values for each cell of a face to the successor, and q - 1
    stages of substitution `backward` values to the predecessor. A rank holds q cubes of cells / q cells a side.
    """
    place = grids.square(ranks, name)
    side = len(place)
    face = (-(-cells // side)) ** 2 * _VALUE
    after = [np.roll(place, -1, axis=1), np.roll(place, -1, axis=0), np.roll(place, (-1, -1), axis=(0, 1))]
    before = [np.roll(place, 1, axis=1), np.roll(place, 1, axis=0), np.roll(place, (1, 1), axis=(0, 1))]
    program = Program(ranks)
    for _ in range(iterations):
        program.compute(compute_ns)
        program.send(np.broadcast_to(place, (6, side, side)), np.stack(after + before), 10 * side * face)
        for axis in range(3):
            for _ in range(side - 1):
                program.send(place, after[axis], forward * face)
            for _ in range(side - 1):
                program.send(place, before[axis], backward * face)
    return program.messages()
