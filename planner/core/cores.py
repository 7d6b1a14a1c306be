"""Cores of this process and its tasks that no task uses, lent to threads of a task for a moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait

_pipes: tuple[tuple[int, int], tuple[int, int]] | None = None
"""Pipe with a token for each core that is free, and pipe with a byte for each process that waits for one; all forked processes
share them, see `planner.core.executors.forks`."""


@contextmanager
def shared(tokens: tuple[int, int], waiting: tuple[int, int]) -> Iterator[None]:
    """Let `spare` take tokens from a pipe while nobody waits for one, here and in forked processes, while the context lasts."""
    global _pipes
    before, _pipes = _pipes, (tokens, waiting)
    try:
        yield
    finally:
        _pipes = before


@contextmanager
def spare(limit: int) -> Iterator[int]:
    """Take at most `limit` cores that are free now, and yield their number; they are given back at the end of the context.

    Tasks go first: a thread that takes a core again and again would leave none to them.

    Examples
    --------
    >>> with spare(3) as cores:
    ...     cores
    0
    """
    taken = b""
    if _pipes is not None and limit > 0 and not wait([_pipes[1][0]], 0):
        with suppress(BlockingIOError):
            taken = os.read(_pipes[0][0], limit)
    try:
        yield len(taken)
    finally:
        if taken and _pipes is not None:
            os.write(_pipes[0][1], taken)
