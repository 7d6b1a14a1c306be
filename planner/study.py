"""Studies: TOML files with one section per stage, checked completely before anything runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from planner import bill, cabling, catalog, failures, floor, latency, near_misses, placement, reading, registry, simulation, work
from planner.errors import InputError, Problem, suggestion
from planner.floor import Slack
from planner.names import MAX_FILE_BYTES, fault
from planner.simulation import RouterSettings, outages, workload

SUPPLIED = {
    "catalog": (catalog.select, ()),
    "room": (floor.room, ("routers", "base")),
    "placement": (placement.place, ("topology", "catalog", "lengths", "seed", "progress")),
    "cabling": (cabling.cable, ("topology", "catalog", "placement", "lengths", "progress")),
    "latency": (latency.latency, ("topology", "catalog", "cables", "delay_models", "seed", "progress")),
    "near_misses": (near_misses.near_misses, ("topology", "catalog", "placement", "cables", "lengths", "prefer")),
    "work": (work.work, ("catalog", "cables")),
    "bill": (bill.bill, ("topology", "catalog", "placement", "cables", "room", "rows", "hours_s")),
    "failures": (failures.failures, ("topology", "room", "placement", "cables", "domains", "seed", "progress")),
    "simulation": (RouterSettings, outages.failure_cycles, simulation.simulate, (*simulation.GIVEN, "labels", "domains")),
    "workload": (RouterSettings, workload.workload, workload.GIVEN),
}
"""Functions of each section, and the parameters that the flow supplies."""

ELEMENTS = {
    "cabling": {"bundling": "loom"},
    "simulation": {"routing": "minimal", "traffic": "uniform"},
    "workload": {"routing": "minimal"},
}
"""Pluggable elements per section, with defaults; ``<kind>_parameters`` holds the parameters of an element."""

SECTIONS = ("topology", *SUPPLIED, "report")
HEAD = ("name", "title", "seed")
SIMULATIONS = ("simulation", "workload")
"""Optional sections; without them nothing is simulated."""

NETWORK = ("topology", *SIMULATIONS)
"""Sections of a network study, which has neither room nor cables."""


@dataclass(frozen=True)
class Study:
    """A checked study.

    A study without catalog and room is a *network study*; it has the sections `NETWORK` only.

    Attributes
    ----------
    name, title, seed
        As in the file; the title defaults to the name.
    base
        Folder that relative paths refer to.
    sections
        Arguments of each section with defaults filled in; without ``simulation`` if the study has none.
    slack
        From ``[cabling.slack]``.
    file, lines
        Source file and lines of keys, for messages.
    """

    name: str
    title: str
    seed: int
    base: Path
    sections: dict[str, dict[str, Any]]
    slack: Slack = field(default_factory=Slack)
    file: str = ""
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def physical(self) -> bool:
        """Whether the study has a room, so that the network is placed and cabled."""
        return "room" in self.sections


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
    lines: dict[str, int] | None = None,
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
    problems: list[Problem] = []
    known = (*HEAD, *SECTIONS)
    for key in data:
        if key not in known:
            problems.append(Problem(key, "a study has no such key or section", suggestion(key, known)))
    head = {"name": base.resolve().name, "title": "", "seed": 1} | {k: v for k, v in data.items() if k in HEAD}
    problems += head_problems(head)
    wanted = [name for name in SECTIONS if name in data]
    needed: tuple[str, ...] = ()
    if "topology" not in wanted or set(wanted) - set(NETWORK):
        needed = ("topology", "catalog", "room")
        wanted = [name for name in SECTIONS if name in data or name not in (*needed, *SIMULATIONS)]
    problems += [
        Problem(name, "a study needs this section", f"add [{name}]; planner new NAME writes an example")
        for name in needed
        if name not in data
    ]
    sections: dict[str, dict[str, Any]] = {}
    for section in wanted:
        try:
            sections[section] = _checked(section, data.get(section, {}), base, {} if seen is None else seen)
        except InputError as error:
            problems += error.located(section=section).problems
    if "room" not in wanted:
        problems += [problem for name in SIMULATIONS if name in sections for problem in _without_cables(name, sections[name])]
    if problems:
        raise InputError(problems + input_problems(sections, base)).located(file, lines=lines)
    # Slack is separate from the other cabling arguments.
    slack = sections["cabling"].pop("slack") if "cabling" in sections else Slack()
    return Study(head["name"], head["title"] or head["name"], head["seed"], base, sections, slack, file, lines or {})


def input_problems(sections: dict[str, dict[str, Any]], base: Path) -> list[Problem]:
    """Return what is wrong with the catalog and room of a study that is rejected anyway, so that nothing is reported later."""
    problems: list[Problem] = []
    if "catalog" in sections:
        given = sections["catalog"]
        with _collected(problems, "catalog"):
            catalog.select(**given | {"files": tuple(str(base / file) for file in given["files"])})
    if "room" in sections:
        with _collected(problems, "room"):
            floor.room(base=base, routers=1, **sections["room"])
    return problems


def _checked(section: str, content: Any, base: Path, seen: dict[str, Any]) -> dict[str, Any]:
    """Return the checked arguments of one section; those of cabling include the slack."""
    text = json.dumps([section, content], default=repr)
    if text not in seen:
        try:
            seen[text] = _read(section, content, base)
        except InputError as error:
            seen[text] = error
    if isinstance(seen[text], InputError):
        raise seen[text]
    return dict(seen[text])


def _read(section: str, content: Any, base: Path) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise InputError(Problem("", f"must be a section, not {content!r}", f"write [{section}]"))
    content = dict(content)
    apart = {}
    if section == "cabling":
        given = content.pop("slack", {})
        if not isinstance(given, dict):
            raise InputError(Problem("slack", f"must be a section, not {given!r}", "write [cabling.slack]"))
        apart = {"slack": reading.construct(Slack, given, section="slack")}
    arguments = _section(section, content) | apart
    # Relative paths refer to the folder of the study.
    return _based(arguments, base)


def _based(given: Any, base: Path) -> Any:
    if isinstance(given, dict):
        return {key: _based(value, base) for key, value in given.items()}
    if isinstance(given, tuple):
        return tuple(_based(value, base) for value in given)
    if isinstance(given, workload.Job):
        return replace(given, motif_parameters=_based(given.motif_parameters, base))
    return base / given if isinstance(given, Path) else given


def _without_cables(section: str, arguments: dict[str, Any]) -> list[Problem]:
    """Return the keys that a simulation needs without cables and parts."""
    known = simulation.PRESETS[arguments["preset"]].keys() | {key for key, given in arguments.items() if given is not None}
    missing = {"link_cycles": "cable delay", "router_delay_cycles": "router delay"}
    if section == "workload":
        missing["link_gbps"] = "link rate"
    return [
        Problem(
            f"{section}.{key}", f"the {what} is undefined without catalog and room", f"set {key}, or add [catalog] and [room]"
        )
        for key, what in missing.items()
        if key not in known
    ]


def _section(section: str, content: dict[str, Any]) -> dict[str, Any]:
    if section == "topology":
        if not isinstance(content.get("family"), str):
            raise InputError(Problem("family", "a topology needs a family", suggestion("", registry.names("topology"))))
        family = content.pop("family")
        return {"family": family} | reading.arguments(_element("topology", family, "family"), data=content, owner=family)
    if section == "report":
        return _reports(content)
    problems: list[Problem] = []
    (*functions, supplied), owner = SUPPLIED[section], section
    if section == "placement":
        owner = str(content.get("algorithm", "auto"))
        functions.append(_element("placement", owner, "algorithm"))
        supplied = (*supplied, "problem")
        if content.get("packing", "auto") != "auto":
            with _collected(problems):
                _element("packing", str(content["packing"]), "packing")
    chosen: dict[str, dict[str, Any]] = {}
    for kind, usual in ELEMENTS.get(section, {}).items():
        with _collected(problems):
            chosen |= _parameters(kind, content.get(kind, usual), content.get(f"{kind}_parameters", {}))
    arguments: dict[str, Any] = {}
    with _collected(problems):
        arguments = reading.arguments(*functions, data=content, owner=owner, given=supplied)
    if section == "workload" and "jobs" in arguments:
        arguments["jobs"] = tuple(_job(number, job, problems) for number, job in enumerate(arguments["jobs"]))
    if problems:
        raise InputError(problems)
    return arguments | chosen


def _job(number: int, job: workload.Job, problems: list[Problem]) -> workload.Job:
    """Return the job after checking the parameters of its motif."""
    try:
        return replace(job, **_parameters("motif", job.motif, job.motif_parameters))
    except InputError as error:
        problems += error.located(section=f"jobs.{number}").problems
        return job


def _parameters(kind: str, name: Any, given: Any) -> dict[str, dict[str, Any]]:
    """Return the checked parameters of an element; {} if they are not a table, which is reported elsewhere."""
    element = _element(kind, str(name), kind)
    if not isinstance(given, dict) or not given:
        return {}
    section = f"{kind}_parameters"
    checked = reading.arguments(element, data=given, owner=str(name), given=registry.KINDS[kind].given, section=section)
    return {section: {key: checked[key] for key in given}}


@contextmanager
def _collected(problems: list[Problem], section: str = "") -> Iterator[None]:
    """Collect problems so that the rest of the section, or of the study, is checked too."""
    try:
        yield
    except InputError as error:
        problems += error.located(section=section).problems if section else error.problems


def reports(section: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the options of each chosen format, from the checked section ``[report]``."""
    return {name: section.get(name, {}) for name in section.get("formats", ())}


