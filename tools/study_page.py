"""Write docs/study.md from the functions behind the sections of a study: python tools/study_page.py"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from planner import registry
from planner.floor import Slack
from planner.placement import Interior
from planner.simulation import embed
from planner.simulation.embedding import GIVEN
from planner.simulation.outages import Outage
from planner.simulation.workload import Job
from planner.study import SUPPLIED

PAGE = Path(__file__).parents[1] / "docs" / "study.md"

HEAD = """\
# The study file

Made by `python tools/study_page.py` from the program. `planner new mine` writes a commented example; `planner list` shows the
elements (topologies, placements, routings …) with their own parameters. A study is a TOML file: `name`, `title` and `seed` at
the top, then one section for each stage. Every key that is left out has the default shown; `–` means that the key is needed,
*none* that nothing is set.

What is wrong is reported all at once, before anything runs or is written: keys and values, parts, rooms and networks, label
templates, layouts, overrides, traffic and trace files, jobs, and the options of reports, each with its file, key and line, or
with the `--set` option that gave it. What only a finished cable plan can show comes later: labels of cables in `outages`,
cabinets in overrides that no cable reaches. Files are bounded: 64 MB of text, tables nested 20 deep, whole numbers of 64 bits,
names of 120 bytes.

| exit code | meaning |
|---|---|
| 0 | fine |
| 1 | the plan breaks a rule, or nothing fits |
| 2 | the input is wrong, or the disk, the memory, a cluster or a plug-in fails |
| 3 | a fault of Planner: please report it |
| 130 | Ctrl-C: finished stages are kept |

Ctrl-C ends a search with the best so far, and the run goes on with it to its reports; the same command searches again. During
work that has no best so far it ends the run.

Without `[catalog]` and `[room]` a study is a *network study*: `[topology]` with `[simulation]` or `[workload]`, whose delays are
given in cycles. `[simulation]` and `[workload]` may be left out. `[sweep]` makes many studies of one, see
[sweeps](sweeps.md).

## [topology]

`family` names the network, a file of `planner/topology` or a dotted name; all other keys are the family's own: see
[topologies](topologies.md).
"""

ROUTERS = """
## Routers

Keys of `[simulation]` and of `[workload]`, each with values of its own.

"""

TAIL = """
## [report]

`formats` lists the reports to write, by default `["pdf", "xlsx", "csv"]`; `[report.<format>]` holds the options of one:

| format | what it is | options |
|---|---|---|
"""

NESTED = {
    "cabling.slack": (Slack, "Added to the length of every cable."),
    "placement.interior": (Interior, ""),
    "simulation.outages": (Outage, ""),
    "workload.jobs": (Job, ""),
}
"""Tables inside sections."""


def page() -> str:
    """Return the page's text."""
    parts = [HEAD]
    for section, (*functions, given) in SUPPLIED.items():
        own = [function for function in functions if function is not embed]
        shared = "Besides, all keys of [routers](#routers).\n\n" if embed in functions else ""
        parts.append(f"\n## [{section}]\n\n{_purpose(own[-1])}\n\n{shared}{_table(_rows(own, given))}")
        parts += [
            f"\n### [{place}]\n\n{note or _purpose(kind)}\n\n{_table(_fields(kind))}"
            for place, (kind, note) in NESTED.items()
            if place.startswith(f"{section}.")
        ]
    parts.append(ROUTERS + _table(_rows([embed], GIVEN)))
    parts.append(TAIL)
    for name in registry.names("report"):
        meaning, options = registry.summary("report", name)
        parts.append(f"| `{name}` | {meaning} | {f'`{options}`' if options else ''} |\n")
    return "".join(parts)


def _purpose(item: Callable) -> str:
    return " ".join(inspect.getdoc(item).split("\n\n")[0].split())


def _table(rows: Iterator[tuple[str, str, str, str]]) -> str:
    lines = "".join(f"| `{key}` | {kind} | {usual} | {meaning} |\n" for key, kind, usual, meaning in rows)
    return f"| key | value | default | meaning |\n|---|---|---|---|\n{lines}"


def _rows(functions: list[Callable], given: tuple[str, ...]) -> Iterator[tuple[str, str, str, str]]:
    seen = set(given)
    for function in functions:
        meanings, hints = _meanings(function), get_type_hints(function, include_extras=True)
        for name, parameter in inspect.signature(function).parameters.items():
            if name in seen or parameter.kind is parameter.VAR_KEYWORD:
                continue
            seen.add(name)
            yield name, _kind(hints[name]), _usual(parameter.default), meanings[name]


def _fields(kind: type) -> Iterator[tuple[str, str, str, str]]:
    meanings, hints = _meanings(kind), get_type_hints(kind, include_extras=True)
    for spec in dataclasses.fields(kind):
        usual = spec.default if spec.default_factory is dataclasses.MISSING else spec.default_factory()
        missing = usual is dataclasses.MISSING
        yield spec.name, _kind(hints[spec.name]), _usual(inspect.Parameter.empty if missing else usual), meanings[spec.name]


def _meanings(item: Callable) -> dict[str, str]:
    """The texts of the parameters or attributes of a NumPy docstring."""
    text = inspect.getdoc(item)
    found = re.search(r"(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n[A-Z][a-z]+\n-+\n|\Z)", text, re.DOTALL)
    meanings: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", found[1]) if found else ():
        names, *lines = block.split("\n")
        text = " ".join(line.strip() for line in lines).strip()
        text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"`\1`", text).replace("``", "`").replace("|", "\\|")
        meanings |= {name.strip(" *"): re.sub(r" \[\d\]_", "", text) for name in names.split(",")}
    return meanings


def _kind(hint: Any) -> str:
    """A type in words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits = [f"{sign} {value:,}" for limit in parts[1:] for sign, value in _limits(limit)]
        return _kind(parts[0]) + (f" {', '.join(limits)}" if limits else "")
    if origin is Literal:
        return " or ".join(f'`"{part}"`' for part in parts)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_kind(part) for part in parts if part is not type(None)))
    if origin in (tuple, list, set, frozenset, Sequence):
        inner = dict.fromkeys(_kind(part) for part in parts if part is not Ellipsis)
        return f"list: {' or '.join(inner)}"
    words = {int: "whole number", float: "number", str: "text", bool: "true or false", Path: "file"}
    return words.get(hint, "table")


def _limits(limit: object) -> Iterator[tuple[str, float]]:
    for name, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<")):
        if (value := getattr(limit, name, None)) is not None:
            yield sign, value


def _usual(default: object) -> str:
    if default is inspect.Parameter.empty:
        return "–"
    if default is None:
        return "*none*"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, str):
        return f'`"{default}"`'
    if isinstance(default, tuple | list):
        return f"`{list(default)}`"
    if isinstance(default, dict) or dataclasses.is_dataclass(default):
        return "`{}`"
    return f"`{default}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
