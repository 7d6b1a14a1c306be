"""Reports: one file per format; they read the plan and nothing else."""

from __future__ import annotations

from pathlib import Path

from planner import registry
from planner.model import Plan
from planner.storage import replacing


def write(plan: Plan, folder: Path, name: str) -> Path:
    """Write the report `name` of a plan to ``<folder>/<plan's name>.<name>`` and return the path.

    Raises
    ------
    InputError
        When there is no such format.
    """
    element = registry.function("report", name)
    path = folder / f"{plan.name}.{name.rpartition('.')[2]}"
    with replacing(path) as temporary:
        element(plan, temporary)
    return path
