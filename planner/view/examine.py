"""Check of report options before there is a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.core.section import collected
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
        for key, value in options.items():
            try:
                _examine(key, value, known, crews)
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


def _examine(key: str, value: Any, known: Mapping[str, Sequence[str]], crews: int) -> None:
    if key in known and isinstance(value, str):
        named(key, value, known[key])
    elif key == "crew" and isinstance(value, int):
        examine_number("crew", value, crews)
