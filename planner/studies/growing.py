"""The sections ``[[phase]]`` and ``[growth]`` of a study: a machine that is bought in phases, and how its network grows."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Annotated, Any, Literal

from annotated_types import Ge

from planner.core import section
from planner.core.checking import checked
from planner.core.errors import RENAMED, Problem
from planner.core.names import MAX_FILE_BYTES, fault
from planner.core.section import Section, Variant, collected

PHASE, GROWTH = "phase", "growth"
"""Names of the sections."""

ALONE = "alone"
"""Folder of the phases that are planned each for itself."""

_RESERVED = (ALONE, "step")
_ENDINGS = (".csv", ".db", ".html", ".json", ".npz", ".pdf", ".toml", ".txt", ".xlsx")
"""Endings of files next to the folders of phases."""

_FORBIDDEN = set('/\\:*?"<>|')

SHARED = {
    "name": "phases have one study",
    "title": "phases have one study",
    "seed": "phases have one study",
    "room": "all phases share the room: draw that of the last phase",
    "catalog": "all phases are built of the same parts: choose them once",
    "placement": "the phases are placed at once: set it for all of them",
    "cabling": "a cable stays as it is: set it for all phases",
    "keep": "each phase keeps the one before it by itself",
    "network": "phases are planned for a study with one [topology]",
    "node": "phases are planned for a study with one [topology]",
    "cabinets": "phases are planned for a study with one [topology]",
}
"""Sections and keys that all phases share, with the reason."""


@dataclass(frozen=True, kw_only=True)
class PhaseEntry:
    """A phase of a machine that is bought in phases; list them in the order in which they are built, see
    [a machine bought in phases](tutorials/phases.md).

    Parameters
    ----------
    name
        Name of the phase, and of the folder of its plan.
    change
        Keys of the study that have another value in this phase, as for ``--set``:
        ``{ "topology.groups" = 16, "simulation.loads" = [0.3] }``. Room, catalog, placement and cabling are the same in all
        phases.
    """

    __pydantic_config__ = {"extra": "forbid"}

    name: str
    change: dict[str, Any] = field(default_factory=dict)


def phase(phase: tuple[PhaseEntry, ...]) -> None:
    """Declare the section [[phase]]."""


@checked()
def growth(
    method: str = "auto",
    ports: Literal["use", "reserve"] = "use",
    ends_down: Annotated[int, Ge(1)] = 1,
    cables_down: Annotated[int, Ge(1)] = 40,
    weights: tuple[Annotated[int, Ge(1)], ...] = (),
    reuse: bool = True,
    alone: bool = True,
    throughput: bool = False,
) -> None:
    """Set how the network grows from phase to phase, see [growth of networks](method/growth.md).

    Parameters
    ----------
    method
        Method of growth (see ``planner list growth``), or a dotted module name; its parameters are keys of the section as well.
    ports
        With the method ``inside``: whether idle ports take temporary links, or stay free.
    ends_down
        Maximum number of ports of one router that are out at once while a crew works.
    cables_down
        Maximum number of cables that are out at once.
    weights
        Weight of each phase in the objective of placement; by default all are equal.
    reuse
        Whether removed cables are used again where they are long enough.
    alone
        Whether each phase is also planned alone in the empty room, for comparison.
    throughput
        Whether to compute the throughput bound of each phase, which takes long for large networks.
    """


SECTIONS = (
    Section(PHASE, (phase,), optional=True, is_list=True),
    Section(GROWTH, (growth,), optional=True, variant=Variant("growth", "method", "auto")),
)
"""Both sections; they belong to no phase of the computation, and describe several studies."""


OWN = tuple(signature(growth).parameters)
"""Keys of ``[growth]`` that are not parameters of its method."""


@dataclass(frozen=True)
class Phased:
    """The phases of a study as data: a name and the data of a study for each, and the arguments of ``[growth]``."""

    names: tuple[str, ...]
    data: tuple[dict[str, Any], ...]
    changed: tuple[tuple[str, ...], ...]
    growth: dict[str, Any]


def split(data: Mapping[str, Any], problems: list[Problem]) -> Phased:
    """Return the phases of a study's data; problems are collected.

    Keys of a change may be dotted, or tables of a section.
    """
    entries: tuple[PhaseEntry, ...] = ()
    given = data.get(PHASE)
    if given is None:
        old = next((name for name, new in RENAMED.items() if new == PHASE and name in data), "")
        remedy = f"write [[phase]] for [[{old}]]" if old else "add [[phase]] with name and change"
        problems.append(Problem(GROWTH, "describes phases, and the study has none", remedy))
    elif not isinstance(given, list):
        problems.append(Problem(PHASE, f"must be a list of tables, not {given!r:.80}", "write [[phase]]"))
    else:
        with collected(problems):
            entries = section.read(SECTIONS[0], {PHASE: given})[PHASE]
    problems += _named(entries)
    settings: dict[str, Any] = {}
    own = data.get(GROWTH, {})
    if not isinstance(own, dict):
        problems.append(Problem(GROWTH, f"must be a section, not {own!r:.80}", "write [growth]"))
    else:
        with collected(problems, GROWTH):
            settings = section.read(SECTIONS[1], own)
            if "seed" in settings and "seed" not in own and isinstance(data.get("seed", 1), int):
                settings["seed"] = data.get("seed", 1)
    # Weights are also counted where another key of the section is wrong.
    weights = settings.get("weights", own.get("weights", ()) if isinstance(own, dict) else ())
    if isinstance(weights, list | tuple) and weights and entries and len(weights) != len(entries):
        message = f"{len(weights)} weights for {len(entries)} phases"
        problems.append(Problem(f"{GROWTH}.weights", message, "give one for each phase, or none"))
    common = {key: value for key, value in data.items() if key not in (PHASE, GROWTH)}
    problems += _unfit(common)
    found, changed = [], []
    for number, entry in enumerate(entries):
        changes = _flat(entry.change)
        problems += _shared(number, changes)
        found.append(_changed(common, changes, f"{PHASE}.{number}.change", problems))
        changed.append(tuple(changes))
    return Phased(tuple(entry.name for entry in entries), tuple(found), tuple(changed), settings)


def _named(entries: tuple[PhaseEntry, ...]) -> list[Problem]:
    """Return the problems of the names: they are names of folders, and each occurs once."""
    problems = []
    seen: dict[str, int] = {}
    for number, entry in enumerate(entries):
        place, name = f"{PHASE}.{number}.name", entry.name
        why = fault(name)
        if not name or why:
            problems.append(Problem(place, why or "is empty", "give the phase a name, such as its year"))
        elif set(name) & _FORBIDDEN or name.startswith(".") or len(name.encode()) > MAX_FILE_BYTES or name != name.strip():
            problems.append(Problem(place, f"{name!r:.80} cannot be the name of a folder", "use letters and digits"))
        elif name.lower().endswith(_ENDINGS):
            problems.append(Problem(place, f"{name!r} is the name of a file, and a phase has a folder", "leave out its ending"))
        elif name.lower() in _RESERVED:
            problems.append(Problem(place, f"{name!r} is a folder of the comparison", "choose another name"))
        elif name.lower() in seen:
            problems.append(
                Problem(place, f"{name!r} is also the name of phase {seen[name.lower()] + 1}", "name each phase once")
            )
        seen.setdefault(name.lower(), number)
    return problems


def _unfit(common: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of sections that do not go with phases."""
    problems = []
    if "network" in common:
        remedy = "plan its phases one by one with [keep]"
        problems.append(Problem("network", "phases are planned for a study with one [topology]", remedy))
    if "keep" in common:
        message = "is next to [[phase]], whose plans keep one another"
        problems.append(
            Problem("keep", message, "list what is built as the first phase, or plan the phases one by one with [keep]")
        )
    placement = common.get("placement", {})
    placement = placement if isinstance(placement, dict) else {}
    if placement.get("endpoints") == "apart":
        message = "puts nodes into cabinets of their own, which phases do not reserve"
        problems.append(Problem("placement.endpoints", message, 'write endpoints = "together"'))
    if "layout" in placement or placement.get("algorithm") == "manual":
        problems.append(Problem("placement.layout", "places one phase, and all are placed at once", "leave it out"))
    return problems


