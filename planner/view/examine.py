"""Check of report options before there is a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planner.core import reading, registry
from planner.core.errors import InputError, Problem
from planner.core.section import collected
from planner.paper.labeling.sheets import label_sheet
from planner.view import schedule
from planner.view.selection import examine_number, named


def examine(reports: Mapping[str, Mapping[str, Any]], known: Mapping[str, Sequence[str]], crews: int) -> None:
    """Reject options that name a part that no plan of the study can have, and those that a format's own ``examine`` rejects.

    Parameters
    ----------
    reports
        The options of each format, checked.
    known
        Existing names by ``cabinet``, ``row`` and ``stage``.
    crews
        Number of crews.

    Raises
    ------
    InputError
        With all problems.
    """
    problems: list[Problem] = []
    for name, options in reports.items():
        if (own := getattr(registry.load("report", name), "examine", None)) is not None:
            with collected(problems, name):
                own(**options)
        defaults = {key: default for key, (_, default) in reading.parameters(registry.function("report", name)).items()}
        for key, value in options.items():
            try:
                _examine(key, value, defaults | options, known, crews)
            except InputError as error:
                problems += error.located(section=name).problems
    if problems:
        raise InputError(problems)


def examine_older_plan(since: Path | None) -> None:
    """Reject an older plan that cannot be read, if one is given.

    Raises
    ------
    InputError
        With its problems.
    """
    if since is not None:
        schedule.read(since, key="since")


def _examine(key: str, value: Any, options: Mapping[str, Any], known: Mapping[str, Sequence[str]], crews: int) -> None:
    if key in known and isinstance(value, str):
        named(key, value, known[key])
    elif key == "crew" and isinstance(value, int):
        examine_number("crew", value, crews)
    elif key == "sheet":
        label_sheet(value)
    elif key == "start":
        count = label_sheet(options["sheet"]).count
        if value > count:
            raise InputError(Problem("start", f"{value}, but a sheet has {count} labels", f"give 1 to {count}"))
    elif key in ("site", "manufacturer") and isinstance(value, str) and not 0 < len(value.strip()) <= 100:
        raise InputError(Problem(key, f"has {len(value.strip())} characters", "NetBox takes 1 to 100"))
