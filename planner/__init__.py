"""Planner: a physical deployment planner for low-diameter HPC and AI interconnects.

`load` reads and checks a study, `run` plans it, `open` reads a finished plan.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.domain.model import Plan
    from planner.studies.study import Study

__all__ = ["load", "open", "run"]
__version__ = "0.2.0"

if sys.platform == "win32":
    # Locks of files, users of processes and limits of memory are those of POSIX.
    raise ImportError("Planner runs on Linux and macOS; on Windows run it in the Windows Subsystem for Linux (WSL)")

# The functions import what they need when they are called: `import planner` alone takes no time.


def load(study: str | Path, changes: Iterable[str] = ()) -> Study:
    """Read and check a study.

    Parameters
    ----------
    study
        Study file, or the folder that holds ``study.toml``.
    changes
        Texts such as ``"topology.q=7"``; each replaces one value of the file.

    Raises
    ------
    InputError
        With every problem of the file and of `changes`.
    """
    from planner.studies.study import load as read

    return read(study, changes)


def run(
    study: Study | str | Path,
    *,
    out: str | Path | None = None,
    until: str | None = None,
    progress: Callable[..., None] | None = None,
    executor: Any = None,
    resume: bool = True,
) -> Plan:
    """Run a study, store the record of every stage, write the reports, and return the plan.

    Parameters
    ----------
    study
        A study, a study file, or the folder that holds ``study.toml``.
    out
        Folder for the results; by default the folder of the study.
    until
        Name of the last stage to run; no reports are written then. By default all stages run.
    progress
        Called with the stage, the steps done and the number of steps; by default nothing is called.
    executor
        Anything with ``map``, such as a ``ProcessPoolExecutor``, for independent parts of a stage. Results do not depend on it.
    resume
        Whether to reuse stored stages whose inputs are unchanged.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are wrong; nothing is written then.
    Infeasible
        When nothing fits; finished stages are kept.
    """
    from planner.core.progress import silent
    from planner.studies import pipeline

    return pipeline.run(study, out=out, until=until, progress=progress or silent, executor=executor, resume=resume)


def open(folder: str | Path) -> Plan:
    """Read a finished plan.

    Parameters
    ----------
    folder
        Folder that `run` or ``planner run`` wrote.

    Raises
    ------
    InputError
        When the folder holds no plan, or a record in it was changed.
    """

    from planner.domain import stored

    return stored.restore(folder)
