"""Broadcast: one rank sends to all along a binomial tree."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.simulation.messages import Messages, Program
from planner.simulation.motif.ranks import collectives


def messages(
    ranks: int,
    bytes: Annotated[int, Ge(0)] = 65536,
    root: Annotated[int, Ge(0)] = 0,
    iterations: Annotated[int, Ge(1)] = 1,
) -> Messages:
    """Return the messages of some broadcasts: P - 1 each, in ⌈log2 P⌉ phases.

    A rank starts the next broadcast as soon as it has forwarded the last, so that broadcasts overlap.

    Parameters
    ----------
    ranks
        Ranks of the job.
    bytes
        Message size.
    root
        Source rank.
    iterations
        Number of broadcasts.

    Raises
    ------
    InputError
        When there is no such root.
    """
    if root >= ranks:
        raise InputError(Problem("root", f"there is no rank {root}", f"use 0 to {ranks - 1}"))
    program = Program(ranks)
    # A single rank sends nothing, however often.
    for _ in range(iterations if ranks > 1 else 0):
        collectives.broadcast_binomial(program, collectives.everyone(program), bytes, root)
    return program.messages()
