"""Expansion of a study with a section ``[sweep]`` into studies: axes, their product, and all errors together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.reading import Document
from planner.studies import stages, study
from planner.studies.study import Study

MAX_RUNS = 1_000_000

CASE, LABEL, STAGES = "case", "label", "stages"
"""Keys of ``[sweep]`` that are not key paths: cases, the label of a case, and the stages to run."""


@dataclass(frozen=True)
class Point:
    """One point of an axis: its changes, and their places in the file.

    Attributes
    ----------
    changes
        From key path to value.
    places
        From key path to its place in the study file.
    """

    changes: dict[str, Any]
    places: dict[str, str]


@dataclass(frozen=True)
class Sweep:
    """A checked sweep.

    Attributes
    ----------
    name
        Name of the study that holds it.
    file
        Its file.
    studies
        One per run; the last axis changes fastest.
    changes
        Changes of each run, from key path to value, including the label of its case.
    stages
        Names of the stages to run; all if empty.
    """

    name: str
    file: Path
    studies: tuple[Study, ...]
    changes: tuple[dict[str, Any], ...]
    stages: tuple[str, ...] = ()


def load(path: str | Path, changes: Iterable[str] = ()) -> Sweep:
    """Read a study file, or the ``study.toml`` of a folder, and expand its section ``[sweep]``.

    Parameters
    ----------
    changes
        Overrides such as ``"topology.q=7"``.

    Raises
    ------
    InputError
        With all problems of the study, the sweep and the expanded studies, each reported once.
    """
    return expand(study.read(path, changes))


def expand(document: Document) -> Sweep:
    """Expand a study file into studies; without ``[sweep]`` the result is a single run.

    Raises
    ------
    InputError
        With all problems, each reported once.
    """
    data = dict(document.data)
    section = data.pop("sweep", {})
    try:
        axes, wanted = _axes(section), _wanted(section)
    except InputError as error:
        raise error.located(document.file, "sweep", document.lines) from None
    base = Path(document.file).parent.resolve()
    count = math.prod(len(axis) for axis in axes)
    if count > MAX_RUNS:
        problem = Problem("sweep", f"defines {count:,} runs, more than {MAX_RUNS:,}", "use fewer values")
        raise InputError(problem).located(document.file, lines=document.lines)
    seen: dict[str, Any] = {}
    made, changes, faults = [], [], _Faults(document, count)
    for points in itertools.product(*axes):
        changed = {path: value for point in points for path, value in point.changes.items()}
        changes.append(changed)
        try:
            own = _applied(data, changed)
            one = study.check({"name": base.name} | own, base=base, seen=seen)
            with_stages = stages.stages(one, wanted)
        except InputError as error:
            faults.add(error, points, changed)
            continue
        if with_stages:
            made.append(one)
    faults.raise_if_any()
    return Sweep(str(data.get("name", base.name)), base / Path(document.file).name, tuple(made), tuple(changes), wanted)


def _wanted(section: dict[str, Any]) -> tuple[str, ...]:
    given = section.get(STAGES, [])
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise InputError(Problem(STAGES, f"must be a list of stages, not {given!r}", 'write stages = ["simulation"]'))
    return tuple(given)


def _axes(section: Any) -> list[list[Point]]:
    if not isinstance(section, dict):
        raise InputError(Problem("", f"must be a section, not {section!r}", "write [sweep]"))
    problems: list[Problem] = []
    axes, owners = [], dict[str, str]()
    for path, values in _leaves({key: value for key, value in section.items() if key != STAGES}):
        if not isinstance(values, list) or not values:
            problems.append(Problem(path, f"must be a list of values, not {values!r}", "list at least one value"))
            continue
        axis = _cases(values, problems) if path == CASE else _values(path, values)
        axes.append(axis)
        for changed in {key for point in axis for key in point.changes} - {CASE}:
            other = next((o for o in owners if _overlap(o, changed)), None)
            if other is not None and owners[other] != path:
                problems.append(Problem(path, f"changes {changed}, as {owners[other]} does", "remove one of them"))
            owners[changed] = path
    if problems:
        raise InputError(problems)
    return axes


def _overlap(path: str, other: str) -> bool:
    return f"{path}.".startswith(f"{other}.") or f"{other}.".startswith(f"{path}.")


def _leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the key paths of nested tables: ``[sweep.topology]`` is the same as ``"topology.q" = …``."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _values(path: str, values: list[Any]) -> list[Point]:
    tables = all(isinstance(value, dict) for value in values)
    return [Point({path: value}, {path: f"{path}.{n}" if tables else path}) for n, value in enumerate(values)]


def _cases(tables: list[Any], problems: list[Problem]) -> list[Point]:
    axis = []
    for number, table in enumerate(tables):
        if not isinstance(table, dict):
            problems.append(Problem(f"{CASE}.{number}", f"must be a table, not {table!r}", "write [[sweep.case]]"))
            continue
        label = table.get(LABEL, number + 1)
        if not isinstance(label, str | int):
            problems.append(Problem(f"{CASE}.{number}.{LABEL}", f"must be text, not {label!r}"))
        changes = dict(_leaves({key: value for key, value in table.items() if key != LABEL}))
        axis.append(Point({CASE: label} | changes, {path: f"{CASE}.{number}.{path}" for path in changes}))
    return axis


def _applied(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for path, value in changes.items():
        if path != CASE:
            data = _replaced(data, path.split("."), value, path)
    return data


def _replaced(data: Any, path: list[str], value: Any, whole: str) -> dict[str, Any]:
    """Return a copy of nested tables with one value replaced; unchanged parts are shared."""
    if not isinstance(data, dict):
        raise InputError(Problem(whole, f"{data!r} is not a section", "replace it as a whole"))
    head, *rest = path
    return data | {head: _replaced(data.get(head, {}), rest, value, whole) if rest else value}


class _Faults:
    """Problems of the studies of a sweep, each with the number of affected runs."""

    def __init__(self, document: Document, count: int) -> None:
        self.document, self.count = document, count
        self.problems: dict[Problem, list[str]] = {}

    def add(self, error: InputError, points: Iterable[Point], changes: dict[str, Any]) -> None:
        """Add the problems of one run."""
        for problem in error.problems:
            if problem not in self.problems:
                section = problem.place.partition(".")[0]
                near = {path: value for path, value in changes.items() if path.partition(".")[0] == section} or changes
                example = ", ".join(f"{path} = {value!r}" for path, value in near.items())
                self.problems[problem] = [self._where(problem, points), example]
            self.problems[problem].append("")

    def raise_if_any(self) -> None:
        """Raise all problems, if any."""
        problems = []
        for problem, (where, example, *runs) in self.problems.items():
            message = problem.message
            if len(runs) < self.count:
                message += f" ({len(runs)} of {self.count} runs, the first with {example})"
            located = InputError(replace(problem, place=where)).located(self.document.file, lines=self.document.lines)
            problems.append(replace(located.problems[0], place=problem.place, message=message))
        if problems:
            raise InputError(problems)

    def _where(self, problem: Problem, points: Iterable[Point]) -> str:
        """Return the place in the file: that of the axis, if the value comes from one."""
        places = [pair for point in points for pair in point.places.items()]
        for path, place in places:
            if _overlap(path, problem.place):
                return f"sweep.{place}{problem.place[len(path) :]}"
        near = [place for path, place in places if path.partition(".")[0] == problem.place.partition(".")[0]]
        return f"sweep.{near[0]}" if near and problem.place not in self.document.lines else problem.place
