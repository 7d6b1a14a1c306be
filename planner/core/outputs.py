"""Files that belong together: there when all are complete."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.core.storage import replacing
from planner.core.units import using

Write = Callable[[Path], object]
"""Writes one file."""


def write_together(files: Mapping[str, Write], folder: Path, units: str, *, progress: Progress = silent) -> list[Path]:
    """Write files into a folder and return their paths; they appear when all are complete.

    An error or an interrupt leaves all of an earlier time, or none.

    Parameters
    ----------
    files
        By the name of each file what writes it.
    folder
        Created if it does not exist.
    units
        Name of the system of units of the documents, see `planner.core.units`.

    Raises
    ------
    InputError
        When a package is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as together:
        for number, (name, write) in enumerate(files.items()):
            progress("outputs", number, len(files))
            temporary = together.enter_context(replacing(folder / name))
            try:
                with using(units):
                    write(temporary)
            except ModuleNotFoundError as error:
                raise missing_package(name, error) from None
    progress("outputs", len(files), len(files))
    return [folder / name for name in files]


def missing_package(what: str, error: ModuleNotFoundError) -> Exception:
    """Return the problem of a package that is not installed, and how to install it."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "planner"):
        return error
    extra = _extra(package)
    install = f"pip install 'planner[{extra}]'" if extra else f"pip install {package}"
    part = f" (extra {extra})" if extra else ""
    return InputError(Problem("", f"{what} needs the package {package}{part}, which is not installed", install))


def _extra(package: str) -> str:
    """Return the extra of this distribution that includes a package, or ""."""
    try:
        needs = metadata.requires("planner") or []
    except metadata.PackageNotFoundError:
        return ""
    for need in needs:
        words = re.match(r"([\w.-]+).*;.*extra\s*==\s*['\"]([\w.-]+)['\"]", need)
        if words and words[2] != "test" and re.sub(r"[-.]", "_", words[1]).lower() == package.lower():
            return words[2]
    return ""
