"""Reports: one file per format; they read only the plan.

A format is a file of this folder with a function ``write(plan, path, *, option=default, …)``. The constant ``ENDING``
(default: a point and the format's name) is appended to the plan's name; the constant ``FILE`` is the name of a file of which a
plan has only one. A format may also define ``volumes(plan, **options)``: the number of files of the report, each written with the
option ``volume``, and ``examine(**options)``, which rejects options before anything runs. ``ORDERS = True`` marks files to order
from, which plans that break design rules do not get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from planner.core import reading, registry
from planner.core.errors import InputError, Problem, suggestion
from planner.core.outputs import write_together
from planner.core.units import using
from planner.domain.model import Plan
from planner.domain.model.project import units_of
from planner.view.examine import examine as examine
from planner.view.examine import examine_older_plan as examine_older_plan
from planner.view.selection import WHOLE as WHOLE
from planner.view.selection import Selection as Selection

GIVEN = registry.KINDS["report"].given
"""Parameters of every format that are not options."""

_LONGEST_NAME = 180
"""Bytes of a file name; file systems allow 255, and temporary names are longer."""


def write(plan: Plan, folder: Path, name: str, **options: Any) -> Path:
    """Write one report of a plan as one file and return its path.

    Parameters
    ----------
    folder
        Target folder; `file_name` gives the name of the file.
    name
        The format.
    options
        Options of the format.

    Raises
    ------
    InputError
        When there is no such format, an option is wrong, or a package is missing.
    """
    element = registry.function("report", name)
    options = reading.arguments(element, data=options, owner=name, given=GIVEN)
    written = partial(element, plan, **reading.composed(element, options))
    return write_together({file_name(plan.name, name, options): written}, folder, units_of(plan.study))[0]


def is_order(name: str) -> bool:
    """Return whether parts are ordered from the files of a format."""
    return getattr(registry.load("report", name), "ORDERS", False)


def volumes(plan: Plan, name: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the options of each file of a report; usually one file."""
    count = getattr(registry.load("report", name), "volumes", None)
    if count is None or options.get("volume") is not None:
        return [dict(options)]
    element = registry.function("report", name)
    with using(units_of(plan.study)):
        number = count(plan, **reading.composed(element, reading.arguments(element, data=dict(options), owner=name, given=GIVEN)))
    return [dict(options)] if number == 1 else [{**options, "volume": volume} for volume in range(1, number + 1)]


def file_name(plan_name: str, name: str, options: Mapping[str, Any]) -> str:
    """Return the name of a report's file, including every option that is not the default.

    >>> file_name("hall", "pdf", {"cabinet": "A07"})
    'hall.cabinet-A07.pdf'
    """
    module = registry.load("report", name)
    if file := getattr(module, "FILE", ""):
        return file
    defaults = {key: default for key, (_, default) in reading.parameters(module.write).items()}
    chosen = {key: options[key] for key in sorted(options) if options[key] != defaults.get(key)}
    text = "".join(f".{key}-{_quoted(value)}" for key, value in chosen.items())
    ending = getattr(module, "ENDING", f".{name.rpartition('.')[2]}")
    if len((plan_name + text + ending).encode()) > _LONGEST_NAME and text:
        text = "." + sha256(text.encode()).hexdigest()[:12]
    return plan_name + text + ending


def share_out(formats: Iterable[str], given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the checked options of each format.

    Parameters
    ----------
    formats
        Names of the chosen formats.
    given
        Options; each applies to every chosen format that has it. A table under a format's name applies to that format only.
        Those of a selection must apply to all chosen formats.

    Raises
    ------
    InputError
        With every unknown format, every option that no chosen format has, every format that cannot select, and every wrong value.
    """
    problems: list[Problem] = []
    elements = {}
    for name in dict.fromkeys(formats):
        try:
            elements[name] = registry.function("report", name)
        except InputError as error:
            problems += error.problems
    own = {name: table for name, table in given.items() if name in elements and isinstance(table, Mapping)}
    found = {name: dict(own.get(name, {})) for name in elements}
    for key, value in given.items():
        if key in own:
            continue
        takers = [name for name, element in elements.items() if key in _options(element)]
        for name in takers:
            found[name].setdefault(key, value)
        if key in reading.parameters(Selection):
            problems += _not_selecting(key, [name for name in elements if name not in takers])
        elif not takers and elements:
            problems.append(_unknown(key, elements))
    for name, element in elements.items():
        try:
            checked = reading.arguments(element, data=found[name], owner=name, given=GIVEN, section=name)
            found[name] = {key: checked[key] for key in found[name]}
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def _options(element: Any) -> list[str]:
    return [key for key in reading.parameters(element) if key not in GIVEN]


def _unknown(key: str, elements: Mapping[str, Any]) -> Problem:
    """Return the problem of an option that none of the chosen formats has."""
    chosen = ", ".join(elements)
    if knowing := _knowing(re.escape(key)):
        return Problem(key, f"{chosen} has no such option", f"it is an option of {', '.join(knowing)}")
    known = {option for element in elements.values() for option in _options(element)}
    return Problem(key, f"{chosen} has no such option", suggestion(key, known))


def _not_selecting(key: str, names: list[str]) -> Iterator[Problem]:
    """Yield the problem of formats that cannot select a part of the plan by a key."""
    if names:
        able = ", ".join(_knowing(f"selection|{key}"))
        yield Problem(key, f"{', '.join(names)} cannot select a part of the plan by {key}", f"formats that can: {able}")


def _knowing(options: str) -> list[str]:
    """Return the formats with one of some options, a regular expression."""
    return [name for name in registry.names("report") if re.search(rf"(^|, )({options})(=|,|$)", _listed(name))]


@cache
def _listed(name: str) -> str:
    return registry.summary("report", name)[1]


def _quoted(value: Any) -> str:
    """Return a value as part of a file name; different values stay different. Of a path it is the name.

    >>> _quoted("between rows"), _quoted("A/7")
    ('between_rows', 'A%2F7')
    """
    text = value.name if isinstance(value, Path) else str(value)
    return re.sub(r"[^\w .-]|_", lambda found: f"%{ord(found[0]):02X}", text).replace(" ", "_")
