"""Verification of a stored plan: records that depend on the study alone are rebuilt, and simulations may be repeated.

A plan is untrusted input: code that its study names by a dotted name is run only if the caller allows it.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from planner.check import Source, Window, check
from planner.core import delimited, reading, registry
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.core.record import Record
from planner.domain import catalog, stored
from planner.domain.model import Plan, Topology, Violation, Violations
from planner.network import topology
from planner.studies import pipeline
from planner.studies import study as studies
from planner.studies.stage import Run
from planner.studies.stages import STAGES

_FILES = ("topology", "network", "catalog", "room")
"""Sections that name files."""

_TABLES = ("node", "cabinets")
"""Tables that studies with several networks need as well."""

_REPEATED = {"simulation": "loads", "workload": "jobs"}
"""Simulations that may be repeated, with the argument of which the first element is."""


def verified(
    folder: Path | str, *, edited: bool = False, deep: bool = False, own_code: bool = False, progress: Progress = silent
) -> Plan:
    """Return the plan of a folder with its current violations.

    Parameters
    ----------
    folder
        Folder of the plan.
    edited
        Whether records may differ from the fingerprints of ``provenance.json``.
    deep
        Whether the first load of the simulation and the first job of the workload are repeated and compared exactly.
    own_code
        Whether code that the study names by a dotted name is run.

    Raises
    ------
    InputError
        When the folder contains no plan, a damaged or a mixed one, or when its study cannot be rebuilt.
    """
    with registry.own_code(own_code):
        return _verified(Path(folder), edited, deep, progress)


def _verified(folder: Path, edited: bool, deep: bool, progress: Progress) -> Plan:
    plan = stored.restore(folder, edited=edited)
    plan = replace(plan, quantities=_stored_quantities(folder) or plan.quantities)
    study = _study(plan, folder)
    if study.physical and plan.cables is None:
        raise InputError(Problem("", "the plan has no cables yet", "run it without --until", str(folder)))
    built = pipeline.make(study, _built(study))
    files = tuple(str(file) for file in study.sections.get("catalog", {}).get("files", ()))
    topologies = {name: built.of(name).topology for name in built.network_names}

    def bare(number: int) -> Topology:
        return topology.build(**study.of(number).sections["topology"])

    located = replace(plan, study=_at_home(plan.study, folder))
    rows = partial(catalog.rows, files=files)
    found = check(located, Source(topologies, built.catalog, built.room, rows, bare, *_next_phase(plan, folder)))
    if deep:
        again = [violation for name in _REPEATED for violation in _repeated(plan, study, name, progress)]
        ran = tuple(f"{name}_repeats" for name in _REPEATED if getattr(plan, name) is not None)
        found = Violations(found.checked + ran, found.items + tuple(again))
    return plan.with_records(violations=found)


def phase_folders(folder: Path | str) -> list[Path]:
    """Return the folders of the phases of a machine whose plans are in a folder; [] for a folder of one plan.

    Raises
    ------
    InputError
        When a phase is missing.
    """
    folder = Path(folder)
    file = folder / "phases.json"
    if (folder / "provenance.json").is_file() or not file.is_file():
        return []
    try:
        phases = {str(phase["name"]): phase["fingerprint"] for phase in json.loads(reading.text(file))["phases"]}
        found = [folder / name for name in phases if Path(name).name == name]
    except (KeyError, ValueError, TypeError, RecursionError):
        found, phases = [], {}
    missing = [each.name for each in found if not (each / "provenance.json").is_file()]
    if missing or not found:
        message = f"lists phases without a plan: {', '.join(missing)}" if found else "lists no phases"
        raise InputError(Problem("", message, f"run planner run {folder} again", str(file)))
    if other := [each.name for each in found if stored.provenance(each).get("plan") != phases[each.name]]:
        message = f"has figures of other plans than those in {', '.join(other)}: that run was interrupted, or a phase run again"
        raise InputError(Problem("", message, f"run planner run {folder} again", str(file)))
    return found


def _next_phase(plan: Plan, folder: Path) -> tuple[Plan | None, tuple[Window, ...] | None, tuple[int, int] | None]:
    """Return the plan of the next phase, the windows of work that lead to it, and their limits, where they are at hand.

    Raises
    ------
    InputError
        When they are damaged.
    """
    kept = plan.study.get("keep", {}).get("plan")
    if "reserve" not in plan.study or not isinstance(kept, str):
        return None, None, None
    path = folder.parent / Path(kept).name
    if not (path / "provenance.json").is_file():
        return None, None, None
    file = folder.parent / f"{folder.resolve().name}-{path.name}" / "windows.csv"
    return stored.restore(path), windows_of(file) if file.is_file() else None, _limits(folder.parent / "phases.json")


def windows_of(file: Path) -> tuple[Window, ...]:
    """Return the windows of work of a step from their table."""
    found: dict[int, tuple[list, list]] = {}
    try:
        for _, row in delimited.read(file).records():
            ends = frozenset((row[f"{end}_device"], int(row[f"{end}_port"].split("/")[-1])) for end in "ab")
            out, put = found.setdefault(int(row["window"]), ([], []))
            {"take out": out, "put in": put}[row["action"]].append(ends)
    except (KeyError, ValueError) as error:
        message = f"is not a table of windows ({type(error).__name__}: {str(error)[:80]})"
        raise InputError(Problem("", message, f"run planner run {file.parent.parent} again", str(file))) from None
    return tuple(Window(number, tuple(out), tuple(put)) for number, (out, put) in sorted(found.items()))


def _limits(file: Path) -> tuple[int, int] | None:
    """Return the limits of the windows of a machine; None where they are unknown."""
    try:
        growth = json.loads(reading.text(file))["growth"]
        return int(growth["ends_down"]), int(growth["cables_down"])
    except (InputError, KeyError, ValueError, TypeError, RecursionError):
        return None


def _built(study: studies.Study) -> tuple[str, ...]:
    """Return the names of the stages whose records depend on the study alone."""
    further = tuple(f"topology@{name}" for name in study.network_names[1:])
    return (*(("catalog", "room") if study.physical else ()), "topology", *further)


def _stored_quantities(folder: Path) -> dict[str, Any]:
    """Return the stored quantities; an empty mapping where the file is missing, as after an interrupted run."""
    path = folder / "quantities.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not all(isinstance(entry, dict) for entry in content.values()):
        raise InputError(Problem("", "contains no readable quantities", "planner run writes it again", str(path)))
    return content


def _study(plan: Plan, folder: Path) -> studies.Study:
    """Return the study of a stored plan, restricted to network, parts, room and simulations."""
    file = str(folder / "provenance.json")
    wanted = (*studies.HEAD, *_FILES, *_TABLES, *_REPEATED)
    data = {key: _stated(value) for key, value in plan.study.items() if key in wanted}
    for section in _FILES:
        data[section] = _at_home(data[section], folder) if section in data else None
    return studies.check({key: value for key, value in data.items() if value is not None}, base=folder, file=file)


def _stated(content: Any) -> Any:
    """Return study data without unset keys."""
    if isinstance(content, dict):
        return {key: _stated(value) for key, value in content.items() if value is not None}
    return [_stated(value) for value in content] if isinstance(content, list | tuple) else content


def _at_home(content: Any, folder: Path) -> Any:
    """Return study data with missing files replaced by those in the plan's folder: plans are moved with their files."""
    if isinstance(content, dict):
        return {key: _at_home(value, folder) for key, value in content.items()}
    if isinstance(content, list):
        return [_at_home(value, folder) for value in content]
    if isinstance(content, str) and content.startswith("/") and not Path(content).exists():
        here = folder / Path(content).name
        return str(here.resolve()) if here.exists() else content
    return content


