"""A run of all phases: plans, and what is written of them and of the steps between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.core.progress import Progress, silent
from planner.studies.phased.plans import Phases, phased
from planner.studies.stage import Study
from planner.studies.study import load


def run(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Phases:
    """Plan all phases with their reports, and write those of the steps into the output folder, by default that of the study."""
    # Reports are not needed to plan phases.
    from planner.studies.phased import outputs

    study = study if isinstance(study, Study) else load(study)
    folder = study.base if out is None else Path(out)
    found = phased(study, out=folder, until=None, progress=progress, executor=executor, resume=resume)
    outputs.write(found, folder, progress=progress)
    return found
