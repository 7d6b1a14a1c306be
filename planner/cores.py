"""Cores of this process and its tasks that no task uses, lent to threads of a task for a moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_pipe: tuple[int, int] | None = None
"""Pipe with a token for each core that is free, which all forked processes share, see `planner.executors.forks`."""


@contextmanager
def shared(pipe: tuple[int, int]) -> Iterator[None]:
    """Let `spare` take tokens from a pipe, here and in forked processes, while the context lasts."""
    global _pipe
    before, _pipe = _pipe, pipe
    try:
        yield
    finally:
        _pipe = before


@contextmanager
def spare(limit: int) -> Iterator[int]:
    """Take at most `limit` cores that are free now, and yield their number; they are given back at the end of the context.

    Examples
    --------
    >>> with spare(3) as cores:
    ...     cores
    0
    """
    tokens = b""
    if _pipe is not None and limit > 0:
        with suppress(BlockingIOError):
            tokens = os.read(_pipe[0], limit)
    try:
        yield len(tokens)
    finally:
        if tokens and _pipe is not None:
            os.write(_pipe[1], tokens)