def _repeated(plan: Plan, study: studies.Study, name: str, progress: Progress) -> list[Violation]:
    """Repeat the first load or job with the records of the plan; every figure must be identical."""
    stored = getattr(plan, name)
    if stored is None:
        return []
    arguments = dict(study.sections[name])
    part = _REPEATED[name]
    arguments[part] = arguments[part][:1]
    if name == "simulation":
        arguments["saturation"] = False
    once = replace(study, sections=study.sections | {name: arguments})
    plan = plan.of_section(name)
    records = {stage: getattr(plan, stage) for stage in STAGES if getattr(plan, stage) is not None}
    again = STAGES[name].run(Run(once, progress, None, records))
    return [
        Violation(f"{name}_repeats", f"{name}.{field}", 0.0, 1.0, "", "error", "differs when repeated")
        for field in _differing(stored, again)
    ]


def _differing(stored: Record, again: Record) -> list[str]:
    """Return the fields of the first load or job that differ."""
    found = []
    for spec in dataclasses.fields(again):
        one, two = getattr(stored, spec.name), getattr(again, spec.name)
        if spec.name == "complete" or spec.name.startswith("saturation"):
            continue
        if isinstance(two, np.ndarray):
            one, two = one[:1], two[:1]
            width = max(one.shape[-1], two.shape[-1])
            if spec.name == "hop_histogram":
                one, two = (np.pad(each, [(0, 0), (0, width - each.shape[1])]) for each in (one, two))
            same = np.array_equal(one, two, equal_nan=two.dtype.kind == "f")
        else:
            same = one[:1] == two[:1] if isinstance(two, tuple) else one == two
        if not same:
            found.append(spec.name)
    return found
