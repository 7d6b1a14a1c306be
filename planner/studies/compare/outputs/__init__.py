"""Output formats of comparisons; each file defines ``write(result, path)``, and its name is the file extension."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path

from planner.core.outputs import write_together
from planner.domain.model.project import units_of
from planner.studies.compare.running import Result


def write(result: Result, out: Path | str, formats: Iterable[str]) -> list[Path]:
    """Write a comparison to a folder and return the paths; they appear when all are complete."""
    head = result.comparison.head
    stem = f"{head.name}{'-quick' if head.quick else ''}"
    files = {f"{stem}.{name}": partial(import_module(f"{__name__}.{name}").write, result) for name in formats}
    return write_together(files, Path(out), units_of({}))