def _report(formats: tuple[str, ...] = ("pdf", "xlsx", "csv")) -> None:
    """Declare the keys of the section [report] other than the tables of format options."""


def _reports(content: dict[str, Any]) -> dict[str, Any]:
    """Return the checked formats and their options."""
    problems: list[Problem] = []
    tables = {name: content.pop(name) for name in list(content) if isinstance(content[name], dict)}
    checked: dict[str, Any] = {"formats": ()}
    with _collected(problems):
        checked = reading.arguments(_report, data=content, owner="report")
    for name in checked["formats"]:
        with _collected(problems):
            _element("report", name, "formats")
    for name, table in tables.items():
        with _collected(problems):
            element, given = _element("report", name, name), registry.KINDS["report"].given
            options = reading.arguments(element, data=table, owner=name, given=given, section=name)
            checked[name] = {key: options[key] for key in table}
    if problems:
        raise InputError(problems)
    return checked


def _element(kind: str, name: str, key: str) -> Callable[..., Any]:
    try:
        return registry.function(kind, name)
    except InputError as error:
        raise error.located(section=key) from None


def head_problems(head: dict[str, Any]) -> list[Problem]:
    """Return all problems with name, title and seed of a study."""
    problems = []
    for key, kind in (("name", str), ("title", str), ("seed", int)):
        if not isinstance(head[key], kind) or isinstance(head[key], bool):
            problems.append(Problem(key, f"must be {'text' if kind is str else 'an integer'}, not {head[key]!r}"))
    for key in ("name", "title"):
        if isinstance(head[key], str) and (wrong := fault(head[key])):
            problems.append(Problem(key, wrong, "remove it"))
    if isinstance(head["name"], str) and len(head["name"].encode("utf-8", "replace")) > MAX_FILE_BYTES:
        message = f"is too long for a file name: {len(head['name'].encode()):,} bytes, limit {MAX_FILE_BYTES}"
        problems.append(Problem("name", message, "choose a shorter name"))
    if isinstance(head["name"], str) and (set(head["name"]) & set('/\\:*?"<>|') or set(head["name"]) <= {"."}):
        problems.append(Problem("name", f"{head['name']!r} cannot be a file name", 'avoid / \\ : * ? " < > |'))
    if isinstance(head["seed"], int) and head["seed"] < 0:
        problems.append(Problem("seed", f"must not be negative, not {head['seed']}"))
    return problems


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
