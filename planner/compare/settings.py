"""Comparisons as files: what is wanted, of which parts, in which room, simulated how; checked as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, MinLen

from planner import reading, study
from planner.compare.candidates import Demand, all_families
from planner.errors import InputError, Problem, suggestion
from planner.registry import names

SECTIONS = ("catalog", "room", "placement", "cabling", "work", "bill", "latency")
"""The sections that all networks share; they are those of a study."""

Objective = Literal["cost", "power", "latency", "saturation"]
Count = Annotated[int, Ge(1)]

QUICK_MOVES, QUICK_WARMUP, QUICK_CYCLES = 500_000, 500, 300
"""What a quick comparison makes of placement, and of its one simulation of each network."""


def formats() -> list[str]:
    """Return the formats that a comparison can be written in, sorted.

    >>> "csv" in formats()
    True
    """
    return sorted(path.stem for path in Path(__file__).with_name("outputs").glob("*.py") if not path.stem.startswith("_"))


@dataclass(frozen=True)
class Head:
    """The keys of a comparison outside its tables.

    Attributes
    ----------
    endpoints
        How many are wanted, or from how many to how many; needed to choose configurations of families.
    families
        Of these the best-fitting configuration is chosen; ``"all"``, or none where networks are written out.
    trimmed
        Whether endpoints above the number that is wanted are left out.
    oversubscription
        How many times as much as the links carry all endpoints may send.
    quick
        Less placement; of the simulations the first with its first routing, for fewer cycles.
    objectives
        What the Pareto front is about.
    formats
        What is written: files of `planner.compare.outputs`.
    """

    name: Annotated[str, MinLen(1)] = ""
    title: str = ""
    seed: Annotated[int, Ge(0)] = 1
    endpoints: Count | tuple[Count, Count] | None = None
    families: Literal["all"] | tuple[str, ...] | None = None
    trimmed: bool = False
    oversubscription: Annotated[float, Ge(1)] = 1.0
    quick: bool = False
    objectives: Annotated[tuple[Objective, ...], MinLen(1)] = ("cost", "power", "latency", "saturation")
    formats: tuple[str, ...] = ("csv", "json", "md", "svg", "pdf", "html")


@dataclass(frozen=True)
class Network:
    """A network that is written out: its name in the comparison, and its sections in place of the common ones."""

    label: str
    sections: dict[str, Any]


@dataclass(frozen=True)
class Simulation:
    """One traffic, simulated under several routings; those that a network cannot have are left out with their reason."""

    label: str
    routings: tuple[str, ...]
    section: dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """A checked comparison."""

    head: Head
    base: Path
    sections: dict[str, Any]
    networks: tuple[Network, ...] = ()
    simulations: tuple[Simulation, ...] = ()
    file: str = ""
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def families(self) -> list[str]:
        """The families of which a configuration is chosen."""
        chosen = self.head.families
        if chosen is None:
            chosen = () if self.networks else "all"
        return all_families() if chosen == "all" else list(chosen)

    @property
    def demand(self) -> Demand:
        """How many endpoints are wanted."""
        head = self.head
        least, most = head.endpoints if isinstance(head.endpoints, tuple) else (head.endpoints or 1, None)
        return Demand(least, most, head.oversubscription, head.trimmed)


def load(path: str | Path | None, changes: Iterable[str] = ()) -> Comparison:
    """Read a comparison, or the ``comparison.toml`` of a folder, and check it.

    Parameters
    ----------
    path
        None for a comparison that `changes` alone describe.
    changes
        Texts such as ``"endpoints=5000"`` or ``"catalog.router=\\"nvidia-sb7800\\""`` that replace single values.

    Raises
    ------
    InputError
        With every problem of the file and of `changes`.
    """
    if path is None:
        return check({"name": "comparison"} | study.parameters_of(changes), base=Path.cwd())
    path = Path(path)
    document = reading.read(path / "comparison.toml" if path.is_dir() else path)
    data = merged(document.data, study.parameters_of(changes))
    return check(data, base=Path(document.file).parent.resolve(), document=document)


def check(data: dict[str, Any], *, base: Path, document: reading.Document | None = None) -> Comparison:
    """Check the data of a comparison.

    Raises
    ------
    InputError
        With every unknown, missing or wrong key.
    """
    file, lines = (document.file, document.lines) if document else ("", {})
    problems: list[Problem] = []
    data = dict(data)
    sections = {name: data.pop(name) for name in SECTIONS if name in data}
    networks = _tables(data, "network", problems)
    simulations = _tables(data, "simulation", problems)
    head = Head()
    try:
        known = {"name": base.resolve().name} | data
        unknown = [key for key in known if key not in Head.__dataclass_fields__]
        everything = (*Head.__dataclass_fields__, *SECTIONS, "network", "simulation")
        problems += [Problem(key, "a comparison has no such key or section", suggestion(key, everything)) for key in unknown]
        head = reading.construct(Head, {key: value for key, value in known.items() if key not in unknown})
    except InputError as error:
        problems += error.problems
    made = Comparison(
        replace(head, title=head.title or head.name),
        base,
        sections,
        tuple(_network(number, table, problems) for number, table in enumerate(networks)),
        tuple(_simulation(number, table, problems) for number, table in enumerate(simulations)),
        file,
        lines,
    )
    problems += _contradictions(made)
    if problems:
        raise InputError(problems).located(file, lines=lines)
    return _quick(made) if made.head.quick else made


def merged(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return nested tables with single values replaced.

    Examples
    --------
    >>> merged({"room": {"plan": "lab", "design_fill": 0.4}}, {"room": {"plan": "hall-a"}})
    {'room': {'plan': 'hall-a', 'design_fill': 0.4}}
    """
    both = dict(data)
    for key, value in changes.items():
        old = both.get(key)
        both[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return both


def _tables(data: dict[str, Any], name: str, problems: list[Problem]) -> list[dict[str, Any]]:
    tables = data.pop(name, [])
    if isinstance(tables, dict):
        tables = [tables]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(Problem(name, f"must be tables, not {tables!r}"[:120], f"write [[{name}]]"))
        return []
    return tables


def _network(number: int, table: dict[str, Any], problems: list[Problem]) -> Network:
    place = f"network.{number}"
    sections = dict(table)
    label = sections.pop("label", None)
    topology = sections.get("topology")
    if not isinstance(topology, dict) or not isinstance(topology.get("family"), str):
        remedy = 'topology = { family = "slimfly", q = 5 }'
        problems.append(Problem(f"{place}.topology", "a network needs a topology with a family", remedy))
        topology = {"family": ""}
    if label is not None and (not isinstance(label, str) or not label):
        problems.append(Problem(f"{place}.label", f"must be text, not {label!r}"))
    for key in sections.keys() - {"topology", *SECTIONS}:
        known = suggestion(key, ("label", "topology", *SECTIONS))
        problems.append(Problem(f"{place}.{key}", "a network has no such key or section", known))
    return Network(str(label or topology["family"]), sections)


def _simulation(number: int, table: dict[str, Any], problems: list[Problem]) -> Simulation:
    place = f"simulation.{number}"
    section = {"saturation": True} | table
    label = section.pop("label", None) or str(section.get("traffic", "uniform"))
    routings = section.pop("routings", ["minimal"])
    remedy = 'write routings = ["minimal"]'
    if "routing" in section:
        problems.append(Problem(f"{place}.routing", "a comparison has several routings", remedy))
    if not isinstance(routings, list) or not routings or not all(isinstance(name, str) for name in routings):
        problems.append(Problem(f"{place}.routings", f"must be a list of routings, not {routings!r}", remedy))
        routings = []
    for name in routings:
        if "." not in name and name not in names("routing"):
            problems.append(Problem(f"{place}.routings", f"there is no routing {name!r}", suggestion(name, names("routing"))))
    return Simulation(str(label), tuple(dict.fromkeys(routings)), section)


def _contradictions(made: Comparison) -> list[Problem]:
    """What each key allows, but not all together."""
    problems = []
    head = made.head
    for name in made.families:
        if name not in all_families():
            problems.append(Problem("families", f"there is no family {name!r}", suggestion(name, all_families())))
    for name in head.formats:
        if name not in formats():
            problems.append(Problem("formats", f"there is no format {name!r}", suggestion(name, formats())))
    if made.families and head.endpoints is None:
        problems.append(Problem("endpoints", "nothing says how many endpoints the families should have", "add endpoints = 5000"))
    if isinstance(head.endpoints, tuple) and head.endpoints[0] > head.endpoints[1]:
        problems.append(Problem("endpoints", f"{head.endpoints[0]} is above {head.endpoints[1]}", "write the smaller one first"))
    if head.trimmed and isinstance(head.endpoints, tuple):
        problems.append(Problem("trimmed", "a range says what is left to it", "give one number of endpoints"))
    for kind, labels in (
        ("network", [network.label for network in made.networks] + made.families),
        ("simulation", [simulation.label for simulation in made.simulations]),
    ):
        for label in sorted({label for label in labels if labels.count(label) > 1}):
            problems.append(Problem(kind, f"two are called {label!r}", "give each a label of its own"))
    problems += [
        Problem(name, "a comparison needs this section", f"add [{name}]")
        for name in ("catalog", "room")
        if name not in made.sections
    ]
    return problems


def _quick(made: Comparison) -> Comparison:
    """The same with less effort."""
    placement = made.sections.get("placement", {})
    moved = isinstance(placement, dict) and "seconds" not in placement and placement.get("algorithm", "auto") in _MOVED
    sections = made.sections
    if isinstance(placement, dict):
        sections = sections | {"placement": placement | {"bounds": False, "front": 0} | ({"moves": QUICK_MOVES} if moved else {})}
    effort = {"warmup": QUICK_WARMUP, "cycles": QUICK_CYCLES, "loads": [0.1]}
    first = tuple(
        replace(each, routings=each.routings[:1], section=_without(each.section, "precision") | effort)
        for each in made.simulations[:1]
    )
    return replace(made, sections=sections, simulations=first)


_MOVED = ("auto", "anneal", "multilevel", "tabu")
"""Placement algorithms that take a number of moves."""


def _without(section: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in section.items() if name != key}
