"""Outputs of a difference: JSON, workbook, sheets for print, and a web page; equal plans give equal bytes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from planner.core.outputs import write_together
from planner.core.progress import Progress, silent
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
    forms = [*FORMS, *([replacement] if replacement.is_needed(found) else [])]
    files = {form.FILE: partial(form.write, found) for form in forms}
    return write_together(files, folder, units_of(found.new.titled.study), progress=progress)
