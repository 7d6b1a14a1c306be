"""Execution of studies: stage order, storage, resuming and provenance."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, is_dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from planner import acceptance, provenance, quantities, storage
from planner.errors import InputError, Problem, suggestion
from planner.executors.forks import Forks
from planner.executors.serial import Serial
from planner.folder import Folder, Store
from planner.model import Plan
from planner.model.plan import RECORDS
from planner.progress import Progress, silent
from planner.record import Record, plain
from planner.stage import Run, Stage
from planner.stages import NETWORK_STAGES, STAGES, stages
from planner.study import Study, input_problems, load, reports


def run(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    until: str | None = None,
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Plan:
    """Run a study, store each finished stage, and write the reports.

    Parameters
    ----------
    study
        A study, or the path of a study file or its folder.
    out
        Output folder; by default the folder of the study.
    until
        Last stage to run (see `STAGES`); no reports are written.
    progress
        Progress callback.
    executor
        Executor with ``map`` for independent work of a stage; see `planner.executors`. On forked processes, stages that
        do not need each other and reports run at the same time as well. Results do not depend on it.
    resume
        Whether to reuse stored stages with equal inputs.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are invalid; nothing is written.
    Infeasible
        When nothing fits; finished stages are kept.
    """
    if not isinstance(study, Study):
        study = load(study)
    if study.stages:
        raise InputError(Problem("stage", "a study with [[stage]] has several plans", "use planner.staged.run"))
    todo = stages(study)
    if until is not None and until not in todo:
        raise InputError(Problem("until", f"there is no stage {until!r}", suggestion(until, todo)))
    out = study.base if out is None else Path(out)
    state = _begun(study, progress, executor)
    store = Folder(out, study, resume)
    accept(state, todo, store)
    store.open()
    if until is not None:
        todo = dict(islice(todo.items(), list(todo).index(until) + 1))
    _advance_all(state, todo, store)
    store.close()
    if until is not None:
        return plan_of(state, provenance.read(out))
    plan = plan_of(state, provenance.read(out))
    if out.resolve() != study.base.resolve():
        provenance.write_study(plan.study, out / "study.toml")
    storage.write_json(plan.quantities, out / "quantities.json")
    if plan.violations is not None:
        storage.write_json({"checked": plan.violations.checked, "items": plan.violations.items}, out / "violations.json")
    write_reports(plan, out, reports(study.sections.get("report", {})), progress, executor)
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
    """Run the wanted stages of a study and their dependencies without writing output.

    Parameters
    ----------
    wanted
        Names of stages; all stages if empty.
    store
        Storage to reuse stages from and to store them in.
    progress, executor
        As for `run`.
    accepted
        Whether the study has been checked already; otherwise all problems are reported first.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are invalid, or it has no such stage.
    Infeasible
        When nothing fits.
    KeyboardInterrupt
        Also when a stage was interrupted and returned its best result.
    """
    state = _begun(study, progress, executor)
    todo = stages(study, wanted)
    if not accepted:
        accept(state, todo, store)
    _advance_all(state, todo, store, partial=False)
    return plan_of(state, {})


def follow(
    study: Study,
    records: Mapping[str, Record],
    wanted: Iterable[str] = (),
    *,
    progress: Progress = silent,
    executor: Any = None,
) -> Plan:
    """Run the wanted stages of a study from given records, and those that these need; nothing is stored or checked.

    Parameters
    ----------
    records
        Records by the names of their stages, such as a placement that was edited; these stages do not run.
    wanted, progress, executor
        As for `make`.

    Raises
    ------
    Infeasible
        When nothing fits.
    """
    state = _begun(study, progress, executor)
    state.records.update(records)
    _advance_all(state, stages(study, wanted), None)
    return plan_of(state, {})


def records_of(plan: Plan) -> dict[str, Record]:
    """Return all records of a plan by the names of their stages."""
    first = {name: getattr(plan, name) for name in RECORDS}
    others = {f"{name}@{network}": each for network, own in plan.others.items() for name, each in own.items()}
    return {name: each for name, each in (first | others).items() if each is not None}


def write_reports(
    plan: Plan, out: Path, chosen: Mapping[str, Mapping[str, Any]], progress: Progress = silent, executor: Any = None
) -> list[Path]:
    """Write the reports of a plan in the chosen formats and return the paths; side by side on forked processes."""
    forks = executor if isinstance(executor, Forks) else Serial()
    paths: list[list[Path]] = []
    progress("report", 0, len(chosen))
    for written in forks.map(lambda name: _write(plan, out, name, chosen[name], forks), chosen):
        paths.append(written)
        progress("report", len(paths), len(chosen), format=list(chosen)[len(paths) - 1])
    return [path for each in paths for path in each]


def _write(plan: Plan, out: Path, name: str, options: Mapping[str, Any], executor: Any) -> list[Path]:
    """Write all volumes of one report and return their paths."""
    from planner import report

    return list(executor.map(lambda volume: report.write(plan, out, name, **volume), report.volumes(plan, name, options)))


def report_paths(plan: Plan, out: Path) -> list[Path]:
    """Return the paths of the reports written by a run."""
    from planner import report

    return [
        out / report.file_name(plan.name, name, volume)
        for name, options in reports(plan.study.get("report", {})).items()
        for volume in report.volumes(plan, name, options)
    ]


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
        When the folder contains no plan, or files that are damaged, edited or of different runs.
    """
    folder = Path(folder)
    origin = provenance.stored(folder)
    records, problems = {}, _missing(folder, origin)
    unread: list[Path] = []
    foreign: dict[Path, Problem] = {}
    for name in origin["stages"]:
        stage = STAGES.get(name.partition("@")[0])
        if stage is None:
            continue
        path = folder / f"{name}.npz"
        try:
            records[name] = storage.restore(stage.record, path)
        except InputError as error:
            problems += error.problems
            unread.append(path)
            continue
        expected, found = origin["stages"][name]["fingerprint"], records[name].fingerprint
        if found != expected and not edited:
            foreign[path] = _foreign(folder, path, found, expected)
    if (unread or foreign) and (writer := provenance.other_writer(origin)):
        problems.insert(0, _outdated(folder, writer, [*unread, *foreign]))
    else:
        problems += foreign.values()
    if problems:
        raise InputError(problems)
    study = origin["study"]
    plan = Plan.of_records(study, records, origin)
    return replace(plan, quantities=quantities.measure(plan))


