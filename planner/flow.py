"""The flow: the only place that knows the order of the stages; storage, resuming, provenance."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

from planner import acceptance, provenance, quantities, storage
from planner.acceptance import INPUTS
from planner.errors import InputError, Problem, suggestion
from planner.folder import Folder, Store
from planner.model import Plan
from planner.progress import Progress, silent
from planner.record import plain
from planner.stages import STAGES, Run, Stage, stages
from planner.study import Study, load, reports


def run(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    until: str | None = None,
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Plan:
    """Run a study, store every stage as it finishes, and write its reports.

    Parameters
    ----------
    study
        A study, or the path of a study file or of its folder.
    out
        Folder of the results; by default the study's own folder.
    until
        Name of the last stage to run (see `STAGES`); no reports are written then.
    progress
        Called while stages work.
    executor
        Anything with ``map``, such as a process pool, for independent parts of a stage. The
        results do not depend on it.
    resume
        Whether stored stages with equal inputs are taken over.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are wrong; nothing is written then.
    Infeasible
        When nothing fits; finished stages are kept.
    """
    if not isinstance(study, Study):
        study = load(study)
    todo = stages(study)
    if until is not None and until not in todo:
        raise InputError(Problem("until", f"there is no stage {until!r}", suggestion(until, todo)))
    out = study.base if out is None else Path(out)
    state = Run(study, progress, executor)
    store = Folder(out, study, resume)
    accept(state, todo, store)
    store.open()
    for name, stage in todo.items():
        if name not in state.records:
            _advance(state, name, stage, store)
        if name == until:
            break
    store.close()
    if until is not None:
        return plan_of(state, provenance.read(out))
    plan = plan_of(state, provenance.read(out))
    if out.resolve() != study.base.resolve():
        provenance.write_study(plan.study, out / "study.toml")
    storage.write_json(plan.quantities, out / "quantities.json")
    if plan.violations is not None:
        storage.write_json({"checked": plan.violations.checked, "items": plan.violations.items}, out / "violations.json")
    write_reports(plan, out, reports(study.sections.get("report", {})), progress)
    return plan


def make(
    study: Study,
    wanted: Iterable[str] = (),
    *,
    store: Store | None = None,
    progress: Progress = silent,
    executor: Any = None,
    accepted: bool = True,
) -> Plan:
    """Run the wanted stages of a study and those that they need; write nothing.

    Parameters
    ----------
    wanted
        Names of stages; all if there are none.
    store
        Where stages may be taken from, and are kept.
    progress, executor
        As for `run`.
    accepted
        Whether the study is known to be right; otherwise everything wrong with it is found first.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are wrong, or it has no such stage.
    Infeasible
        When nothing fits.
    KeyboardInterrupt
        Also where a stage gave the best so far after Ctrl-C.
    """
    state = Run(study, progress, executor)
    todo = stages(study, wanted)
    if not accepted:
        accept(state, todo, store)
    for name, stage in todo.items():
        if name not in state.records:
            _advance(state, name, stage, store)
        if not getattr(state.records[name], "complete", True):
            raise KeyboardInterrupt
    return plan_of(state, {})


def write_reports(plan: Plan, out: Path, chosen: Mapping[str, Mapping[str, Any]], progress: Progress = silent) -> list[Path]:
    """Write the reports of a plan, given as the options of each format; return the paths of the files."""
    from planner import report

    paths = []
    for number, (name, options) in enumerate(chosen.items()):
        for volume in report.volumes(plan, name, options):
            progress("report", number, len(chosen), format=name)
            paths.append(report.write(plan, out, name, **volume))
    progress("report", len(chosen), len(chosen))
    return paths


def report_paths(plan: Plan, out: Path) -> list[Path]:
    """Return the paths of the reports that a run writes."""
    from planner import report

    return [
        out / report.file_name(plan.name, name, volume)
        for name, options in reports(plan.study.get("report", {})).items()
        for volume in report.volumes(plan, name, options)
    ]


def restore(folder: Path | str, *, edited: bool = False) -> Plan:
    """Return the plan that `run` stored in a folder.

    Parameters
    ----------
    folder
        Folder of the plan.
    edited
        Whether stored records may differ from the fingerprints of ``provenance.json``: for plans that were edited on
        purpose.

    Raises
    ------
    InputError
        When the folder holds no plan, a damaged one, or one whose files come from different runs or were edited.
    """
    folder = Path(folder)
    origin = provenance.stored(folder)
    records, problems = {}, []
    for name, stage in STAGES.items():
        if name in origin["stages"]:
            path = folder / f"{name}.npz"
            try:
                records[name] = storage.restore(stage.record, path)
            except InputError as error:
                problems += error.problems
                continue
            expected, found = origin["stages"][name]["fingerprint"], records[name].fingerprint
            if found != expected and not edited:
                problems.append(_foreign(folder, path, found, expected))
    if problems:
        raise InputError(problems)
    study = origin["study"]
    plan = Plan(study["name"], study["title"], study, **records, provenance=origin)
    return replace(plan, quantities=quantities.measure(plan))


def _foreign(folder: Path, path: Path, found: str, expected: str) -> Problem:
    return Problem(
        "",
        f"has fingerprint {found}, but provenance.json records {expected}: it was edited or belongs to another run",
        f"planner run {folder} makes it again; planner check --edited {folder} checks the plan as it is",
        str(path),
    )


def plan_of(state: Run, origin: dict[str, Any]) -> Plan:
    """Gather what has been made so far."""
    study = provenance.expanded(state.study)
    plan = Plan(study["name"], study["title"], study, **state.records, provenance=origin)
    return replace(plan, quantities=quantities.measure(plan))


def accept(state: Run, todo: Mapping[str, Stage], store: Store | None) -> None:
    """Make the stages that only read, and refuse a study that is wrong in any section.

    Raises
    ------
    InputError
        With everything that is wrong.
    """
    problems: list[Problem] = []
    for name in INPUTS:
        if name in todo and all(need in state.records for need in todo[name].needs):
            try:
                _advance(state, name, todo[name], store)
            except InputError as error:
                problems += error.problems
    problems += acceptance.problems(state)
    if problems:
        raise InputError(problems)


def _advance(state: Run, name: str, stage: Stage, store: Store | None) -> None:
    """Take the stage's record from the store, or make and store it."""
    key = _key(state, name, stage) if store is not None else ""
    if store is not None and stage.stored and (record := store.find(name, stage, key)) is not None:
        state.records[name] = record
        state.progress(name, 1, 1, stored=True)
        return
    started = time.perf_counter()
    state.progress(name, 0, 0)
    try:
        record = stage.run(state)
    except InputError as error:
        section = stage.sections[0] if stage.sections else ""
        raise error.located(state.study.file, section, state.study.lines) from None
    state.records[name] = record
    state.progress(name, 1, 1)
    if store is not None:
        store.keep(name, record, key, time.perf_counter() - started)


def _key(state: Run, name: str, stage: Stage) -> str:
    sections = {s: plain(state.study.slack if s == "slack" else state.arguments(s)) for s in stage.sections}
    inputs = {need: state.records[need].fingerprint for need in stage.needs}
    files = {str(path): provenance.digest(path) for s in stage.sections for path in _paths(state.arguments(s))}
    if "catalog" in stage.sections:
        files |= {name: provenance.digest(state.study.base / name) for name in state.arguments("catalog")["files"]}
    text = json.dumps(
        [name, provenance.source(), state.study.seed if stage.seeded else 0, sections, inputs, files], sort_keys=True
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _paths(given: Any) -> Iterator[Path]:
    """The files that a section names, those of its elements' parameters too."""
    if isinstance(given, dict):
        for value in given.values():
            yield from _paths(value)
    elif isinstance(given, tuple):
        for value in given:
            yield from _paths(value)
    elif is_dataclass(given):
        yield from _paths(vars(given))
    elif isinstance(given, Path):
        yield given
