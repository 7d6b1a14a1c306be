"""Outputs of all phases: figures as JSON, sheets for print, a web page, windows of work, and the difference of each step."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from planner.core.outputs import write_together
from planner.core.progress import Progress, silent
from planner.core.spreadsheet import Writer
from planner.domain.model.project import units_of
from planner.studies.diff.outputs import write as write_difference
from planner.studies.phased.outputs import json, page, pdf
from planner.studies.phased.outputs._windows import COLUMNS, window_rows
from planner.studies.phased.outputs.terminal import lines as lines
from planner.studies.phased.plans import Phases
from planner.studies.phased.steps import PhaseStep

WINDOWS = "windows.csv"


def folder_of(before: PhaseStep, after: PhaseStep) -> str:
    """Return the name of the folder of a step."""
    return f"{before.name}-{after.name}"


def write(found: Phases, folder: Path, *, progress: Progress = silent) -> list[Path]:
    """Write all outputs into a folder and return the paths; a file appears only when it is complete.

    The folder of a step has its windows of work as CSV, and the outputs of the difference of the two plans.
    """
    written: list[Path] = []
    for number, (before, after) in enumerate(zip(found.steps, found.steps[1:], strict=False)):
        progress("steps", number, len(found.steps) - 1)
        if after.difference is None:
            continue
        own = folder / folder_of(before, after)
        written += write_difference(after.difference, own)
        written += write_together({WINDOWS: partial(_write_windows, after)}, own, units_of(after.plan.study))
    files = {form.FILE: partial(form.write, found) for form in (json, pdf, page) if form is json or found.placed is not None}
    written += write_together(files, folder, units_of(found.plans[-1].study))
    progress("steps", 1, 1)
    return written


def _write_windows(step: PhaseStep, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        rows.writerows(window_rows(step))
