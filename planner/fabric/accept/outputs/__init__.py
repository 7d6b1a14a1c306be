"""Files of an acceptance report: PDF, workbook, JSON."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from planner.core.storage import replacing
from planner.core.units import using
from planner.domain.model import Plan
from planner.domain.model.project import units_of
from planner.fabric.accept._record import Acceptance
from planner.fabric.accept.outputs import json, pdf, xlsx


def write(acceptance: Acceptance, folder: Path, plan: Plan) -> list[Path]:
    """Write all files of the report into a folder, and return their paths; equal acceptances give equal bytes.

    Parameters
    ----------
    plan
        Plan whose name, project and fingerprint the sheets bear.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    # An interrupt leaves all files of an earlier report, or none.
    with ExitStack() as together:
        for form in (pdf, xlsx, json):
            written.append(folder / form.FILE)
            temporary = together.enter_context(replacing(written[-1]))
            with using(units_of(plan.study)):
                form.write(acceptance, plan, temporary)
    return written
