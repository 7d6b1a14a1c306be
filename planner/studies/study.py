"""Studies: TOML files with one section per stage, checked completely before anything runs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from planner.core import reading, registry, section
from planner.core.errors import InputError, Problem, suggestion
from planner.core.names import HEAD, head_problems
from planner.core.reading import Lines
from planner.core.section import collected
from planner.domain.model.project import Project
from planner.studies import growing
from planner.studies.stage import Study as Study
from planner.studies.stages import NETWORK_STAGES, SECTIONS, STAGES

REPORT = "report"
"""The section for the reports, which belongs to no stage."""

PROJECT = "project"
"""The section for title blocks and sign-off, which belongs to no stage either."""

NAMES = (*SECTIONS, REPORT, PROJECT)
"""All sections in order."""

OPTIONAL = (*(name for name, each in SECTIONS.items() if each.optional), PROJECT)
"""Sections that a study may lack: those of stages that run only with them, and that for title blocks."""

REQUIRED = tuple(
    stage.section.name for stage in STAGES.values() if stage.section is not None and stage.is_input and not stage.section.optional
)
"""Sections that every study with a room needs."""

NETWORK = tuple(stage.section.name for stage in NETWORK_STAGES.values() if stage.section is not None)
"""Sections of a network study, which has neither room nor cables."""


def load(path: str | Path, changes: Iterable[str] = ()) -> Study:
    """Read a study file, or the ``study.toml`` of a folder.

    Parameters
    ----------
    changes
        Overrides such as ``"topology.q=7"``.

    Raises
    ------
    InputError
        With all problems of the file and of `changes`.
    """
    document = read(path, changes)
    if "sweep" in document.data:
        problem = Problem("sweep", "this study is a sweep", f"run planner sweep {path}")
        raise InputError(problem).located(document.file, lines=document.lines)
    return check(document.data, base=Path(document.file).parent, file=document.file, lines=document.lines)


def read(path: str | Path, changes: Iterable[str] = ()) -> reading.Document:
    """Read a study file, or the ``study.toml`` of a folder, and apply overrides without checking the result.

    Raises
    ------
    InputError
        When there is no such file, it is not TOML, or an override is not KEY=VALUE.
    """
    path = Path(path)
    document = reading.read(path / "study.toml" if path.is_dir() else path)
    problems: list[Problem] = []
    for change in changes:
        if key := _apply(document.data, change, problems):
            # Problems refer to the override instead of a line of the file.
            for line in [line for line in document.lines if f"{line}.".startswith(f"{key}.")]:
                del document.lines[line]
            document.lines[key] = f"--set {change}"
    if problems:
        raise InputError(problems)
    return document


def check(
    data: dict[str, Any],
    *,
    base: Path = Path(),
    file: str = "",
    lines: Lines | None = None,
    seen: dict[str, Any] | None = None,
) -> Study:
    """Check the data of a study; problems of all sections are reported together.

    Parameters
    ----------
    seen
        Cache of checked sections for one `base`, filled by each call; speeds up studies that share sections, as in a sweep.

    Raises
    ------
    InputError
        With all unknown, missing and invalid keys.
    """
    if growing.PHASE in data or growing.GROWTH in data:
        return _phased(data, base, file, lines or {}, {} if seen is None else seen)
    problems: list[Problem] = []
    known = (*HEAD, *NAMES, growing.PHASE, growing.GROWTH)
    for key in data:
        if key not in known:
            problems.append(Problem(key, "a study has no such key or section", suggestion(key, known)))
    head = {"name": base.resolve().name, "title": "", "seed": 1} | {k: v for k, v in data.items() if k in HEAD}
    problems += head_problems(head)
    wanted = [name for name in NAMES if name in data]
    needed: tuple[str, ...] = ()
    if "topology" not in wanted or set(wanted) - set(NETWORK):
        needed = tuple(name for name in REQUIRED if name != "topology" or "network" not in data)
        wanted = [name for name in NAMES if name in data or name not in (*REQUIRED, *OPTIONAL)]
    if "network" in data and "topology" in data:
        problems.append(Problem("topology", "is next to [[network]]", "move it into a [[network]]"))
    problems += [
        Problem(name, "a study needs this section", f"add [{name}]; planner new NAME writes an example")
        for name in needed
        if name not in data
    ]
    sections: dict[str, dict[str, Any]] = {}
    for name in wanted:
        with collected(problems, name):
            sections[name] = _checked(name, data.get(name, {}), base, {} if seen is None else seen)
    for stage in STAGES.values():
        if stage.between is not None and all(section.name in sections or section.name not in data for section in stage.declared):
            # Sections with problems are there, but empty.
            problems += stage.between({name: {} for name in wanted} | sections)
    if networks := sections.get("network", {}).get("network"):
        sections = {"topology": networks[0].topology} | sections
    if "room" not in wanted:
        problems += _without_cables(sections)
    if problems:
        raise InputError(problems + input_problems(sections, base)).located(file, lines=lines)
    return Study(head["name"], head["title"] or head["name"], head["seed"], base, sections, file, lines or {})


def _phased(data: dict[str, Any], base: Path, file: str, lines: Lines, seen: dict[str, Any]) -> Study:
    """Return the study of the last phase, with those of all phases."""
    problems: list[Problem] = []
    found = growing.split(data, problems)
    phases: dict[str, Study] = {}
    for number, (name, content) in enumerate(zip(found.names, found.data, strict=True)):
        try:
            one = check(content, base=base, file=file, lines=lines, seen=seen)
        except InputError as error:
            problems += [_of_change(each, number, found.changed[number]) for each in error.problems]
        else:
            phases[name] = dataclasses.replace(one, name=f"{one.name}-{name}", title=f"{one.title}, {name}")
    if not found.data and not problems:
        problems.append(Problem(growing.PHASE, "lists no phase", "add [[phase]] with name and change"))
    if problems:
        # Phases share sections, and their problems.
        raise InputError(dict.fromkeys(InputError(problems).located(file, lines=lines).problems))
    last = check(found.data[-1], base=base, file=file, lines=lines, seen=seen)
    return dataclasses.replace(last, phases=phases, growth=found.growth)


def _of_change(problem: Problem, phase: int, changed: Iterable[str]) -> Problem:
    """Return a problem with the place of the change that causes it, if one does."""
    for key in changed:
        if f"{problem.place}.".startswith(f"{key}.") or (problem.place and key.startswith(f"{problem.place}.")):
            message = f"{problem.place}: {problem.message}"
            return Problem(f"{growing.PHASE}.{phase}.change", message, problem.remedy)
    return problem


def input_problems(sections: dict[str, dict[str, Any]], base: Path) -> list[Problem]:
    """Return the problems of the inputs of a study that is rejected anyway, so that nothing is reported later."""
    problems: list[Problem] = []
    networks = sections.get("network", {}).get("network", ())
    for stage in STAGES.values():
        name = stage.section.name if stage.section is not None else ""
        if stage.preview is None or name not in sections:
            continue
        given = {name: sections[name]}
        if stage.of_each_network and networks:
            given = {f"network.{number}.{name}": getattr(network, name) for number, network in enumerate(networks)}
        for place, arguments in given.items():
            with collected(problems, place):
                stage.preview(arguments, base)
    return problems


def _without_cables(sections: dict[str, dict[str, Any]]) -> list[Problem]:
    """Return the problems of sections that need figures of cables and parts, in a study without them."""
    problems: list[Problem] = []
    for name, arguments in sections.items():
        if name in SECTIONS and (undefined := SECTIONS[name].without_cables) is not None:
            problems += InputError(undefined(arguments)).located(section=name).problems
    return problems


def _checked(name: str, content: Any, base: Path, seen: dict[str, Any]) -> dict[str, Any]:
    """Return the checked arguments of one section."""
    text = json.dumps([name, content], default=repr)
    if text not in seen:
        try:
            seen[text] = _read(name, content, base)
        except InputError as error:
            seen[text] = error
    if isinstance(seen[text], InputError):
        raise seen[text]
    return dict(seen[text])


def _read(name: str, content: Any, base: Path) -> dict[str, Any]:
    if name in SECTIONS and SECTIONS[name].is_list:
        if not isinstance(content, list):
            raise InputError(Problem("", f"must be a list of tables, not {content!r}", f"write [[{name}]]"))
        try:
            arguments = section.read(SECTIONS[name], {name: content})
        except InputError as error:
            # The list is the section: a problem at network.0.topology is at 0.topology of the section.
            raise InputError(
                dataclasses.replace(each, place=each.place.removeprefix(f"{name}.")) for each in error.problems
            ) from None
        return {key: _based(value, base) for key, value in arguments.items()}
    if not isinstance(content, dict):
        raise InputError(Problem("", f"must be a section, not {content!r}", f"write [{name}]"))
    own = {REPORT: _reports, PROJECT: _project}
    arguments = own[name](dict(content)) if name in own else section.read(SECTIONS[name], content)
    # Relative paths refer to the folder of the study.
    return {key: _based(value, base) for key, value in arguments.items()}


def _based(given: Any, base: Path) -> Any:
    if isinstance(given, dict):
        return {key: _based(value, base) for key, value in given.items()}
    if isinstance(given, tuple):
        return tuple(_based(value, base) for value in given)
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        fields = {spec.name: getattr(given, spec.name) for spec in dataclasses.fields(given)}
        return dataclasses.replace(given, **_based(fields, base))
    return base / given if isinstance(given, Path) else given


def output_sections(file: Path, formats: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the sections of a study file that only reports depend on, checked: ``[project]``, and ``[report]`` for some formats.

    Raises
    ------
    InputError
        With the problems of these sections; the others are not checked.
    """
    document = reading.read(file)
    problems: list[Problem] = []
    wanted = set(formats)
    found: dict[str, Any] = {REPORT: {}}
    given = document.data.get(REPORT, {})
    for name in (name for name in given if isinstance(given, dict) and name in wanted):
        with collected(problems, REPORT):
            # Formats that are not written may be modules of others, which are not imported for nothing.
            found[REPORT] |= _checked(REPORT, {"formats": [], name: given[name]}, file.parent, {})
    if PROJECT in document.data:
        with collected(problems, PROJECT):
            found[PROJECT] = _checked(PROJECT, document.data[PROJECT], file.parent, {})
    if problems:
        raise InputError(problems).located(document.file, lines=document.lines)
    return found


