"""A machine that is bought in phases: all phases are planned at once, and each is an ordinary plan in a folder of its own.

`phased` finds the networks of all phases, places the devices of the last one so that the cables of all phases are short, and
plans each phase: the last one first, and each earlier one around the cables that it shares with the next. So slots, rack units,
ports, trays and power are reserved from the first day. `compared` adds what each step moves, buys and costs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.core.progress import Progress, silent
from planner.studies.phased.plans import Phases, phased
from planner.studies.phased.steps import PhaseStep
from planner.studies.stage import Study
from planner.studies.study import load

__all__ = ["PhaseStep", "Phases", "phased", "run"]


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
