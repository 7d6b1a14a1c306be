"""The stage `catalog`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planner.catalog import rows, select
from planner.model import Catalog
from planner.parts import Row
from planner.section import Section
from planner.stage import Run, Stage


def rows_of(run: Run, kind: str) -> tuple[Row, ...]:
    """Return the catalog rows of a kind, with those of the study's own files."""
    return rows(kind, _files(run.arguments("catalog"), run.study.base))


def _files(arguments: Mapping[str, Any], base: Path) -> tuple[str, ...]:
    return tuple(str(base / file) for file in arguments["files"])


def _select(arguments: Mapping[str, Any], base: Path) -> Catalog:
    return select(**{**arguments, "files": _files(arguments, base)})


STAGES = (
    Stage(
        record=Catalog,
        run=lambda run: _select(run.arguments("catalog"), run.study.base),
        rank=20,
        section=Section("catalog", (select,)),
        is_input=True,
        # Catalog files may change and are quick to read, so they are read on every run.
        stored=False,
        preview=_select,
    ),
)
