"""What a comparison is written as: a file is a format, which defines ``write(result, path)``; its name is the ending."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from planner.compare.running import Result
from planner.storage import replacing


def write(result: Result, out: Path | str, formats: Iterable[str]) -> list[Path]:
    """Write a comparison into a folder and return the paths; each file is there as a whole or not at all."""
    paths = []
    head = result.comparison.head
    for name in formats:
        path = Path(out) / f"{head.name}{'-quick' if head.quick else ''}.{name}"
        with replacing(path) as temporary:
            import_module(f"{__name__}.{name}").write(result, temporary)
        paths.append(path)
    return paths
