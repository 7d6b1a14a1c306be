"""The project that a plan belongs to, as its title blocks and its sign-off sheet state it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date as calendar_date
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import MaxLen, MinLen, Predicate

from planner.core.errors import Problem
from planner.core.names import is_name
from planner.core.units import known

Line = Annotated[str, MaxLen(80), Predicate(is_name)]
"""A line in a title block."""


@dataclass(frozen=True, kw_only=True)
class Revision:
    """One issue of the drawings: an entry of their history.

    Attributes
    ----------
    revision
        Its mark.
    date
        Day of issue, as 2026-05-31.
    text
        What changed.
    approved
        Who approved it.
    """

    __pydantic_config__ = {"extra": "forbid"}

    revision: Annotated[str, MinLen(1), MaxLen(20), Predicate(is_name)]
    date: calendar_date | None = None
    text: Annotated[str, MaxLen(400), Predicate(is_name)] = ""
    approved: Line = ""


@dataclass(frozen=True, kw_only=True)
class Project:
    """Title block of every sheet of the cabling report, its history and its sign-off sheet.

    Attributes
    ----------
    client
        Who orders the work.
    project
        Name of the project.
    site
        Building or address.
    drawing
        Number of the drawing.
    revision
        Mark of this revision.
    date
        Day of issue, as 2026-05-31; sheets have no other date.
    drawn
        Who made the plan.
    checked
        Who checked it.
    approved
        Who approved it.
    signers
        Further roles that sign, such as ``"site manager"``, or with a name ``"client: D. Dean"``.
    revisions
        History of the drawings, a list of tables.
    since
        Plan of the last revision for the list of changes: its folder, or its cable schedule in CSV.
    units
        Units of what people read: SI units, or feet, inches, pounds, BTU per hour and degrees Fahrenheit.
    """

    __pydantic_config__ = {"extra": "forbid"}

    client: Line = ""
    project: Line = ""
    site: Line = ""
    drawing: Line = ""
    revision: Annotated[str, MaxLen(20), Predicate(is_name)] = ""
    date: calendar_date | None = None
    drawn: Line = ""
    checked: Line = ""
    approved: Line = ""
    signers: Annotated[tuple[Line, ...], MaxLen(12)] = ()
    revisions: Annotated[tuple[Revision, ...], MaxLen(200)] = ()
    since: Path | None = None
    units: Literal["metric", "imperial"] = "metric"

    def problems(self) -> Iterator[Problem]:
        """Yield a problem for each mark of a revision that occurs twice; the place is the key."""
        marks = [each.revision for each in self.revisions]
        for number, mark in enumerate(marks):
            if mark in marks[:number]:
                yield Problem(f"revisions.{number}.revision", f"there are two revisions {mark!r}", "give each its own mark")

    def text(self, name: str) -> str:
        """Return a fact as text, empty if it is not stated."""
        value = getattr(self, name)
        return "" if value is None else str(value)


def units_of(study: Mapping[str, Any]) -> str:
    """Return the units of the project of a study."""
    return known((study.get("project") or {}).get("units"))
