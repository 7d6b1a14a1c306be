"""The project of a plan, for title blocks."""

from __future__ import annotations

from typing import Any

from planner.core import reading
from planner.core.units import system
from planner.domain.model import Plan
from planner.domain.model.project import Project

_LINE = ("client", "project", "site", "drawing", "revision", "date", "drawn", "checked", "approved")


def project_of(plan: Plan) -> Project | None:
    """Return the project of a plan; None if its study states none.

    Raises
    ------
    InputError
        When a stored study states a wrong one.
    """
    given: dict[str, Any] | None = plan.study.get("project")
    if given is None:
        return None
    return reading.construct(Project, {key: value for key, value in given.items() if value is not None}, section="project")


def title_lines(plan: Plan) -> list[str]:
    """Return the facts of a title block, a text for each that the study states: ``"drawing N-0012"``."""
    project = project_of(plan)
    if project is None:
        return []
    units = [f"units {system().title}"] if system().feet else []
    return [f"{name} {text}" for name in _LINE if (text := project.text(name))] + units
