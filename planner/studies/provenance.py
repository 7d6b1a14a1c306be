"""Provenance of a plan: the full study, versions and fingerprints, stored as ``provenance.json``."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import tomllib
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from planner import __version__
from planner.core import shipped, storage
from planner.core.errors import InputError, Problem
from planner.core.reading import MAX_DEPTH, is_deeper
from planner.core.record import plain
from planner.studies.study import HEAD, LISTS, PROJECT, REPORT, Study, head_problems


def identity(study: Study) -> str:
    """Return a fingerprint of everything in a study that its results depend on.

    Names, titles, reports and title blocks are excluded; files enter by content, not by path.
    """
    sections = {name: plain(_contents(given)) for name, given in study.sections.items() if name not in (REPORT, PROJECT)}
    if study.physical:
        if "/" in (plan := sections["room"]["plan"]) or plan.endswith(".toml"):
            sections["room"]["plan"] = [digest(path) for path in _room_files(study.base / plan)]
        sections["catalog"]["files"] = [digest(study.base / file) for file in sections["catalog"]["files"]]
    text = json.dumps([study.seed, sections], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(path: Path) -> str:
    """Return a hash of the content of a file, of the provenance of a plan's folder, or "" if it cannot be read."""
    try:
        path = path / "provenance.json" if path.is_dir() else path
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _contents(given: Any) -> Any:
    """Replace every path in arguments by a hash of the file's content."""
    if isinstance(given, dict):
        return {key: _contents(value) for key, value in given.items()}
    if isinstance(given, tuple | list):
        return [_contents(value) for value in given]
    if is_dataclass(given):
        return _contents(vars(given))
    return digest(given) if isinstance(given, Path) else given


def _room_files(plan: Path) -> list[Path]:
    """Return the files of a floor plan: itself and the files it refers to, such as its drawing."""
    try:
        values = tomllib.loads(plan.read_text(encoding="utf-8")).values()
    except (OSError, ValueError):
        return [plan]
    tables = [value for value in values if isinstance(value, dict)]
    named = [text for table in (dict(enumerate(values)), *tables) for text in table.values() if isinstance(text, str)]
    return [plan, *(plan.parent / name for name in named if "." in name and (plan.parent / name).is_file())]


def write_study(content: dict[str, Any], path: Path) -> None:
    """Write expanded study data as a study file; values that are None are left out."""
    import tomli_w

    with storage.replacing(path) as temporary:
        temporary.write_text(tomli_w.dumps(_stated(content)), encoding="utf-8")


def _stated(content: Any) -> Any:
    """Return study data without keys that are None, which TOML cannot express."""
    if isinstance(content, dict):
        return {key: _stated(value) for key, value in content.items() if value is not None}
    return [_stated(value) for value in content] if isinstance(content, list) else content


def fingerprint(stages: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one fingerprint of all records from their entries."""
    text = json.dumps({name: entry["fingerprint"] for name, entry in stages.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


NO_RESULTS = {"report", "commands", "executors", "cli.py", "terminal.py", "plot.py"}
"""Modules that do not affect results."""


@cache
def source() -> str:
    """Return a hash of the source code and the catalogs, so that a changed program never reuses old results."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in NO_RESULTS:
            digest.update(path.read_bytes())
    for path in sorted(shipped.folder("catalogs").rglob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def versions() -> dict[str, Any]:
    """Return the versions of Planner, Python and the packages that results depend on."""
    return {"planner": __version__, "source": source(), "python": platform.python_version(), "packages": dict(_packages())}


def other_writer(origin: Mapping[str, Any]) -> str:
    """Return which version of the program wrote a plan and which one this is, as text; empty where they are the same."""
    theirs, this = origin.get("planner") or "of unknown version", __version__
    if theirs == this and origin.get("source") == source():
        return ""
    if theirs == this:
        theirs, this = f"{theirs} with source {origin.get('source') or 'unknown'}", f"{this} with source {source()}"
    return f"written by Planner {theirs}; this is Planner {this}"


def is_later(origin: Mapping[str, Any]) -> bool:
    """Return whether a plan was written by a later version of this program: its records may hold what this one does not know."""
    return _release(origin.get("planner")) > _release(__version__)


def _release(version: Any) -> tuple[int, ...]:
    """Return the numbers at the start of a version."""
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", version) if isinstance(version, str) else None
    return tuple(int(part) for part in found[0].split(".")) if found else ()


@cache
def _packages() -> dict[str, str]:
    """Return the versions of packages that results depend on; every finished stage is recorded with them."""
    packages = {}
    for package in ("numpy", "scipy", "numba", "shapely", "reportlab"):
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return packages


_DEPTH = MAX_DEPTH + 2
"""Maximum depth of the content: a study in it, with the keys around it."""


def read(out: Path) -> dict[str, Any]:
    """Return the provenance of the plan in a folder, or {} if there is none that can be read."""
    try:
        content = json.loads((out / "provenance.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict) or not isinstance(content.get("study"), dict) or is_deeper(content, _DEPTH):
        return {}
    return content | {name: _entries(content.get(name)) for name in ("stages", "earlier")}


def _entries(given: Any) -> dict[str, dict[str, Any]]:
    """Return the entries that have a fingerprint and a key."""
    if not isinstance(given, dict):
        return {}
    return {
        name: entry
        for name, entry in given.items()
        if isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("fingerprint", "key"))
    }


def stored(folder: Path) -> dict[str, Any]:
    """Return the provenance of the plan in a folder after checking it, since the folder may be untrusted.

    Raises
    ------
    InputError
        When there is no plan, or name, title or seed are invalid.
    """
    file = folder / "provenance.json"
    content = read(folder)
    if not content:
        found = "contains no readable plan" if file.is_file() else "contains no plan"
        raise InputError(Problem("", found, f"run planner run {folder} first", str(file if file.is_file() else folder)))
    study = content["study"]
    problems = head_problems({"name": None, "title": None, "seed": None} | study)
    problems += [
        Problem(name, f"must be a section, not {section!r:.80}")
        for name, section in study.items()
        if name not in HEAD and not isinstance(section, list if name in LISTS else dict)
    ]
    if problems:
        raise InputError(problems).located(str(file))
    version = content.get("planner")
    return content | {"plan": fingerprint(content["stages"]), "planner": version if isinstance(version, str) else ""}
