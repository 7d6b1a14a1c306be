"""Where a plan comes from: its study in full, versions, and fingerprints; kept as ``provenance.json``."""

from __future__ import annotations

import hashlib
import json
import platform
import tomllib
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from planner import __version__, shipped, storage
from planner.errors import InputError, Problem
from planner.record import plain
from planner.study import HEAD, Study, head_problems


def expanded(study: Study) -> dict[str, Any]:
    """Return a study with all defaults filled in, as plain data that stands on its own: paths are absolute."""
    sections = {name: {k: v for k, v in plain(content).items() if v is not None} for name, content in study.sections.items()}
    for name, given in study.sections["topology"].items():
        if isinstance(given, Path):
            sections["topology"][name] = str(given.resolve())
    if study.physical:
        if "/" in (name := sections["room"]["plan"]) or name.endswith(".toml"):
            sections["room"]["plan"] = str((study.base / name).resolve())
        sections["catalog"]["files"] = [str((study.base / file).resolve()) for file in sections["catalog"]["files"]]
        sections["cabling"]["slack"] = plain(study.slack)
    return {"name": study.name, "title": study.title, "seed": study.seed, **sections}


def identity(study: Study) -> str:
    """Return a fingerprint of all that the results of a study depend on, besides the program.

    Names, titles and reports do not matter; of files it is the content that counts, not where they are.
    """
    sections = {name: plain(_contents(given)) for name, given in study.sections.items() if name != "report"}
    if study.physical:
        if "/" in (plan := sections["room"]["plan"]) or plan.endswith(".toml"):
            sections["room"]["plan"] = [digest(path) for path in _room_files(study.base / plan)]
        sections["catalog"]["files"] = [digest(study.base / file) for file in sections["catalog"]["files"]]
    text = json.dumps([study.seed, sections, plain(study.slack)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(path: Path) -> str:
    """Return a hash of the content of a file; "" where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _contents(given: Any) -> Any:
    """Arguments with a hash of its content in place of every file."""
    if isinstance(given, dict):
        return {key: _contents(value) for key, value in given.items()}
    if isinstance(given, tuple | list):
        return [_contents(value) for value in given]
    if is_dataclass(given):
        return _contents(vars(given))
    return digest(given) if isinstance(given, Path) else given


def _room_files(plan: Path) -> list[Path]:
    """A floor plan, and the files beside it that it names, such as its drawing."""
    try:
        values = tomllib.loads(plan.read_text(encoding="utf-8")).values()
    except (OSError, ValueError):
        return [plan]
    tables = [value for value in values if isinstance(value, dict)]
    named = [text for table in (dict(enumerate(values)), *tables) for text in table.values() if isinstance(text, str)]
    return [plan, *(plan.parent / name for name in named if "." in name and (plan.parent / name).is_file())]


def write_study(content: dict[str, Any], path: Path) -> None:
    """Write expanded study data as a study file of its own."""
    import tomli_w

    with storage.replacing(path) as temporary:
        temporary.write_text(tomli_w.dumps(content), encoding="utf-8")


def fingerprint(stages: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one fingerprint for all records together, from the notes about them."""
    text = json.dumps({name: entry["fingerprint"] for name, entry in stages.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


NO_RESULTS = {"report", "commands", "executors", "cli.py", "terminal.py", "plot.py"}
"""Rooms whose change leaves all results as they are."""


@cache
def source() -> str:
    """Hash of the program and its catalogs, so that a changed program never takes over old results."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in NO_RESULTS:
            digest.update(path.read_bytes())
    for path in sorted(shipped.folder("catalogs").rglob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def versions() -> dict[str, Any]:
    """Return the versions of the program, of Python, and of the packages whose results enter a plan."""
    packages = {}
    for package in ("numpy", "scipy", "numba", "shapely", "reportlab"):
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return {"planner": __version__, "source": source(), "python": platform.python_version(), "packages": packages}


def read(out: Path) -> dict[str, Any]:
    """Return what is known about the plan in a folder; empty where there is none that can be read."""
    try:
        content = json.loads((out / "provenance.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict) or not isinstance(content.get("study"), dict):
        return {}
    return content | {name: _entries(content.get(name)) for name in ("stages", "earlier")}


def _entries(given: Any) -> dict[str, dict[str, Any]]:
    """The stages of which fingerprint and key are recorded."""
    if not isinstance(given, dict):
        return {}
    return {
        name: entry
        for name, entry in given.items()
        if isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("fingerprint", "key"))
    }


def stored(folder: Path) -> dict[str, Any]:
    """Return what is known about the plan in a folder, checked: the folder may come from a stranger.

    Raises
    ------
    InputError
        When there is no plan, or its head breaks the rules of a study.
    """
    file = folder / "provenance.json"
    content = read(folder)
    if not content:
        found = "holds no plan that can be read" if file.is_file() else "holds no plan"
        raise InputError(Problem("", found, f"run planner run {folder} first", str(file if file.is_file() else folder)))
    study = content["study"]
    problems = head_problems({"name": None, "title": None, "seed": None} | study)
    problems += [
        Problem(name, f"must be a section, not {section!r:.80}")
        for name, section in study.items()
        if name not in HEAD and not isinstance(section, dict)
    ]
    if problems:
        raise InputError(problems).located(str(file))
    version = content.get("planner")
    return content | {"plan": fingerprint(content["stages"]), "planner": version if isinstance(version, str) else ""}
