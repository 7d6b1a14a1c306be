"""Plans in folders: opened with all problems reported, since a folder may come from somebody else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.core import registry, storage, version
from planner.core.errors import InputError, Problem
from planner.core.names import HEAD, head_problems
from planner.core.reading import MAX_DEPTH, is_deeper
from planner.domain import quantities
from planner.domain.model import Plan
from planner.domain.model.plan import RECORDS

TABLES = ("network", "node", "cabinets")
"""Sections of a study that are lists of tables."""

_DEPTH = MAX_DEPTH + 2
"""Maximum depth of the content: a study in it, with the keys around it."""


def provenance(out: Path) -> dict[str, Any]:
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


def checked_provenance(folder: Path) -> dict[str, Any]:
    """Return the provenance of the plan in a folder after checking it, since the folder may be untrusted.

    Raises
    ------
    InputError
        When there is no plan, or name, title or seed are invalid.
    """
    file = folder / "provenance.json"
    content = provenance(folder)
    if not content:
        found = "contains no readable plan" if file.is_file() else "contains no plan"
        raise InputError(Problem("", found, f"run planner run {folder} first", str(file if file.is_file() else folder)))
    study = content["study"]
    problems = head_problems({"name": None, "title": None, "seed": None} | study)
    problems += [
        Problem(name, f"must be a section, not {section!r:.80}")
        for name, section in study.items()
        if name not in HEAD and not isinstance(section, list if name in TABLES else dict)
    ]
    if problems:
        raise InputError(problems).located(str(file))
    writer = content.get("planner")
    return content | {"plan": fingerprint(content["stages"]), "planner": writer if isinstance(writer, str) else ""}


def fingerprint(stages: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one fingerprint of all records from their entries."""
    text = json.dumps({name: entry["fingerprint"] for name, entry in stages.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def restore(folder: Path | str, *, edited: bool = False) -> Plan:
    """Load the plan that `run` stored in a folder.

    Parameters
    ----------
    folder
        Folder of the plan.
    edited
        Whether to accept records that differ from the fingerprints in ``provenance.json``, for plans edited on purpose.

    Raises
    ------
    InputError
        When the folder contains no plan, or files that are damaged, edited or of different runs; or a plan that names code of
        its own where `planner.core.registry.own_code` refuses that; or one of a later version of this program.
    """
    folder = Path(folder)
    origin = checked_provenance(folder)
    if named := registry.refused(origin["study"]):
        raise InputError(named).located(str(folder / "provenance.json"))
    if version.is_later(origin):
        raise InputError(_later(folder, version.writer(origin)))
    records, problems = {}, _missing(folder, origin)
    for name in origin["stages"]:
        kind = RECORDS.get(name.partition("@")[0])
        if kind is None:
            continue
        path = folder / f"{name}.npz"
        try:
            found = storage.opened(kind, path)
        except InputError as error:
            problems += error.problems
            continue
        records[name] = found.record
        expected = origin["stages"][name]["fingerprint"]
        if found.fingerprint != expected and not edited:
            problems.append(_foreign(folder, path, found.fingerprint, expected))
    if problems:
        raise InputError(problems)
    try:
        plan = Plan.of_records(origin["study"], records, origin)
        return replace(plan, quantities=quantities.measure(plan))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        # Each record is what it should be, but they are not those of this study.
        message = f"its study and its records do not fit together ({type(error).__name__}: {str(error)[:80]})"
        remedy = f"run planner run {folder} again"
        raise InputError(Problem("", message, remedy, str(folder / "provenance.json"))) from None


def _missing(folder: Path, origin: dict[str, Any]) -> list[Problem]:
    """Return the stages that a stored plan lacks although others need them."""
    problems = []
    for name in origin["stages"]:
        kind = RECORDS.get(name.partition("@")[0])
        needs = None if kind is None else kind.needs if "room" in origin["study"] else kind.network_needs
        why = [f"needs the stage {need}, which is missing" for need in needs or () if need not in origin["stages"]]
        if kind is not None and needs is None:
            why = ["is no stage of a study without room"]
        remedy, file = f"run planner run {folder}", str(folder / "provenance.json")
        problems += [Problem(f"stages.{name}", message, remedy, file) for message in why]
    return problems


def _later(folder: Path, writer: str) -> Problem:
    """Return the problem of a plan of a later version of the program."""
    message = f"{writer}, which does not know all that a later version stores"
    return Problem("", message, "install that version, or run the study again with this one", str(folder / "provenance.json"))


def _foreign(folder: Path, path: Path, found: str, expected: str) -> Problem:
    return Problem(
        "",
        f"has fingerprint {found}, but provenance.json records {expected}: it was edited or belongs to another run",
        f"run planner run {folder} to recompute it, or planner check --edited {folder} to check the plan as it is",
        str(path),
    )
