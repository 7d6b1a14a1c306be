"""Progress is a plain callable ``progress(stage, done, total, **facts)``; here is the silent one."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """What stages call while they work; `total` 0 means that the end is not known."""

    def __call__(self, stage: str, done: int, total: int, **facts: Any) -> None: ...


def silent(stage: str, done: int, total: int, **facts: Any) -> None:
    """Report nothing."""
