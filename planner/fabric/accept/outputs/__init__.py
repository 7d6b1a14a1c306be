"""Files of an acceptance report: PDF, workbook, JSON."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from planner.core.outputs import write_together
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
    files = {form.FILE: partial(form.write, acceptance, plan) for form in (pdf, xlsx, json)}
    return write_together(files, folder, units_of(plan.study))