def _flat(change: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes by dotted key; a table of a section gives its keys.

    >>> _flat({"topology": {"a": 4, "h": 2}, "seed": 1})
    {'topology.a': 4, 'topology.h': 2, 'seed': 1}
    """
    found: dict[str, Any] = {}
    for key, value in change.items():
        if isinstance(value, dict) and "." not in key:
            found |= {f"{key}.{inner}": content for inner, content in value.items()}
        else:
            found[key] = value
    return found


def _shared(number: int, changes: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of changes to what all phases share."""
    problems = []
    for key in changes:
        first = key.split(".")[0].strip()
        if first in SHARED:
            what = (
                f"[{first}] must be the same in all phases"
                if first not in ("name", "title", "seed")
                else f"{first} is that of the study"
            )
            problems.append(Problem(f"{PHASE}.{number}.change", f"{key}: {what}", SHARED[first]))
        elif first in (PHASE, GROWTH):
            problems.append(Problem(f"{PHASE}.{number}.change", f"{key}: a phase has no phases", "leave it out"))
    return problems


def _changed(common: Mapping[str, Any], changes: Mapping[str, Any], place: str, problems: list[Problem]) -> dict[str, Any]:
    """Return the data of a study with changes."""
    data = copy.deepcopy(dict(common))
    for key, value in changes.items():
        path = [part.strip() for part in key.split(".")]
        if not all(path):
            problems.append(Problem(place, f"{key!r:.80} is no key", 'write for example { "topology.groups" = 16 }'))
            continue
        table: Any = data
        for part in path[:-1]:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                problems.append(Problem(place, f"{part} in {key!r:.80} is not a section", "name a section and a key"))
                break
        else:
            table[path[-1]] = copy.deepcopy(value)
    return data


def smaller(names: tuple[str, ...], routers: list[int]) -> list[Problem]:
    """Return the problems of phases with fewer routers than the one before."""
    problems = []
    for number in range(1, len(names)):
        if routers[number] < routers[number - 1]:
            message = f"{names[number]} has {routers[number]:,} routers, {names[number - 1]} {routers[number - 1]:,}"
            order = sorted(range(len(names)), key=lambda place: routers[place])
            listed = ", ".join(names[place] for place in order)
            problems.append(Problem(f"{PHASE}.{number}.change", f"phases shrink: {message}", f"list them in the order {listed}"))
    return problems