def _missing(folder: Path, origin: dict[str, Any]) -> list[Problem]:
    """Return the stages that a stored plan lacks although others need them."""
    known = STAGES if "room" in origin["study"] else NETWORK_STAGES
    return [
        Problem(
            f"stages.{name}",
            f"needs the stage {need}, which is missing" if name in known else "is no stage of a study without room",
            f"run planner run {folder}",
            str(folder / "provenance.json"),
        )
        for name in origin["stages"]
        if (base := name.partition("@")[0]) in STAGES
        for need in (known[base].needs if base in known else ("",))
        if need not in origin["stages"]
    ]


def _outdated(folder: Path, writer: str, records: list[Path]) -> Problem:
    """Return the problem of a plan of another version of the program, whose records this one does not read alike."""
    names = ", ".join(path.name for path in records[:5]) + (f" and {len(records) - 5} more" if len(records) > 5 else "")
    return Problem(
        "",
        f"{writer}; records of other versions may differ, or they were edited: {names}",
        f"run planner run {folder} again, or planner check --edited {folder} to check the plan as it is",
        str(folder / "provenance.json"),
    )


def _foreign(folder: Path, path: Path, found: str, expected: str) -> Problem:
    return Problem(
        "",
        f"has fingerprint {found}, but provenance.json records {expected}: it was edited or belongs to another run",
        f"run planner run {folder} to recompute it, or planner check --edited {folder} to check the plan as it is",
        str(path),
    )


def plan_of(state: Run, origin: dict[str, Any]) -> Plan:
    """Return the plan with all stages finished so far."""
    study = state.study.expanded()
    plan = Plan.of_records(study, state.records, origin)
    return replace(plan, quantities=quantities.measure(plan))


def accept(state: Run, todo: Mapping[str, Stage], store: Store | None) -> None:
    """Run the stages that only read input, and reject the study if any section is invalid.

    Raises
    ------
    InputError
        With all problems.
    """
    problems: list[Problem] = []
    for name, stage in todo.items():
        if not stage.is_input:
            continue
        try:
            if all(need in state.records for need in stage.needs):
                _advance(state, name, stage, store)
            else:
                problems += input_problems({name: state.arguments(name)}, state.study.base)
        except InputError as error:
            problems += error.problems
    problems += acceptance.problems(state)
    if problems:
        # Sections may read the same files.
        raise InputError(dict.fromkeys(InputError(problems).located(state.study.file, lines=state.study.lines).problems))


