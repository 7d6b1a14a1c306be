"""What the results of a study depend on: its content, and the content of its files."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from planner.core.record import plain
from planner.core.registry import plugin_files
from planner.studies.study import PROJECT, REPORT, Study


def identity(study: Study) -> str:
    """Return a fingerprint of everything in a study that its results depend on.

    Names, titles, reports and title blocks are excluded; files, and those of plug-ins, enter by content, not by path.
    """
    sections = {name: plain(_contents(given)) for name, given in study.sections.items() if name not in (REPORT, PROJECT)}
    if study.physical:
        if "/" in (plan := sections["room"]["plan"]) or plan.endswith(".toml"):
            sections["room"]["plan"] = [digest(path) for path in _room_files(study.base / plan)]
        sections["catalog"]["files"] = [digest(study.base / file) for file in sections["catalog"]["files"]]
    plugins = {module: digest(path) for module, path in plugin_files(sections).items()}
    text = json.dumps([study.seed, sections, *([plugins] if plugins else [])], sort_keys=True)
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
