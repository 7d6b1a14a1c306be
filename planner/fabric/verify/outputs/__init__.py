"""Outputs of a verification: each file of this folder with a constant ``FILE`` writes one file.

Such a file defines ``write(verification, plan, path)``; `plan` has no records where only a cable schedule is known. A constant
``PLACED = True`` marks outputs that need a placed plan. Equal verifications give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from planner.core.outputs import missing_package, write_together
from planner.core.progress import Progress, silent
from planner.domain.model import Plan
from planner.domain.model.project import units_of
from planner.fabric.verify.outputs.content.findings import KEYS as KEYS
from planner.fabric.verify.outputs.content.findings import content as content
from planner.fabric.verify.outputs.terminal import lines as lines
from planner.fabric.verify.result import Verification


def write(verification: Verification, folder: Path, plan: Plan, *, progress: Progress = silent) -> list[Path]:
    """Write every output of a verification into a folder and return the paths, without those that `left_out` names.

    They appear when all are complete.

    Parameters
    ----------
    plan
        The plan that was verified; that of `planner.fabric.baseline.plan_of_rows` where only its schedule is known.

    Raises
    ------
    InputError
        When a package is missing, or a sheet of the workbook is too long.
    """
    files = {module.FILE: partial(module.write, verification, plan) for module in _modules(plan) if not _lacks(module)}
    return write_together(files, folder, units_of(plan.study), progress=progress)


def names() -> list[str]:
    """Return the names of all files that there may be."""
    return [module.FILE for module in _every()]


def left_out(plan: Plan) -> list[str]:
    """Return the outputs of a plan that need a package which is not installed, in words with how to install it."""
    return [
        str(missing_package(module.FILE, ModuleNotFoundError(name=package)))
        for module in _modules(plan)
        for package in _lacks(module)
    ]


def _lacks(module: ModuleType) -> list[str]:
    return [package for package in getattr(module, "PACKAGES", ()) if find_spec(package) is None]


def _modules(plan: Plan) -> Iterator[ModuleType]:
    """Yield the outputs of a plan, and last, only where it has places, those that need them."""
    every = list(_every())
    yield from (module for module in every if not getattr(module, "PLACED", False))
    if _is_placed(plan):
        yield from (module for module in every if getattr(module, "PLACED", False))


def _every() -> Iterator[ModuleType]:
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        try:
            module = import_module(f"{__name__}.{path.stem}")
        except ModuleNotFoundError as error:
            raise missing_package(path.stem, error) from None
        if hasattr(module, "FILE"):
            yield module


def _is_placed(plan: Plan) -> bool:
    return all(getattr(plan, record) is not None for record in ("room", "placement", "inventory", "cables", "catalog"))