def _begun(study: Study, progress: Progress, executor: Any) -> Run:
    """Return the state of a run before its first stage; on forked processes progress comes from them."""
    return Run(study, executor.relayed(progress) if isinstance(executor, Forks) else progress, executor)


def _advance_all(state: Run, todo: Mapping[str, Stage], store: Store | None, *, partial: bool = True) -> None:
    """Run the stages whose records are missing: on forked processes each as soon as those that it needs are finished.

    Raises
    ------
    KeyboardInterrupt
        Without `partial` also when a stage was interrupted and returned its best result.
    """
    missing = {name: stage for name, stage in todo.items() if name not in state.records}
    for name, found in _found(state, missing, store):
        _take(state, name, found, store)
        if not (partial or getattr(found.record, "complete", True)):
            raise KeyboardInterrupt


def _found(state: Run, missing: Mapping[str, Stage], store: Store | None) -> Iterator[tuple[str, _Found]]:
    """Yield the records of stages as they are finished; the caller takes each before the next one."""
    if not isinstance(state.executor, Forks):
        for name, stage in missing.items():
            yield name, _find(state, name, stage, store)
        return
    # The last of a long chain ends last, and stages late in order are mostly searches and simulations: both start early.
    behind: Counter[str] = Counter()
    for name in reversed(missing):
        for need in missing[name].needs:
            behind[need] = max(behind[need], behind[name] + 1)
    first = sorted(missing, key=lambda name: (-behind[name], -missing[name].rank))
    needs = {name: missing[name].needs for name in first}
    with closing(state.executor.following(lambda name: _find(state, name, missing[name], store), needs)) as outcomes:
        for name, outcome in outcomes:
            yield name, outcome.result()


def _advance(state: Run, name: str, stage: Stage, store: Store | None) -> None:
    """Load the record of a stage from the store, or compute and store it."""
    _take(state, name, _find(state, name, stage, store), store)


@dataclass(frozen=True)
class _Found:
    """The record of a stage, loaded or computed, the key of its inputs, and the drafts that it computed for later stages."""

    record: Record
    key: str
    seconds: float = 0.0
    stored: bool = False
    drafts: Mapping[str, Record] = field(default_factory=dict)


def _find(state: Run, name: str, stage: Stage, store: Store | None) -> _Found:
    """Load the record of a stage, or compute it."""
    key = _key(state, name, stage) if store is not None else ""
    if store is not None and stage.stored and (record := store.find(name, stage, key)) is not None:
        state.progress(name, 1, 1, stored=True)
        return _Found(record, key, stored=True)
    started, known = time.perf_counter(), set(state.drafts)
    state.progress(name, 0, 0)
    try:
        record = stage.run(state.of(stage.network))
    except InputError as error:
        # Stages that read the tables of several networks name a place in full.
        tables = state.study.networks and stage.attached_needs
        section = stage.sections[0] if stage.sections and not tables else ""
        raise error.located(state.study.file, section, state.study.lines) from None
    state.progress(name, 1, 1)
    drafts = {place: each for place, each in state.drafts.items() if place not in known}
    return _Found(record, key, time.perf_counter() - started, drafts=drafts)


def _take(state: Run, name: str, found: _Found, store: Store | None) -> None:
    """Enter the record of a stage and its drafts, and store the record."""
    state.records[name] = found.record
    # Those of a forked process: the stages after it run in others.
    state.drafts.update(found.drafts)
    if found.stored and store is not None:
        store.reuse(name)
    elif store is not None:
        store.keep(name, found.record, found.key, found.seconds)


def _key(state: Run, name: str, stage: Stage) -> str:
    own = state.of(stage.network)
    # Nodes are attached, and their ports joined, as the rows of the catalog have it.
    names = (*stage.sections, *(("catalog",) if stage.attached_needs and state.study.networks else ()))
    sections = {name: plain(own.arguments(name)) for name in names}
    inputs = {need: state.records[need].fingerprint for need in stage.needs}
    files = {str(path): provenance.digest(path) for section in stage.sections for path in _paths(own.arguments(section))}
    if "catalog" in names:
        files |= {name: provenance.digest(state.study.base / name) for name in state.arguments("catalog")["files"]}
    text = json.dumps(
        [name, provenance.source(), state.study.seed if stage.seeded else 0, sections, inputs, files], sort_keys=True
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _paths(given: Any) -> Iterator[Path]:
    """Yield the paths in the arguments of a section, including those of its elements."""
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