def is_study_of(file: Path, name: str) -> bool:
    """Return whether a file is there and is the study of a plan of some name, or of one of its phases."""
    if file.suffix != ".toml" or not file.is_file():
        return False
    own = reading.read(file).data.get("name", file.parent.resolve().name)
    return isinstance(own, str) and (name == own or name.startswith(f"{own}-"))


def reports(chosen: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the options of each chosen format, from the checked section ``[report]``."""
    return {name: chosen.get(name, {}) for name in chosen.get("formats", ())}


def _report(formats: tuple[str, ...] = ("pdf", "xlsx", "csv")) -> None:
    """Declare the keys of the section [report] other than the tables of format options."""


def _reports(content: dict[str, Any]) -> dict[str, Any]:
    """Return the checked formats and their options."""
    problems: list[Problem] = []
    tables = {name: content.pop(name) for name in list(content) if isinstance(content[name], dict)}
    checked: dict[str, Any] = {"formats": ()}
    with collected(problems):
        checked = reading.arguments(_report, data=content, owner="report")
    for name in checked["formats"]:
        with collected(problems):
            section.element("report", name, "formats")
    for name, table in tables.items():
        with collected(problems):
            element, given = section.element("report", name, name), registry.KINDS["report"].given
            options = reading.arguments(element, data=table, owner=name, given=given, section=name)
            checked[name] = {key: options[key] for key in table}
    if problems:
        raise InputError(problems)
    return checked


def _project(content: dict[str, Any]) -> dict[str, Any]:
    """Return the checked facts of the project."""
    project = reading.construct(Project, content)
    if problems := list(project.problems()):
        raise InputError(problems)
    return dict(vars(project))


def parameters_of(texts: Iterable[str]) -> dict[str, Any]:
    """Parse texts such as ``["q=5", 'supernode="iq"']`` into a dict; values as in TOML, anything else is text.

    Raises
    ------
    InputError
        When a text is not KEY=VALUE.
    """
    data: dict[str, Any] = {}
    problems: list[Problem] = []
    for text in texts:
        _apply(data, text, problems)
    if problems:
        raise InputError(problems)
    return data


def network_of(family: str, texts: Iterable[str]) -> dict[str, Any]:
    """Return the arguments of `planner.network.topology.build` for a family and parameters as in `parameters_of`.

    Raises
    ------
    InputError
        With all unknown, missing and invalid parameters.
    """
    return section.read(SECTIONS["topology"], {**parameters_of(texts), "family": family})


def _apply(data: dict[str, Any], change: str, problems: list[Problem]) -> str:
    """Apply one override in place; return its dotted key, or "" if it is invalid."""
    key, equals, text = change.partition("=")
    path = [part.strip() for part in key.split(".")]
    if not equals or not all(path):
        problems.append(Problem("", f"{change!r:.200} is not KEY=VALUE", "write for example topology.q=7"))
        return ""
    for part in path[:-1]:
        data = data.setdefault(part, {})
        if not isinstance(data, dict):
            problems.append(Problem("", f"{part} in {change!r:.200} is not a section", ""))
            return ""
    try:
        data[path[-1]] = reading.value(text)
    except InputError as error:
        problems += error.located(f"--set {change:.200}").problems
        return ""
    return ".".join(path)
