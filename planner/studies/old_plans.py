"""Plans that a study refers to: what it keeps of an older one, and the plans of later phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.design.keep import old_plan
from planner.design.keep.old import Old


def read(path: Path) -> Old:
    """Return the kept plan in a folder, or that of a schedule (CSV) or workbook.

    Raises
    ------
    InputError
        With all problems of the records or rows; places are keys of the section ``keep``.
    """
    stamp = path / "provenance.json" if path.is_dir() else path
    try:
        changed = stamp.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _read(path.resolve(), changed)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Old:
    # Reading plans loads tables and workbooks.
    from planner.fabric import baseline

    try:
        found = baseline.read(path)
    except InputError as error:
        raise InputError(replace(each, place="keep.plan") for each in error.problems) from None
    return old_plan(path, found.rows, found.plan)


def rows_of(plans: Mapping[str, Path]) -> dict[str, Sequence[Any]]:
    """Return the rows of the schedules of several plans by their names.

    Raises
    ------
    InputError
        With the problems of all plans, and names that cannot be printed.
    """
    from planner.fabric import baseline

    rows: dict[str, Sequence[Any]] = {}
    problems = [Problem("plans", f"{name[:40]!r} {why}", "remove it") for name in plans if (why := fault(name))]
    for name, path in plans.items():
        try:
            rows[name] = baseline.read(path).rows
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return rows
