"""Outputs of a difference: JSON, workbook, sheets for print, and a web page; equal plans give equal bytes."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from planner.core.progress import Progress, silent
from planner.core.storage import replacing
from planner.core.units import using
from planner.domain.model.project import units_of
from planner.studies.diff.outputs import json, page, pdf, replacement, workbook
from planner.studies.diff.outputs.terminal import lines as lines
from planner.studies.diff.result import Comparison

FORMS = (json, workbook, pdf, page)


def write(found: Comparison, folder: Path, *, progress: Progress = silent) -> list[Path]:
    """Write every output into a folder and return the paths; they appear when all are complete.

    Raises
    ------
    InputError
        When a sheet of the workbook is too long.
    """
    written = []
    forms = [*FORMS, *([replacement] if replacement.is_needed(found) else [])]
    with ExitStack() as together:
        for number, form in enumerate(forms):
            progress("outputs", number, len(forms))
            written.append(folder / form.FILE)
            temporary = together.enter_context(replacing(written[-1]))
            with using(units_of(found.new.titled.study)):
                form.write(found, temporary)
    progress("outputs", len(forms), len(forms))
    return written
