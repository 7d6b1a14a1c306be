"""Reading and checking of comparison files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.core import reading
from planner.core.errors import InputError, Problem, suggestion
from planner.studies import study
from planner.studies.compare import phase_settings, studies
from planner.studies.compare.comparison import SECTIONS, Comparison, Head, Network, Simulation
from planner.studies.compare.studies import merged
from planner.studies.explore.candidates import all_families

QUICK_MOVES, QUICK_CYCLES, QUICK_MAX_CYCLES = 500_000, 300, 1600
"""Effort of a quick comparison: placement moves, and cycles of the simulation of each network."""

PORT_PHITS, SEARCH_CYCLES = 2048, 8000
"""Buffers of a port, divided among the virtual channels of a routing; warm-up and measured cycles in a search."""

_BUFFERS = ("port_phits", "input_packets", "input_phits")

_REMEDIES = {
    "name": 'write name = "mine"',
    "title": 'write title = "My networks"',
    "seed": "write seed = 1",
    "trimmed": "write trimmed = true or false",
    "quick": "write quick = true or false",
    "oversubscription": "write oversubscription = 2.0 if endpoints may send twice the link capacity",
    "packets": 'write packets = "all", or packets = "front"',
    "objectives": 'write objectives = ["cost", "latency"]',
    "formats": 'write formats = ["csv", "pdf"]',
}

_COMMAND = "command line"
"""Name of the source of overrides in messages."""


def formats() -> list[str]:
    """Return the formats that a comparison can be written in, sorted.

    >>> "csv" in formats()
    True
    """
    return sorted(path.stem for path in Path(__file__).with_name("outputs").glob("*.py") if not path.stem.startswith("_"))


def load(path: str | Path | None, changes: Iterable[str] = ()) -> Comparison:
    """Read a comparison, or the ``comparison.toml`` of a folder, and check it.

    Parameters
    ----------
    path
        None for a comparison given by overrides alone.
    changes
        Texts such as ``"endpoints=5000"`` or ``"catalog.router=\\"nvidia-sb7800\\""`` that override values of the file.

    Raises
    ------
    InputError
        With all problems of the file and of `changes`.
    """
    changed = study.parameters_of(changes)
    if path is None:
        return check({"name": "comparison"} | changed, base=Path.cwd(), changed=changed)
    path = Path(path)
    document = reading.read(path / "comparison.toml" if path.is_dir() else path)
    base = Path(document.file).parent.resolve()
    return check(merged(document.data, changed), base=base, document=document, changed=changed)


def check(
    data: dict[str, Any], *, base: Path, document: reading.Document | None = None, changed: dict[str, Any] | None = None
) -> Comparison:
    """Check the data of a comparison: its keys, the families, and every section, network and simulation.

    Parameters
    ----------
    changed
        The values of `data` that do not come from `document`.

    Raises
    ------
    InputError
        With all problems.
    """
    problems: list[Problem] = []
    data = dict(data)
    sections = {name: data.pop(name) for name in SECTIONS if name in data}
    networks = _tables(data, "network", problems)
    simulations = _tables(data, "simulation", problems)
    bought = phase_settings.settings(_tables(data, "phase", problems), data.pop("growth", None), problems)
    head = _head({"name": base.resolve().name} | data, problems)
    made = Comparison(
        replace(head, title=head.title or head.name),
        base,
        sections,
        tuple(_network(number, table, problems) for number, table in enumerate(networks)),
        tuple(_simulation(number, table, problems) for number, table in enumerate(simulations)),
        *bought,
        document.file if document else "",
    )
    if made.phases and "objectives" not in data:
        made = replace(made, head=replace(made.head, objectives=phase_settings.OBJECTIVES))
    problems += _contradictions(made, data)
    problems += phase_settings.contradictions(made, data)
    problems += studies.problems(made)
    if problems:
        found = dict.fromkeys(_located(problem, document, changed or {}) for problem in problems)
        raise InputError(sorted(found, key=lambda problem: (problem.file != made.file, problem.file, problem.line)))
    return _quick(made) if made.head.quick else made


def _located(problem: Problem, document: reading.Document | None, changed: dict[str, Any]) -> Problem:
    """Return the problem with file and line; overrides have neither."""
    keys = problem.place.split(".")
    # Places contain table numbers, except for a table given as override.
    numbered = keys[0] in changed and keys[1:] and keys[1].isdigit()
    if problem.place and (numbered or studies.has(changed, keys)):
        return replace(problem, file=problem.file or _COMMAND)
    file, lines = (document.file, document.lines) if document else ("", {})
    [found] = InputError(problem).located(file, lines=lines).problems
    return found


def _head(known: dict[str, Any], problems: list[Problem]) -> Head:
    """Return the keys outside tables, collecting the problems of all keys."""
    known_keys = (*Head.__dataclass_fields__, *SECTIONS, "network", "simulation", "phase", "growth")
    head = Head(name="comparison")
    for key, value in known.items():
        if key not in Head.__dataclass_fields__:
            problems.append(Problem(key, "a comparison has no such key or section", suggestion(key, known_keys)))
        elif key in _CHECKS and (wrong := _CHECKS[key](value)):
            problems.append(Problem(key, *wrong))
        else:
            try:
                head = replace(head, **{key: getattr(reading.construct(Head, {key: value}), key)})
            except InputError as error:
                problems += (replace(each, remedy=each.remedy or _REMEDIES.get(key, "")) for each in error.problems)
    return head


def _wrong_endpoints(value: Any) -> tuple[str, str] | None:
    """Return the problem and remedy of a number or range of endpoints, or None."""
    remedy = "write endpoints = 5000, or endpoints = [4000, 6000]"
    counts = value if isinstance(value, list) else [value]
    if not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        return f"must be an integer or a list of two integers, not {value!r}", remedy
    if isinstance(value, list) and len(counts) != 2:
        return f"a range has two numbers, not {len(counts)}", remedy
    if min(counts) < 1:
        return f"must be at least 1, not {value!r}", remedy
    if counts[0] > counts[-1]:
        return f"{counts[0]} is above {counts[1]}", "write the smaller one first"
    return None


def _wrong_families(value: Any) -> tuple[str, str] | None:
    """Return the problem and remedy of a choice of families, or None."""
    if value == "all":
        return None
    if isinstance(value, str):
        return f'must be "all" or a list of families, not {value!r}', f'write families = ["{value}"]'
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return f'must be "all" or a list of families, not {value!r}', 'write families = ["slimfly", "torus"]'
    return None


_CHECKS = {"endpoints": _wrong_endpoints, "families": _wrong_families}
"""Checks of keys with alternative forms."""


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
        remedy = 'write topology = { family = "slimfly", q = 5 }'
        problems.append(Problem(f"{place}.topology", "a network needs a topology with a family", remedy))
        sections |= studies.ANY
    if label is not None and (not isinstance(label, str) or not label):
        problems.append(Problem(f"{place}.label", f"must be text, not {label!r}", 'write label = "mine"'))
        label = f"network {number + 1}"
    changes = sections.pop("changes", [])
    if not isinstance(changes, list) or not all(isinstance(change, dict) for change in changes):
        remedy = 'write changes = [{ "topology.groups" = 5 }, { "topology.groups" = 9 }]'
        problems.append(Problem(f"{place}.changes", f"must be a list with a table for each phase, not {changes!r:.80}", remedy))
        changes = []
    for key in sorted(sections.keys() - {"topology", *SECTIONS}):
        known = suggestion(key, ("label", "topology", "changes", *SECTIONS))
        problems.append(Problem(f"{place}.{key}", "a network has no such key or section", known))
        del sections[key]
    return Network(label or sections["topology"]["family"], sections, tuple(changes))


def _simulation(number: int, table: dict[str, Any], problems: list[Problem]) -> Simulation:
    place = f"simulation.{number}"
    section = {"saturation": True, "max_cycles": SEARCH_CYCLES} | table
    if not any(key in table for key in _BUFFERS):
        section["port_phits"] = PORT_PHITS
    label = section.pop("label", None)
    routings = section.pop("routings", ["minimal"])
    remedy = 'write routings = ["minimal"]'
    if label is not None and (not isinstance(label, str) or not label):
        problems.append(Problem(f"{place}.label", f"must be text, not {label!r}", 'write label = "mine"'))
        label = f"simulation {number + 1}"
    if "routing" in section:
        problems.append(Problem(f"{place}.routing", "a comparison has several routings", remedy))
        del section["routing"]
    if not isinstance(routings, list) or not routings or not all(isinstance(name, str) for name in routings):
        problems.append(Problem(f"{place}.routings", f"must be a list of routings, not {routings!r}", remedy))
        routings = []
    return Simulation(label or str(section.get("traffic", "uniform")), tuple(dict.fromkeys(routings)), section)


def _contradictions(made: Comparison, written: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems that concern several keys."""
    head = made.head
    for name in dict.fromkeys(made.families):
        if name not in all_families():
            yield Problem("families", f"there is no family {name!r}", suggestion(name, all_families()))
    for name in head.formats:
        if name not in formats():
            yield Problem("formats", f"there is no format {name!r}", suggestion(name, formats()))
    # Only valid keys are checked together.
    if made.families and "endpoints" not in written and not made.phases:
        yield Problem("endpoints", "families need a number of endpoints", "add endpoints = 5000")
    if head.families == () and not made.networks:
        yield Problem("families", "is empty, and there are no [[network]] tables", 'write families = "all", or add [[network]]')
    if head.trimmed and isinstance(head.endpoints, tuple):
        yield Problem("trimmed", "does not apply to a range of endpoints", "give one number of endpoints")
    yield from _same(made)
    for name in ("catalog", "room"):
        if name not in made.sections:
            yield Problem(name, "a comparison needs this section", f"add [{name}]")


