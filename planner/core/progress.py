"""Progress callbacks: callables ``progress(stage, done, total, **facts)``."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """Callback of running stages; `total` is 0 if it is unknown."""

    def __call__(self, stage: str, done: int, total: int, **facts: Any) -> None: ...


def silent(stage: str, done: int, total: int, **facts: Any) -> None:
    """Ignore progress."""
