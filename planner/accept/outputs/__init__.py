"""Files of an acceptance report: PDF, workbook, JSON."""

from __future__ import annotations

from pathlib import Path

from planner.accept._record import Acceptance
from planner.accept.outputs import json, pdf, xlsx
from planner.model import Plan
from planner.model.project import units_of
from planner.storage import replacing
from planner.units import using


def write(acceptance: Acceptance, folder: Path, plan: Plan) -> list[Path]:
    """Write all files of the report into a folder, and return their paths; equal acceptances give equal bytes.

    Parameters
    ----------
    plan
        Plan whose name, project and fingerprint the sheets bear.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for form in (pdf, xlsx, json):
        path = folder / form.FILE
        with replacing(path) as temporary, using(units_of(plan.study)):
            form.write(acceptance, plan, temporary)
        written.append(path)
    return written