def _same(made: Comparison) -> Iterator[Problem]:
    """Yield problems of duplicate names."""
    families = Counter(made.families)
    yield from (Problem("families", f"{name} is listed twice", "remove one") for name, count in families.items() if count > 1)
    for kind, labels in (
        ("network", [network.label for network in made.networks]),
        ("simulation", [simulation.label for simulation in made.simulations]),
    ):
        taken = set(families) if kind == "network" else set()
        for number, label in enumerate(labels):
            if label in taken:
                yield Problem(f"{kind}.{number}", f"duplicate label {label!r}", "use unique labels")
            taken.add(label)


def _quick(made: Comparison) -> Comparison:
    """Return the comparison with reduced effort."""
    placement = made.sections.get("placement", {})
    moved = "seconds" not in placement and placement.get("algorithm", "auto") in _MOVED
    reduced = {"bounds": False, "front": 0} | ({"moves": QUICK_MOVES} if moved else {})
    effort = {"cycles": QUICK_CYCLES, "max_cycles": QUICK_MAX_CYCLES, "loads": [0.1]}
    first = tuple(
        replace(each, routings=each.routings[:1], section=_without(each.section, "precision", "warmup") | effort)
        for each in made.simulations[:1]
    )
    return replace(made, sections=made.sections | {"placement": placement | reduced}, simulations=first)


_MOVED = ("auto", "anneal", "multilevel", "tabu")
"""Placement algorithms with a parameter `moves`."""


def _without(section: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {name: value for name, value in section.items() if name not in keys}
