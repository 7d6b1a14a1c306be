"""Output formats of comparisons; each file defines ``write(result, path)``, and its name is the file extension."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from planner.core.storage import replacing
from planner.studies.compare.running import Result


def write(result: Result, out: Path | str, formats: Iterable[str]) -> list[Path]:
    """Write a comparison to a folder and return the paths; each file is written atomically."""
    paths = []
    head = result.comparison.head
    for name in formats:
        path = Path(out) / f"{head.name}{'-quick' if head.quick else ''}.{name}"
        with replacing(path) as temporary:
            import_module(f"{__name__}.{name}").write(result, temporary)
        paths.append(path)
    return paths
