"""Reading of catalog files: rows by kind and id, and all problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from planner.core import shipped
from planner.core.errors import InputError, Problem, suggestion
from planner.core.reading import Document, construct, read
from planner.domain.parts import KINDS, Row

Shelf = dict[str, dict[str, Any]]
"""Rows by kind and id; those of a kind are of the dataclass that `KINDS` names."""


def load(wanted: Iterable[str], files: Iterable[str | Path]) -> Shelf:
    """Return rows by kind and id: those of the shipped folders of the wanted kinds, and of all `files`."""
    folders = sorted({KINDS[kind].folder for kind in wanted})
    ours = [path for folder in folders for path in _files(shipped.folder("catalogs") / folder)]
    shelf: Shelf = {kind: {} for kind in KINDS}
    problems: list[Problem] = []
    for contents in (map(_shipped, ours), map(_contents, files)):
        seen: dict[tuple[str, str], str] = {}
        for found in contents:
            problems += found.problems
            for kind, row, place, file, line in found.rows:
                if (kind, row.id) in seen:
                    message = f"this id is already used at {seen[kind, row.id]}"
                    problems.append(Problem(place, message, "give each row a unique id", file, line))
                seen[kind, row.id] = f"{file}:{line}"
                shelf[kind][row.id] = row
    if problems:
        raise InputError(problems)
    return shelf


@cache
def _files(folder: Path) -> tuple[Path, ...]:
    """Return the files of a shipped folder, which do not change while the program runs."""
    return tuple(sorted(folder.glob("*.toml")))


class _Contents(NamedTuple):
    """The rows of a file, each with its kind, place, file and line, and the problems of the file."""

    rows: tuple[tuple[str, Row, str, str, int], ...]
    problems: tuple[Problem, ...]


def _contents(path: str | Path) -> _Contents:
    """Read one file."""
    try:
        document = read(path)
    except InputError as error:
        return _Contents((), tuple(error.problems))
    rows: list[tuple[str, Row, str, str, int]] = []
    problems: list[Problem] = []
    for kind, entry, line, lines in _entries(document, problems):
        name = entry.get("id")
        place = f"{kind} {name}" if isinstance(name, str) else kind
        position = {f"{place}.{key}": number for key, number in lines.items()} | {place: line}
        try:
            row = construct(KINDS[kind].cls, entry, file=document.file, section=place, lines=position)
        except InputError as error:
            problems += error.problems
            continue
        problems += InputError(row.problems()).located(document.file, place, position).problems
        rows.append((kind, row, place, document.file, line))
    return _Contents(tuple(rows), tuple(problems))


# Shipped files do not change while the program runs; those of a study may.
_shipped = cache(_contents)


def _entries(document: Document, problems: list[Problem]) -> Iterator[tuple[str, dict[str, Any], int, dict[str, int]]]:
    """Yield each row as kind, keys including the file's defaults, line, and line of each key."""
    lines = {key: int(number) for key, number in document.lines.items()}
    defaults = document.data.get("defaults", {})
    if not isinstance(defaults, dict):
        line = lines.get("defaults", 0)
        problems.append(Problem("defaults", "must be a table", "write [defaults] above its keys", document.file, line))
        defaults = {}
    default_lines = {key: lines.get(f"defaults.{key}", 0) for key in defaults}
    own = _lines_of_rows(lines)
    for kind, entries in document.data.items():
        line = lines.get(kind) or lines.get(f"{kind}.0", 0)
        if kind == "defaults":
            continue
        if kind not in KINDS:
            problems.append(Problem(kind, "is not a kind of catalog row", suggestion(kind, KINDS), document.file, line))
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            problems.append(Problem(kind, "must be a list of rows", f"write [[{kind}]] above each row", document.file, line))
        else:
            for number, entry in enumerate(entries):
                prefix = f"{kind}.{number}"
                yield kind, defaults | entry, lines.get(prefix, 0), default_lines | own.get(prefix, {})


def _lines_of_rows(lines: dict[str, int]) -> dict[str, dict[str, int]]:
    """Return the lines of all keys of each row, those of its subtables included: ``router.0`` has ``port.1.name``."""
    rows: dict[str, dict[str, int]] = {}
    for key, number in lines.items():
        row, _, name = key.partition(".")[2].partition(".")
        rows.setdefault(f"{key.partition('.')[0]}.{row}", {})[name] = number
    return rows
